//! Names of the exporters' metrics, as their sources have them (docs/fleet.md):
//! - qonto: <https://github.com/qonto/prometheus-rds-exporter/blob/main/internal/app/exporter/exporter.go>
//! - Percona: <https://github.com/percona/rds_exporter/blob/main/basic/metrics.go> (CloudWatch),
//!   <https://github.com/percona/rds_exporter/blob/main/enhanced/metrics.go> (Enhanced Monitoring)
//! - YACE, snake case of CloudWatch's name and statistic:
//!   <https://github.com/prometheus-community/yet-another-cloudwatch-exporter/blob/master/pkg/promutil/migrate.go>
//! - kube-state-metrics: <https://github.com/kubernetes/kube-state-metrics/blob/main/docs/metrics/storage/persistentvolume-metrics.md>
//! - kubelet, with the labels `namespace` and `persistentvolumeclaim`:
//!   <https://github.com/kubernetes/kubernetes/blob/master/pkg/kubelet/metrics/collectors/volume_stats.go>

/// Disks with their serial numbers (node_exporter since 1.4).
pub const NODE_DISK_INFO: &str = "node_disk_info";
/// Machine, with EC2's instance ID and type.
pub const NODE_DMI_INFO: &str = "node_dmi_info";
/// Kernel; every node_exporter has it.
pub const NODE_UNAME_INFO: &str = "node_uname_info";
/// Size of file systems.
pub const NODE_FILESYSTEM_SIZE: &str = "node_filesystem_size_bytes";
/// Space of them that is free for users other than root.
pub const NODE_FILESYSTEM_AVAIL: &str = "node_filesystem_avail_bytes";
/// Time of the machine's start.
pub const NODE_BOOT_TIME: &str = "node_boot_time_seconds";
/// Bytes read of a disk.
pub const NODE_READ_BYTES: &str = "node_disk_read_bytes_total";
/// Reads of a disk.
pub const NODE_READS: &str = "node_disk_reads_completed_total";
/// Reads of the EBS CSI driver.
pub const CSI_READ_OPS: &str = "aws_ebs_csi_read_ops_total";
/// Seconds that the histogram of one-second demand holds.
pub const DEMAND_COUNT: &str = "ebs_demand_requests_count";
/// Reads a second of an RDS instance (qonto's exporter).
pub const RDS_READ_IOPS: &str = "rds_read_iops_average";
/// RDS instances (qonto's exporter).
pub const RDS_INSTANCE_INFO: &str = "rds_instance_info";
/// Reads a second of an RDS instance (Percona's exporter, and YACE).
pub const AWS_RDS_READ_IOPS: &str = "aws_rds_read_iops_average";
/// Reads of a volume in a period (YACE).
pub const YACE_READ_OPS_SUM: &str = "aws_ebs_volume_read_ops_sum";
/// A statistic of the same that is no rate: an average over as many data points as there were requests.
pub const YACE_READ_OPS_AVERAGE: &str = "aws_ebs_volume_read_ops_average";
/// Persistent volumes with their EBS volume IDs (kube-state-metrics).
pub const KUBE_VOLUME_INFO: &str = "kube_persistentvolume_info";
/// Their claims.
pub const KUBE_CLAIM_REF: &str = "kube_persistentvolume_claim_ref";
/// Used bytes of a claim (kubelet).
pub const KUBELET_USED: &str = "kubelet_volume_stats_used_bytes";
/// Capacity of a claim (kubelet).
pub const KUBELET_CAPACITY: &str = "kubelet_volume_stats_capacity_bytes";

