#!/usr/bin/env bash
# Changes of 5 volumes in 4 waves, by ebsctl fleet 0.2.0. Nothing of it has been run.
# A volume can be modified four times in any 24 hours, and again only after the last modification has completed; that
# holds for the way back, too. While it optimizes, hours for a large volume, performance is between that of before and
# after.
# A wave has volumes of one account and region: at most one of each instance, and of the instances of one owner or the
# pods of one set at most half. Waves of low risk come first, within a risk the cheapest volumes; then changes after
# which sessions would wait, and at the end those that cost more without a demand that needs them.
# A volume can grow and never shrink: a larger size is not undone by the way back.
#   bash FILE wave-1    modifies the volumes of wave 1 that still have the configuration they are changed from
#   bash FILE check-1   succeeds once each has its new configuration and nothing is being modified: run it until then,
#                       and look at the latencies of its databases, before wave 2
#   bash FILE back-1    the way back of wave 1
set -eu

# has QUERY VALUE COMMAND…: succeeds where the answer to the command has this value; says so where it has another.
has() {
  local query=$1 expected=$2 found
  shift 2
  found=$("$@" --query "$query" --output text | tr '\t' ' ')
  if [ "$found" != "$expected" ]; then
    echo "$*: $query is \"$found\", not \"$expected\"" >&2
    return 1
  fi
}

case ${1:-} in

# Wave 1: 2 volumes, account 123456789012, region eu-west-1, risk low
wave-1)
  has Account 123456789012 aws sts get-caller-identity
  has 'length(VolumesModifications)' 0 aws ec2 describe-volumes-modifications --region eu-west-1 --filters 'Name=volume-id,Values=vol-0b01,vol-06c1835863d5d7360' Name=modification-state,Values=modifying,optimizing
  # db/data-ledger-0, vol-0b01 on i-0b01, r6i.2xlarge: gp3 2,048 GiB 16,000 IOPS 1,000 MiB/s to gp3 2,048 GiB 6,000 IOPS
  # 250 MiB/s; saves $88.00 a month, confidence high
  # reason: gp3 has 5,000 IOPS for the 3,900 needed.
  # finding previous_generation: io1 is the previous generation.
  if has 'Volumes[0].[VolumeType,Size,Iops,Throughput]' 'gp3 2048 16000 1000' aws ec2 describe-volumes --region eu-west-1 --volume-ids vol-0b01; then
    aws ec2 modify-volume --region eu-west-1 --volume-id vol-0b01 --volume-type gp3 --iops 6000 --throughput 250
  fi
  # way back: aws ec2 modify-volume --region eu-west-1 --volume-id vol-0b01 --volume-type gp3 --iops 16000 --throughput 1000
  # orders-data, vol-06c1835863d5d7360 on i-0abc, r6i.4xlarge: io1 500 GiB 10,000 IOPS to gp3 500 GiB 5,000 IOPS 250
  # MiB/s; saves $664.00 a month, confidence high
  # reason: gp3 has 5,000 IOPS for the 3,900 needed.
  # finding previous_generation: io1 is the previous generation.
  if has 'Volumes[0].[VolumeType,Size,Iops]' 'io1 500 10000' aws ec2 describe-volumes --region eu-west-1 --volume-ids vol-06c1835863d5d7360; then
    aws ec2 modify-volume --region eu-west-1 --volume-id vol-06c1835863d5d7360 --volume-type gp3 --iops 5000 --throughput 250
  fi
  # way back: aws ec2 modify-volume --region eu-west-1 --volume-id vol-06c1835863d5d7360 --volume-type io1 --iops 10000
  ;;
check-1)
  has Account 123456789012 aws sts get-caller-identity
  has 'length(VolumesModifications)' 0 aws ec2 describe-volumes-modifications --region eu-west-1 --filters 'Name=volume-id,Values=vol-0b01,vol-06c1835863d5d7360' Name=modification-state,Values=modifying,optimizing
  has 'Volumes[0].[VolumeType,Size,Iops,Throughput]' 'gp3 2048 6000 250' aws ec2 describe-volumes --region eu-west-1 --volume-ids vol-0b01
  has 'Volumes[0].[VolumeType,Size,Iops,Throughput]' 'gp3 500 5000 250' aws ec2 describe-volumes --region eu-west-1 --volume-ids vol-06c1835863d5d7360
  echo "wave 1 is completed"
  ;;
