# A server that was started with RUST_BACKTRACE set gives its users errors, not stack traces.
export RUST_BACKTRACE=1
fresh </dev/null
cluster_sql 'CREATE EXTENSION ebs_advisor'
import="SELECT ebs_import_samples('x', 'y', '[{\"ts\": \"no time\"}, {\"ts\": \"no time\"}]')"
check "an error is reported" matches "$import" '"ts" is not a time'
check "without a stack trace" test "$(cluster_sql "$import" 2>&1 | grep -cE 'panic|\.rs:')" = 0
