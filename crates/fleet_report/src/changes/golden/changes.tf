# Changes of 4 volumes in 3 waves, by ebsctl fleet 0.2.0. Nothing of it has been run.
# A volume that a configuration has already: copy its attributes there, and leave out its import block. A volume of
# another configuration or of none: the import block takes it over (Terraform 1.5 or later); its tags stay as they are.
# Apply one wave at a time with the command above it, with a provider of its account and region. Before the next one the
# modifications must be completed: aws ec2 describe-volumes-modifications --filters
# Name=modification-state,Values=modifying,optimizing lists none of its volumes.
# A volume can be modified four times in any 24 hours, and again only after the last modification has completed; that
# holds for the way back, too. While it optimizes, hours for a large volume, performance is between that of before and
# after.
# A wave has volumes of one account and region: at most one of each instance, and of the instances of one owner or the
# pods of one set at most half. Waves of low risk come first, within a risk the cheapest volumes; then changes after
# which sessions would wait, and at the end those that cost more without a demand that needs them.
# A volume can grow and never shrink: a larger size is not undone by the way back.

# Wave 1: 2 volumes, account 123456789012, region eu-west-1, risk low
# terraform apply -target=aws_ebs_volume.vol_0b01 -target=aws_ebs_volume.vol_06c1835863d5d7360

# db/data-ledger-0, vol-0b01 on i-0b01, r6i.2xlarge: gp3 2,048 GiB 16,000 IOPS 1,000 MiB/s to gp3 2,048 GiB 6,000 IOPS
# 250 MiB/s; saves $88.00 a month, confidence high
# reason: gp3 has 5,000 IOPS for the 3,900 needed.
# finding previous_generation: io1 is the previous generation.
# way back, with no other of these attributes: type = "gp3", size = 2048, iops = 16000, throughput = 1000
import {
  to = aws_ebs_volume.vol_0b01
  id = "vol-0b01"
}

resource "aws_ebs_volume" "vol_0b01" {
  availability_zone = "eu-west-1b"
  type              = "gp3"
  size              = 2048
  iops              = 6000
  throughput        = 250

  lifecycle {
    prevent_destroy = true
    ignore_changes  = [tags, tags_all]
  }
}

# orders-data, vol-06c1835863d5d7360 on i-0abc, r6i.4xlarge: io1 500 GiB 10,000 IOPS to gp3 500 GiB 5,000 IOPS 250
# MiB/s; saves $728.50 a month, confidence high
# reason: gp3 has 5,000 IOPS for the 3,900 needed.
# finding previous_generation: io1 is the previous generation.
# way back, with no other of these attributes: type = "io1", size = 500, iops = 10000
import {
  to = aws_ebs_volume.vol_06c1835863d5d7360
  id = "vol-06c1835863d5d7360"
}

resource "aws_ebs_volume" "vol_06c1835863d5d7360" {
  availability_zone = "eu-west-1b"
  type              = "gp3"
  size              = 500
  iops              = 5000
  throughput        = 250

  lifecycle {
    prevent_destroy = true
    ignore_changes  = [tags, tags_all]
  }
}

# Wave 2: 1 volume, account 123456789012, region eu-west-1, risk low
# terraform apply -target=aws_ebs_volume.vol_0b02

# db/data-ledger-1, vol-0b02 on i-0b02, r6i.2xlarge: gp3 2,048 GiB 16,000 IOPS 1,000 MiB/s to gp3 2,048 GiB 6,000 IOPS
# 250 MiB/s; saves $88.00 a month, confidence high
# reason: gp3 has 5,000 IOPS for the 3,900 needed.
# finding previous_generation: io1 is the previous generation.
# way back, with no other of these attributes: type = "gp3", size = 2048, iops = 16000, throughput = 1000
import {
  to = aws_ebs_volume.vol_0b02
  id = "vol-0b02"
}

resource "aws_ebs_volume" "vol_0b02" {
  availability_zone = "eu-west-1b"
  type              = "gp3"
  size              = 2048
  iops              = 6000
  throughput        = 250

  lifecycle {
    prevent_destroy = true
    ignore_changes  = [tags, tags_all]
  }
}

# Wave 3: 1 volume, account 123456789012, region eu-west-1, risk high
# terraform apply -target=aws_ebs_volume.vol_0c01

# événements-日本-data, vol-0c01 on i-0c01, r6i.large: gp3 500 GiB 3,000 IOPS 125 MiB/s to gp3 600 GiB 4,500 IOPS 125
# MiB/s; costs $17.05 more a month, confidence medium
# The size grows from 500 to 600 GiB, which cannot be undone; then extend the partition and the filesystem.
# reason: 3,000 IOPS were reached in 12 % of the time.
# finding fills_up: It is full in 11 days.
# way back, with no other of these attributes: type = "gp3", size = 600, iops = 3000, throughput = 125
import {
  to = aws_ebs_volume.vol_0c01
  id = "vol-0c01"
}

resource "aws_ebs_volume" "vol_0c01" {
  availability_zone = "eu-west-1b"
  type              = "gp3"
  size              = 600
  iops              = 4500
  throughput        = 125

  lifecycle {
    prevent_destroy = true
    ignore_changes  = [tags, tags_all]
  }
}

# By hand, and not part of any wave:
# - billing: storage of RDS: see --changes cli.
# - vol-0d01 (reports-data): its instance binds: a larger instance comes first (m5.large carries 593 MiB/s; demand
# reached it in 3.1 % of the time).
# - vol-0e01 (restore-test): not attached. Create a snapshot, wait until it is completed, then delete the volume if its
# data are not needed; the way back is a volume made of the snapshot.
