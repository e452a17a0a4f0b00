-- Runs found again: notes, tags, other labels, patterns.
SELECT ebs_run_begin('gp3-1', '{"scale": 100}') > 0 AS begun;
SELECT ebs_run_end();
SELECT ebs_run_begin('gp3-2') > 0 AS begun;
SELECT ebs_run_end();
SELECT ebs_run_begin('io2 100%_\1', '"a text"') > 0 AS begun;
SELECT ebs_run_end();

-- Keys are added, and replaced where they are there; a note that is no object stays as one of them.
SELECT ebs_run_note('gp3-1', '{"clients": 16}');
SELECT ebs_run_note('gp3-1', '{"scale": 200, "why": null}');
SELECT ebs_run_note('gp3-2', '{"scale": 1}');
SELECT ebs_run_note('io2 100%_\1', '{"scale": 1}');
SELECT ebs_run_note('gp3-1', '[1]');
SELECT ebs_run_note('gp3-1', NULL);
SELECT ebs_run_note('nobody', '{}');

-- Each tag once, in order.
SELECT ebs_run_tag('gp3-1', 'prod'), ebs_run_tag('gp3-1', 'aged'), ebs_run_tag('gp3-1', ' prod ');
SELECT ebs_run_tag('gp3-2', 'prod');
SELECT label, tags FROM ebs_runs(tag => 'prod');
SELECT label, tags FROM ebs_runs('gp3-*', 'aged');
SELECT ebs_run_untag('gp3-1', 'aged');
SELECT ebs_run_untag('gp3-1', 'aged');
SELECT ebs_run_untag('io2 100%_\1', 'aged');
SELECT ebs_run_tag('gp3-1', '');
SELECT ebs_run_tag('gp3-1', E'two\nlines');
SELECT ebs_run_tag('gp3-1', repeat('x', 64));
DO $$ BEGIN FOR i IN 1 .. 60 LOOP PERFORM ebs_run_tag('gp3-1', 'tag ' || i); END LOOP; END $$;
SELECT tags FROM ebs_runs('gp3-1');

-- A pattern's star stands for anything, and nothing else does.
SELECT label FROM ebs_runs('*');
SELECT label FROM ebs_runs('*2*');
SELECT label FROM ebs_runs('io2 100%_\*');
SELECT count(*) FROM ebs_runs('gp3__');
SELECT count(*) FROM ebs_runs('%');
SELECT count(*) AS all FROM ebs_runs(NULL, NULL);

SELECT ebs_run_rename('gp3-2', 'gp3-3');
SELECT ebs_run_rename('gp3-3', 'gp3-1');
SELECT ebs_run_rename('gp3-3', 'gp3-3');
SELECT ebs_run_rename('gp3-2', 'x');
SELECT ebs_run_rename('gp3-3', '');
SELECT label, tags, note FROM ebs_runs('gp3-*');
DO $$ BEGIN PERFORM ebs_run_drop(label) FROM ebs.runs; END $$;
