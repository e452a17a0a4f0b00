terraform {
  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = "~> 5.0"
    }
  }
}

resource "aws_ebs_volume" "pgdata" {
  availability_zone = "eu-central-1a"
  size              = 500
  type              = "gp3"
  iops              = 3000
  throughput        = 125
  encrypted         = true

  tags = {
    Name = "pgdata"
  }
}

resource "aws_volume_attachment" "pgdata" {
  device_name = "/dev/sdf"
  volume_id   = aws_ebs_volume.pgdata.id
  instance_id = aws_instance.pg.id
}

resource "aws_instance" "pg" {
  ami           = "ami-0abcdef1234567890"
  instance_type = "m6i.2xlarge"
  ebs_optimized = true

  root_block_device {
    volume_size = 30
    volume_type = "gp3"
  }
}

resource "aws_db_instance" "proddb" {
  identifier         = "proddb"
  engine             = "postgres"
  engine_version     = "16.4"
  instance_class     = "db.r6g.2xlarge"
  allocated_storage  = 400
  storage_type       = "gp3"
  iops               = 12000
  storage_throughput = 500
  multi_az           = false
}

variable "spare_0" {
  description = "unused"
  default     = 0
}

variable "spare_1" {
  description = "unused"
  default     = 1
}

variable "spare_2" {
  description = "unused"
  default     = 2
}

variable "spare_3" {
  description = "unused"
  default     = 3
}

variable "spare_4" {
  description = "unused"
  default     = 4
}

variable "spare_5" {
  description = "unused"
  default     = 5
}

variable "spare_6" {
  description = "unused"
  default     = 6
}

variable "spare_7" {
  description = "unused"
  default     = 7
}

variable "spare_8" {
  description = "unused"
  default     = 8
}

variable "spare_9" {
  description = "unused"
  default     = 9
}
