-- pgbench: 400 accounts by the index, whose rows lie in sequence: some eight pages, for which the kernel reads ahead.
\set first random(1, 100000 * :scale - 399)
SELECT count(abalance), sum(abalance) FROM pgbench_accounts WHERE aid BETWEEN :first AND :first + 399;
