# ebs_advisor: `make help` lists what there is. The work is done by scripts/, versions are pinned in scripts/versions.sh.

SHELL := /bin/bash
export PG_CONFIG DESTDIR

.PHONY: help all uninstall uninstall-ebsctl uninstall-nvme-helper uninstall-emulator fuzz demo demo-stop psql test test-quiet test-long test-busy test-packaged installcheck install bench nvme-helper install-nvme-helper ebsctl install-ebsctl emulator install-emulator deb validate lint fmt clean
.DEFAULT_GOAL := help

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-21s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
	@echo "Variables: PG_CONFIG=/path/to/pg_config  PG=16|17|18 (test)  ARGS=\"-c '…'\" (psql)  TESTS=\"price runs\" (test, test-*, installcheck)  BENCH=sampler (bench)"

demo: ## from nothing to advice on a real pgbench run, which is then checked (first time about 6 minutes)
	@scripts/demo start

demo-stop: ## end the demo's cluster
	@scripts/demo stop

psql: ## open psql on the demo's cluster, or run ARGS="-c '…'"
	@scripts/demo psql $(ARGS)

test: ## the tests that measure nothing: the crates', the house's, pg_regress and the live ones on private clusters (TESTS="waits" some of the last)
	@TESTS="$(TESTS)" scripts/test $(PG)

test-quiet: ## what measures, on an idle machine, before a release (root; TESTS="agreement waits" some of it)
	@scripts/test-quiet $(TESTS)

test-long: ## all tests with many more cases, on what users install
	@LONG=yes EBS_ADVISOR_PROFILE=release scripts/test $(PG)

test-busy: ## all tests, TIMES=30 in a row, beside two busy loops and a disk that is written: finds those that fail now and then
	@scripts/test-busy "$(TIMES)" $(PG)

test-packaged: ## our Debian packages, and index advice against what indexes do, on Debian's PostgreSQL 17 in a chroot (root; about 3 minutes)
	@scripts/test-packaged $(TESTS)

installcheck: ## pg_regress alone, on a private cluster of PG_CONFIG's PostgreSQL
	@scripts/installcheck $(TESTS)

all: ## build the extension alone
	@scripts/install "$${PG_CONFIG:-pg_config}" build

install: ## install into the PostgreSQL of PG_CONFIG (16, 17 or 18)
	@scripts/install "$${PG_CONFIG:-pg_config}"

uninstall: ## take out what install put there
	@scripts/uninstall "$${PG_CONFIG:-pg_config}"

nvme-helper: ## build ebs-nvme-stats, which publishes what EBS volumes count themselves (docs/nvme.md)
	@scripts/program ebs-nvme-stats

install-nvme-helper: ## install it and its systemd unit below /usr/local
	@scripts/program ebs-nvme-stats install

uninstall-nvme-helper: ## take it out again
	@scripts/uninstall ebs-nvme-stats

ebsctl: ## build ebsctl, which drives benchmarks (docs/driving.md) and brings AWS's current prices into the database (docs/prices.md)
	@scripts/program ebsctl

install-ebsctl: ## install it below /usr/local
	@scripts/program ebsctl install

uninstall-ebsctl: ## take it out again
	@scripts/uninstall ebsctl

emulator: ## build ebs-emulator, an EBS volume without AWS to try advice out on (docs/emulator.md)
	@scripts/program ebs-emulator

install-emulator: ## install it below /usr/local
	@scripts/program ebs-emulator install

uninstall-emulator: ## take it out again
	@scripts/uninstall ebs-emulator

deb: ## Debian packages of the extension for PG=16|17|18 and of the programs, into target/deb
	@scripts/deb $(PG)

bench: ## what sampling costs, against peers (about 20 minutes; BENCH=sampler for one of docs/benchmarks.md)
	@scripts/bench $(BENCH)

fuzz: ## feed every parser anything, 10 million times each (hours; TARGETS="iostat block" RUNS=100000; docs/fuzzing.md)
	@scripts/fuzz $(TARGETS) $(RUNS)

validate: ## what is predicted against what is measured, on emulated volumes (root; about 55 minutes; docs/validation.md)
	@scripts/validate

lint: ## clippy and formatting, warnings are errors; no cycles between files, no comment begins with a question word or a preposition
	@scripts/lint

fmt: ## format the Rust code
	@cargo fmt --all

clean: ## remove build products (the cache of PostgreSQLs stays)
	@rm -rf target regression.diffs regression.out results
