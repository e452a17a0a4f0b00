-- what RDS keeps of an instance

{{ebs_import_rds_os}}

{{ebs_import_rds_waits}}
