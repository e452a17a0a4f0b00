-- Executed by mallory: harmless views, which planner-costs-spring.sql replaces.
SELECT format('CREATE VIEW mallory.dear_%s AS SELECT * FROM mallory.plain; GRANT SELECT ON mallory.dear_%s TO PUBLIC', i, i) FROM generate_series(1, 22) i \gexec
