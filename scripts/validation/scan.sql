-- pgbench: 512 pages in sequence without an index (a TID range scan), which PostgreSQL 18 reads as a stream, several requests at once.
\set first random(0, :pages - 512)
\set last :first + 512
SELECT count(*), sum(abalance) FROM pgbench_accounts
    WHERE ctid >= ('(' || :first || ',0)')::tid AND ctid < ('(' || :last || ',0)')::tid;