/// Free storage of an RDS instance (qonto's exporter).
pub const RDS_FREE_STORAGE: &str = "rds_free_storage_bytes";
/// Allocated storage of an RDS instance (qonto's exporter).
pub const RDS_ALLOCATED_STORAGE: &str = "rds_allocated_storage_bytes";
/// IOPS of an RDS instance (qonto's exporter): provisioned, or what the exporter derives.
pub const RDS_ALLOCATED_IOPS: &str = "rds_allocated_disk_iops_average";
/// Its throughput, bytes a second.
pub const RDS_ALLOCATED_THROUGHPUT: &str = "rds_allocated_disk_throughput_bytes";
/// Reads a second of a device by Enhanced Monitoring (Percona's exporter).
pub const RDS_OS_READ_IOPS: &str = "rdsosmetrics_diskIO_readIOsPS";
/// Time of the event of Enhanced Monitoring whose values are shown, seconds since 1970.
pub const RDS_OS_TIMESTAMP: &str = "rdsosmetrics_timestamp";
/// Used KiB of a file system by Enhanced Monitoring.
pub const RDS_OS_USED: &str = "rdsosmetrics_fileSys_used";
/// Its size, KiB.
pub const RDS_OS_SIZE: &str = "rdsosmetrics_fileSys_total";
/// Mount point of the data by Enhanced Monitoring.
pub const RDS_DATA_MOUNT: &str = "/rdsdbdata";
/// Free storage of an RDS instance (Percona's exporter, and YACE).
pub const AWS_RDS_FREE_STORAGE: &str = "aws_rds_free_storage_space_average";

/// Labels of the identifier of an RDS instance: of YACE, of YACE with snake case of labels, and of Prometheus's cloudwatch_exporter.
pub const DATABASE_DIMENSIONS: [&str; 3] =
    ["dimension_DBInstanceIdentifier", "dimension_dbinstance_identifier", "dbinstance_identifier"];

/// Devices of Percona's RDS exporter whose node_disk_* metrics hold the amount of one interval, though named as counters. By Enhanced
/// Monitoring the first two are the stripe that the data is on, the present name first, and the third is the file system above it.
pub const NOT_CUMULATIVE_DEVICES: [&str; 3] = ["rdsdbdata", "rdsdev", "filesystem"];

/// Columns of a device's counters, in which every source is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Column {
    Reads,
    Writes,
    ReadBytes,
    WriteBytes,
    ReadSeconds,
    WriteSeconds,
    BusySeconds,
    QueueSeconds,
    ReadMerges,
    WriteMerges,
    IdleSeconds,
    VolumeIopsExceeded,
    VolumeThroughputExceeded,
    InstanceIopsExceeded,
    InstanceThroughputExceeded,
}

/// Number of columns.
pub(crate) const COLUMNS: usize = 15;

/// node_exporter's counters of a disk.
pub(crate) const NODE: [(&str, Column); 10] = [
    (NODE_READS, Column::Reads),
    ("node_disk_writes_completed_total", Column::Writes),
    (NODE_READ_BYTES, Column::ReadBytes),
    ("node_disk_written_bytes_total", Column::WriteBytes),
    ("node_disk_read_time_seconds_total", Column::ReadSeconds),
    ("node_disk_write_time_seconds_total", Column::WriteSeconds),
    ("node_disk_io_time_seconds_total", Column::BusySeconds),
    ("node_disk_io_time_weighted_seconds_total", Column::QueueSeconds),
    ("node_disk_reads_merged_total", Column::ReadMerges),
    ("node_disk_writes_merged_total", Column::WriteMerges),
];

/// The EBS CSI driver's counters of a volume.
pub(crate) const CSI: [(&str, Column); 10] = [
    (CSI_READ_OPS, Column::Reads),
    ("aws_ebs_csi_write_ops_total", Column::Writes),
    ("aws_ebs_csi_read_bytes_total", Column::ReadBytes),
    ("aws_ebs_csi_write_bytes_total", Column::WriteBytes),
    ("aws_ebs_csi_read_seconds_total", Column::ReadSeconds),
    ("aws_ebs_csi_write_seconds_total", Column::WriteSeconds),
    ("aws_ebs_csi_exceeded_iops_seconds_total", Column::VolumeIopsExceeded),
    ("aws_ebs_csi_exceeded_tp_seconds_total", Column::VolumeThroughputExceeded),
    ("aws_ebs_csi_ec2_exceeded_iops_seconds_total", Column::InstanceIopsExceeded),
    ("aws_ebs_csi_ec2_exceeded_tp_seconds_total", Column::InstanceThroughputExceeded),
];

/// Rates of qonto's RDS exporter: a mean of the minute of CloudWatch before.
pub(crate) const RDS_QONTO: [(&str, Column); 4] = [
    (RDS_READ_IOPS, Column::Reads),
    ("rds_write_iops_average", Column::Writes),
    ("rds_read_throughput_bytes", Column::ReadBytes),
    ("rds_write_throughput_bytes", Column::WriteBytes),
];