back-1)
  has Account 123456789012 aws sts get-caller-identity
  has 'length(VolumesModifications)' 0 aws ec2 describe-volumes-modifications --region eu-west-1 --filters 'Name=volume-id,Values=vol-0b01,vol-06c1835863d5d7360' Name=modification-state,Values=modifying,optimizing
  if has 'Volumes[0].[VolumeType,Size,Iops,Throughput]' 'gp3 2048 6000 250' aws ec2 describe-volumes --region eu-west-1 --volume-ids vol-0b01; then
    aws ec2 modify-volume --region eu-west-1 --volume-id vol-0b01 --volume-type gp3 --iops 16000 --throughput 1000
  fi
  if has 'Volumes[0].[VolumeType,Size,Iops,Throughput]' 'gp3 500 5000 250' aws ec2 describe-volumes --region eu-west-1 --volume-ids vol-06c1835863d5d7360; then
    aws ec2 modify-volume --region eu-west-1 --volume-id vol-06c1835863d5d7360 --volume-type io1 --iops 10000
  fi
  ;;

# Wave 2: 1 volume, account 123456789012, region eu-west-1, risk low
wave-2)
  has Account 123456789012 aws sts get-caller-identity
  has 'length(VolumesModifications)' 0 aws ec2 describe-volumes-modifications --region eu-west-1 --filters 'Name=volume-id,Values=vol-0b02' Name=modification-state,Values=modifying,optimizing
  # the wave before is completed
  has 'length(VolumesModifications)' 0 aws ec2 describe-volumes-modifications --region eu-west-1 --filters 'Name=volume-id,Values=vol-0b01,vol-06c1835863d5d7360' Name=modification-state,Values=modifying,optimizing
  # db/data-ledger-1, vol-0b02 on i-0b02, r6i.2xlarge: gp3 2,048 GiB 16,000 IOPS 1,000 MiB/s to gp3 2,048 GiB 6,000 IOPS
  # 250 MiB/s; saves $88.00 a month, confidence high
  # reason: gp3 has 5,000 IOPS for the 3,900 needed.
  # finding previous_generation: io1 is the previous generation.
  if has 'Volumes[0].[VolumeType,Size,Iops,Throughput]' 'gp3 2048 16000 1000' aws ec2 describe-volumes --region eu-west-1 --volume-ids vol-0b02; then
    aws ec2 modify-volume --region eu-west-1 --volume-id vol-0b02 --volume-type gp3 --iops 6000 --throughput 250
  fi
  # way back: aws ec2 modify-volume --region eu-west-1 --volume-id vol-0b02 --volume-type gp3 --iops 16000 --throughput 1000
  ;;
check-2)
  has Account 123456789012 aws sts get-caller-identity
  has 'length(VolumesModifications)' 0 aws ec2 describe-volumes-modifications --region eu-west-1 --filters 'Name=volume-id,Values=vol-0b02' Name=modification-state,Values=modifying,optimizing
  has 'Volumes[0].[VolumeType,Size,Iops,Throughput]' 'gp3 2048 6000 250' aws ec2 describe-volumes --region eu-west-1 --volume-ids vol-0b02
  echo "wave 2 is completed"
  ;;
back-2)
  has Account 123456789012 aws sts get-caller-identity
  has 'length(VolumesModifications)' 0 aws ec2 describe-volumes-modifications --region eu-west-1 --filters 'Name=volume-id,Values=vol-0b02' Name=modification-state,Values=modifying,optimizing
  if has 'Volumes[0].[VolumeType,Size,Iops,Throughput]' 'gp3 2048 6000 250' aws ec2 describe-volumes --region eu-west-1 --volume-ids vol-0b02; then
    aws ec2 modify-volume --region eu-west-1 --volume-id vol-0b02 --volume-type gp3 --iops 16000 --throughput 1000
  fi
  ;;

# Wave 3: 1 volume, account 123456789012, region eu-west-1, risk medium
wave-3)
  has Account 123456789012 aws sts get-caller-identity
  has 'DBInstances[0].DBInstanceStatus' available aws rds describe-db-instances --region eu-west-1 --db-instance-identifier billing
  # the wave before is completed
  has 'length(VolumesModifications)' 0 aws ec2 describe-volumes-modifications --region eu-west-1 --filters 'Name=volume-id,Values=vol-0b02' Name=modification-state,Values=modifying,optimizing
  # billing on billing, r6i.4xlarge: io1 500 GiB 10,000 IOPS to gp3 550 GiB 12,000 IOPS 500 MiB/s; saves $2,200.00 a
  # month, confidence high
  # The size grows from 500 to 550 GiB, which cannot be undone.
  # reason: gp3 has 5,000 IOPS for the 3,900 needed.
  # finding previous_generation: io1 is the previous generation.
  if has 'DBInstances[0].[StorageType,AllocatedStorage,Iops]' 'io1 500 10000' aws rds describe-db-instances --region eu-west-1 --db-instance-identifier billing; then
    aws rds modify-db-instance --region eu-west-1 --db-instance-identifier billing --storage-type gp3 --allocated-storage 550 --iops 12000 --storage-throughput 500 --apply-immediately
  fi
  # way back: aws rds modify-db-instance --region eu-west-1 --db-instance-identifier billing --storage-type io1 --allocated-storage 550 --iops 10000 --apply-immediately
  ;;
