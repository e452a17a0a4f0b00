# grafana_series.pl open-metrics|json-lines END: series whose rates, means and ends are known by construction, of six hours until END
# (seconds since 1970), a sample a minute: of node_exporter, the EBS CSI driver, the sampler's histograms, and exporters of CloudWatch.
use strict;
use warnings;

my ($format, $end) = @ARGV;
my $gib = 1 << 30;
my @series;

# counter NAME RATE LABEL…: grows by so much a second.
sub counter { my ($name, $rate, %labels) = @_; push @series, [$name, \%labels, sub { 1000 + $rate * ($_[0] + 21600) }]; }
# gauge NAME VALUE PER_HOUR LABEL…: has this value at the end, and changes by so much an hour.
sub gauge { my ($name, $value, $per_hour, %labels) = @_; push @series, [$name, \%labels, sub { $value + $per_hour * $_[0] / 3600 }]; }

# disk INSTANCE DEVICE SERIAL, then a second: reads, writes, MiB read, MiB written, seconds of reads, of writes, busy, of the queue.
sub disk {
    my ($instance, $device, $serial, @rates) = @_;
    my %disk = (job => 'node', instance => $instance, device => $device);
    gauge('node_disk_info', 1, 0, %disk, serial => $serial, model => 'disk');
    my @names = qw(reads_completed writes_completed read_bytes written_bytes read_time_seconds write_time_seconds io_time_seconds io_time_weighted_seconds);
    $rates[$_] *= 1 << 20 for 2, 3;
    counter("node_disk_$names[$_]_total", $rates[$_], %disk) for 0 .. $#names;
}
# space INSTANCE DEVICE MOUNTPOINT GIB_FREE GIB_A_DAY: a file system of 100 GiB.
sub space {
    my ($instance, $device, $mountpoint, $free, $per_day) = @_;
    my %fs = (job => 'node', instance => $instance, device => $device, mountpoint => $mountpoint, fstype => 'ext4');
    gauge('node_filesystem_avail_bytes', $free * $gib, -$per_day * $gib / 24, %fs);
    gauge('node_filesystem_size_bytes', 100 * $gib, 0, %fs);
}

disk('db1', 'nvme1n1', 'vol0aaa', 2000, 1000, 16, 8, 1, 2, 0.9, 3);
disk('db2', 'nvme1n1', 'vol0bbb', 100, 0, 150, 0, 0.05, 0, 0.05, 0.05);
disk('db3', 'nvme1n1', 'vol0ccc', 5, 5, 0.5, 0.5, 0.01, 0.01, 0.01, 0.02);
disk('db2', 'nvme2n1', 'AWS0ddd', 9000, 9000, 90, 90, 1, 1, 1, 2);    # an instance store: nothing shows it
space('db1', '/dev/nvme1n1p1', '/data', 20, 1);
space('db2', '/dev/nvme1n1', '/data', 5, 0);
space('db2', '/dev/nvme2n1', '/scratch', 1, 1);
my %csi = (volume_id => 'vol-0ddd', instance_id => 'i-01');
counter("aws_ebs_csi_exceeded_iops_seconds_total", 0.3, %csi);
counter("aws_ebs_csi_exceeded_tp_seconds_total", 0.005, %csi);
counter("aws_ebs_csi_ec2_exceeded_iops_seconds_total", 0, %csi);
counter("aws_ebs_csi_ec2_exceeded_tp_seconds_total", 0.02, %csi);
# Nine of ten seconds have at most 100 requests, all of them at most 1,000: the 99th percentile is 100 + 900 * 0.09 / 0.1.
my %demand = (job => 'postgres', instance => 'db1', volume => 'vol-0aaa', device => 'nvme1n1');
counter('ebs_demand_requests_bucket', $$_[0], %demand, le => $$_[1]) for [0.9, '100'], [1, '1000'], [1, '+Inf'];
gauge('aws_ebs_burst_balance_average', $$_[1], $$_[2], job => 'yace', dimension_VolumeId => $$_[0])
    for ['vol-0eee', 20, -10], ['vol-0fff', 0, 0], ['vol-0ggg', 100, 0], ['vol-0hhh', 90, -1];
gauge('aws_rds_burst_balance_average', 5, -10, job => 'yace', dimension_DBInstanceIdentifier => 'mydb');
my %rds = (job => 'rds', dbidentifier => 'mydb', aws_region => 'us-east-1');
gauge('rds_read_iops_average', 2000, 0, %rds);
gauge('rds_write_iops_average', 900, 0, %rds);
gauge('rds_allocated_disk_iops_average', 3000, 0, %rds);
gauge('rds_free_storage_bytes', 10 * $gib, -$gib / 24, %rds);
gauge('rds_allocated_storage_bytes', 100 * $gib, 0, %rds);
my %claim = (job => 'kubelet', namespace => 'prod', persistentvolumeclaim => 'data');
gauge('kubelet_volume_stats_used_bytes', 80 * $gib, 2 * $gib / 24, %claim);
gauge('kubelet_volume_stats_capacity_bytes', 100 * $gib, 0, %claim);

for (@series) {
    my ($name, $labels, $value) = @$_;
    my @at = map { -60 * $_ } reverse 0 .. 360;
    if ($format eq 'json-lines') {
        printf "{\"metric\":{%s},\"values\":[%s],\"timestamps\":[%s]}\n",
            join(',', "\"__name__\":\"$name\"", map { "\"$_\":\"$$labels{$_}\"" } sort keys %$labels),
            join(',', map { sprintf '%.6f', $value->($_) } @at), join(',', map { ($end + $_) * 1000 } @at);
    } else {
        my $key = "$name\{" . join(',', map { "$_=\"$$labels{$_}\"" } sort keys %$labels) . '}';
        printf "%s %.6f %d\n", $key, $value->($_), $end + $_ for @at;
    }
}
print "# EOF\n" unless $format eq 'json-lines';