/// Rates of Percona's RDS exporter, and of YACE; of the latencies the mean seconds of a request.
pub(crate) const RDS_PERCONA: [(&str, Column); 6] = [
    (AWS_RDS_READ_IOPS, Column::Reads),
    ("aws_rds_write_iops_average", Column::Writes),
    ("aws_rds_read_throughput_average", Column::ReadBytes),
    ("aws_rds_write_throughput_average", Column::WriteBytes),
    ("aws_rds_read_latency_average", Column::ReadSeconds),
    ("aws_rds_write_latency_average", Column::WriteSeconds),
];

/// Rates of Enhanced Monitoring, by Percona's exporter: KiB a second, the mean milliseconds of a request, reads and writes together, and the
/// busy share of the time, per cent.
pub(crate) const RDS_ENHANCED: [(&str, Column); 10] = [
    (RDS_OS_READ_IOPS, Column::Reads),
    ("rdsosmetrics_diskIO_writeIOsPS", Column::Writes),
    ("rdsosmetrics_diskIO_readKbPS", Column::ReadBytes),
    ("rdsosmetrics_diskIO_writeKbPS", Column::WriteBytes),
    ("rdsosmetrics_diskIO_await", Column::ReadSeconds),
    ("rdsosmetrics_diskIO_await", Column::WriteSeconds),
    ("rdsosmetrics_diskIO_avgQueueLen", Column::QueueSeconds),
    ("rdsosmetrics_diskIO_util", Column::BusySeconds),
    ("rdsosmetrics_diskIO_rrqmPS", Column::ReadMerges),
    ("rdsosmetrics_diskIO_wrqmPS", Column::WriteMerges),
];

/// Sums of a period of CloudWatch, by YACE.
pub(crate) const YACE: [(&str, Column); 7] = [
    (YACE_READ_OPS_SUM, Column::Reads),
    ("aws_ebs_volume_write_ops_sum", Column::Writes),
    ("aws_ebs_volume_read_bytes_sum", Column::ReadBytes),
    ("aws_ebs_volume_write_bytes_sum", Column::WriteBytes),
    ("aws_ebs_volume_total_read_time_sum", Column::ReadSeconds),
    ("aws_ebs_volume_total_write_time_sum", Column::WriteSeconds),
    ("aws_ebs_volume_idle_time_sum", Column::IdleSeconds),
];

/// Labels of [`RDS_INSTANCE_INFO`] that are none of its exporter.
pub(crate) const RDS_INFO_LABELS: [&str; 15] = [
    "dbi_resource_id",
    "cluster_identifier",
    "instance_class",
    "engine",
    "engine_version",
    "storage_type",
    "multi_az",
    "deletion_protection",
    "role",
    "source_dbidentifier",
    "pending_modified_values",
    "pending_maintenance",
    "performance_insights_enabled",
    "ca_certificate_identifier",
    "arn",
];

/// Labels of the file systems of Enhanced Monitoring.
pub(crate) const RDS_FILE_SYSTEM_LABELS: [&str; 2] = ["name", "mount_point"];

/// Labels that belong to one metric, not to its exporter.
pub(crate) const OWN_LABELS: [&str; 46] = [
    "__name__",
    "device",
    "serial",
    "model",
    "path",
    "major",
    "minor",
    "revision",
    "wwn",
    "bios_date",
    "bios_release",
    "bios_vendor",
    "bios_version",
    "board_asset_tag",
    "board_name",
    "board_serial",
    "board_vendor",
    "board_version",
    "chassis_asset_tag",
    "chassis_serial",
    "chassis_vendor",
    "chassis_version",
    "product_family",
    "product_name",
    "product_serial",
    "product_sku",
    "product_uuid",
    "product_version",
    "system_vendor",
    "fstype",
    "mountpoint",
    "device_error",
    "le",
    "volume",
    "volume_id",
    "instance_id",
    "domainname",
    "machine",
    "nodename",
    "release",
    "sysname",
    "version",
    "rotational",
    "mode",
    "level",
    "dimension_VolumeId",
];
