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

-- What moves the cursor or turns letters round stands in no message, hint or notice.
SELECT ebs_run_note(E'gp3\u202E3-oi\x1B[2J', '{}');
SELECT ebs_chart('gp3-1', E'read\u2066latency');
\set VERBOSITY terse
SELECT ebs_price(E'gp3\u202E', 100);
\set VERBOSITY default
SELECT ebs_run_rename('gp3-3', E'gp3\u202E3-oi');
SELECT * FROM ebs_latency_histogram(E'gp3\u202E3-oi');
-- What is quoted may be as long as an argument, and a message is not.
DO $$ BEGIN PERFORM ebs_chart('gp3-1', repeat('x', 1000000)); EXCEPTION WHEN undefined_object THEN RAISE NOTICE '% characters', length(SQLERRM); END $$;
DO $$ BEGIN PERFORM ebs_run_drop(label) FROM ebs.runs_detail; END $$;
