# ebsctl fleet --changes: what it prints is read by the programs that it is for. Nothing of it is run, whatever a volume is called.
ebsctl=$(program ebsctl)
export XDG_STATE_HOME=$SCRATCH/state
gp3='"volume_type": "gp3", "volumes": 1, "size_gib": 500'
# Less than a day of samples is in no wave.
evidence='"evidence": {"from": "2026-11-01T00:00:00Z", "to": "2026-11-15T00:00:00Z", "coverage_pct": 100, "grade": "scrapes"}'
cat >"$SCRATCH/rows.jsonl" <<JSON
{"volume": "vol-0a", $evidence, "platform": "ec2", "account": "123456789012", "region": "eu-west-1", "zone": "eu-west-1a", "instance": "i-0a", "name": "it's \$(touch pwned) \`touch pwned\` \${x} %{y}\n\"z", "claim": "db/data-0", "owner": "a", "risk": "low", "action": "modify", "usd_month_saved": 10, "present": {"volume_type": "io1", "volumes": 1, "size_gib": 500, "iops": 4000}, "recommended": {$gp3, "iops": 5000, "throughput_mibps": 250}}
{"volume": "vol-0b", $evidence, "platform": "ec2", "account": "123456789012", "region": "eu-west-1", "zone": "eu-west-1b", "instance": "i-0b", "claim": "db/data-1", "owner": "a", "risk": "low", "action": "modify", "usd_month_saved": 10, "present": {$gp3, "iops": 9000, "throughput_mibps": 500}, "recommended": {$gp3, "iops": 3000, "throughput_mibps": 125}}
{"volume": "billing", $evidence, "platform": "rds", "account": "123456789012", "region": "eu-west-1", "instance": "billing", "risk": "low", "action": "modify", "usd_month_saved": 10, "present": {$gp3, "iops": 16000, "throughput_mibps": 500}, "recommended": {$gp3, "iops": 12000, "throughput_mibps": 500}}
{"volume": "vol-0c", "platform": "ec2", "action": "delete"}
JSON
sed -n '$p' "$SCRATCH/rows.jsonl" >"$SCRATCH/none.jsonl"
for format in cli terraform vac; do
  for rows in rows none; do
    check "changes of $rows as $format" \
      "$ebsctl" fleet --rows "$SCRATCH/$rows.jsonl" --changes "$format" --output "$SCRATCH/$rows.$format"
  done
done

# A program aws that only says that it ran.
mkdir "$SCRATCH/bin"
printf '#!/bin/sh\necho "$@" >>"%s/aws-ran"\n' "$SCRATCH" >"$SCRATCH/bin/aws"
chmod +x "$SCRATCH/bin/aws"
# usage FILE PATTERN: without an argument the script says how it is used, and runs nothing.
usage() {
  local status=0
  (cd "$SCRATCH" && PATH=$SCRATCH/bin:$PATH bash "$1") >"$SCRATCH/usage" 2>&1 || status=$?
  [ "$status" = 2 ] && grep -qE "$2" "$SCRATCH/usage" || { echo "exit status $status"; cat "$SCRATCH/usage"; return 1; }
  [ ! -e "$SCRATCH/aws-ran" ] && [ ! -e "$SCRATCH/pwned" ]
}
for rows in rows none; do check "bash reads the script of $rows" bash -n "$SCRATCH/$rows.cli"; done
check "without an argument it runs nothing" usage rows.cli '^usage: bash rows.cli wave-N.check-N.back-N, N from 1 to [1-9]'
check "a script of no changes has no waves" usage none.cli '^none.cli: there is nothing to change$'
check "every change is in it" bash -c "grep -cE '^ *aws (ec2 modify-volume|rds modify-db-instance) ' '$SCRATCH/rows.cli' | grep -qx 6"

if command -v terraform >/dev/null; then
  for rows in rows none; do
    cp "$SCRATCH/$rows.terraform" "$SCRATCH/$rows.tf"
    check "Terraform reads the resources of $rows, in its own layout" env -u TF_CLI_CONFIG_FILE terraform fmt -check -diff "$SCRATCH/$rows.tf"
  done
else
  skip "Terraform reads the resources (terraform is not there)"
fi

if python3 -c 'import yaml' 2>/dev/null; then
  cat >"$SCRATCH/classes.py" <<'PYTHON'
import sys, yaml
classes = [document for document in yaml.safe_load_all(open(sys.argv[1])) if document]
for document in classes:
    assert document.keys() == {"apiVersion", "kind", "metadata", "driverName", "parameters"}, document
    assert (document["apiVersion"], document["kind"]) == ("storage.k8s.io/v1", "VolumeAttributesClass"), document
    assert document["driverName"] == "ebs.csi.aws.com", document
    assert all(type(value) is str for value in document["parameters"].values()), document
print(" ".join(sorted(document["metadata"]["name"] for document in classes)))
PYTHON
  classes() { [ "$(python3 "$SCRATCH/classes.py" "$SCRATCH/$1.vac")" = "$2" ] || { python3 "$SCRATCH/classes.py" "$SCRATCH/$1.vac"; return 1; }; }
  check "the manifests are classes of each configuration" classes rows 'ebs-gp3-3000-125 ebs-gp3-5000-250 ebs-gp3-9000-500 ebs-io1-4000'
  check "and none without changes" classes none ''
else
  skip "the manifests are YAML (python3's yaml is not there)"
fi
