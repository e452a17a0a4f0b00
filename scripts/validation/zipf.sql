-- pgbench: an update and a read of accounts by Zipf's law, with about YCSB's exponent (0.99; pgbench has none below 1.001); the accounts
-- that are asked for most lie apart, and are the same ones in every run.
\set size 100000 * :scale
\set account 1 + permute(random_zipfian(1, :size, 1.01), :size, 1)
\set other 1 + permute(random_zipfian(1, :size, 1.01), :size, 1)
\set delta random(-5000, 5000)
BEGIN;
UPDATE pgbench_accounts SET abalance = abalance + :delta WHERE aid = :account;
SELECT abalance FROM pgbench_accounts WHERE aid = :other;
END;