check-3)
  has Account 123456789012 aws sts get-caller-identity
  has 'DBInstances[0].DBInstanceStatus' available aws rds describe-db-instances --region eu-west-1 --db-instance-identifier billing
  has 'DBInstances[0].[StorageType,AllocatedStorage,Iops,StorageThroughput]' 'gp3 550 12000 500' aws rds describe-db-instances --region eu-west-1 --db-instance-identifier billing
  echo "wave 3 is completed"
  ;;
back-3)
  has Account 123456789012 aws sts get-caller-identity
  has 'DBInstances[0].DBInstanceStatus' available aws rds describe-db-instances --region eu-west-1 --db-instance-identifier billing
  if has 'DBInstances[0].[StorageType,AllocatedStorage,Iops,StorageThroughput]' 'gp3 550 12000 500' aws rds describe-db-instances --region eu-west-1 --db-instance-identifier billing; then
    aws rds modify-db-instance --region eu-west-1 --db-instance-identifier billing --storage-type io1 --allocated-storage 550 --iops 10000 --apply-immediately
  fi
  # the size stays at 550 GiB
  ;;

# Wave 4: 1 volume, account 123456789012, region eu-west-1, risk high
wave-4)
  has Account 123456789012 aws sts get-caller-identity
  has 'length(VolumesModifications)' 0 aws ec2 describe-volumes-modifications --region eu-west-1 --filters 'Name=volume-id,Values=vol-0c01' Name=modification-state,Values=modifying,optimizing
  # the wave before is completed
  has 'DBInstances[0].DBInstanceStatus' available aws rds describe-db-instances --region eu-west-1 --db-instance-identifier billing
  # événements-日本-data, vol-0c01 on i-0c01, r6i.large: gp3 500 GiB 3,000 IOPS 125 MiB/s to gp3 600 GiB 4,500 IOPS 125
  # MiB/s; costs $14.00 more a month, confidence medium
  # The size grows from 500 to 600 GiB, which cannot be undone; then extend the partition and the filesystem.
  # reason: 3,000 IOPS were reached in 12 % of the time.
  # finding fills_up: It is full in 11 days.
  if has 'Volumes[0].[VolumeType,Size,Iops,Throughput]' 'gp3 500 3000 125' aws ec2 describe-volumes --region eu-west-1 --volume-ids vol-0c01; then
    aws ec2 modify-volume --region eu-west-1 --volume-id vol-0c01 --volume-type gp3 --size 600 --iops 4500 --throughput 125
  fi
  # way back: aws ec2 modify-volume --region eu-west-1 --volume-id vol-0c01 --volume-type gp3 --iops 3000 --throughput 125
  ;;
check-4)
  has Account 123456789012 aws sts get-caller-identity
  has 'length(VolumesModifications)' 0 aws ec2 describe-volumes-modifications --region eu-west-1 --filters 'Name=volume-id,Values=vol-0c01' Name=modification-state,Values=modifying,optimizing
  has 'Volumes[0].[VolumeType,Size,Iops,Throughput]' 'gp3 600 4500 125' aws ec2 describe-volumes --region eu-west-1 --volume-ids vol-0c01
  echo "wave 4 is completed"
  ;;
back-4)
  has Account 123456789012 aws sts get-caller-identity
  has 'length(VolumesModifications)' 0 aws ec2 describe-volumes-modifications --region eu-west-1 --filters 'Name=volume-id,Values=vol-0c01' Name=modification-state,Values=modifying,optimizing
  if has 'Volumes[0].[VolumeType,Size,Iops,Throughput]' 'gp3 600 4500 125' aws ec2 describe-volumes --region eu-west-1 --volume-ids vol-0c01; then
    aws ec2 modify-volume --region eu-west-1 --volume-id vol-0c01 --volume-type gp3 --iops 3000 --throughput 125
  fi
  # the size stays at 600 GiB
  ;;
*)
  echo "usage: bash $0 wave-N|check-N|back-N, N from 1 to 4" >&2
  exit 2
  ;;
esac

# By hand, and not part of any wave:
# - vol-0d01 (reports-data): its instance binds: a larger instance comes first (m5.large carries 593 MiB/s; demand
# reached it in 3.1 % of the time).
# - vol-0e01 (restore-test): not attached. Create a snapshot, wait until it is completed, then delete the volume if its
# data are not needed; the way back is a volume made of the snapshot.
