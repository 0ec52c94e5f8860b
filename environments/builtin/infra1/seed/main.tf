# nivolagorai - snow stations, webcams and the bulletin page
# State in S3, applied by hand from Giulia's or Ivan's laptop. Never on a
# bulletin day before 17:00.

terraform {
  required_version = ">= 1.5, < 2.0"

  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = "~> 5.31"
    }
    random = {
      source  = "hashicorp/random"
      version = "~> 3.6"
    }
  }

  backend "s3" {
    bucket         = "nivolagorai-tfstate"
    key            = "prod/main.tfstate"
    region         = "eu-south-1"
    dynamodb_table = "nivolagorai-tflock"
    encrypt        = true
  }
}

provider "aws" {
  region = var.region

  default_tags {
    tags = local.tags
  }
}

# certificates for CloudFront have to live in Virginia
provider "aws" {
  alias  = "virginia"
  region = "us-east-1"
}

variable "region" {
  type    = string
  default = "eu-south-1"
}

variable "vpc_cidr" {
  description = "10.44 is Predazzo, 10.45 the provincial network"
  type        = string
  default     = "10.46.0.0/16"
}

variable "subnets" {
  description = "Public and private range per zone; c is spare."
  type = map(object({
    public  = string
    private = string
  }))
  default = {
    a = { public = "10.46.0.0/24", private = "10.46.16.0/20" }
    b = { public = "10.46.1.0/24", private = "10.46.32.0/20" }
    # c = { public = "10.46.2.0/24", private = "10.46.48.0/20" }
  }
}

variable "stations" {
  description = "Station code, altitude in m, and minutes between two readings"
  type        = map(object({ altitude = number, interval = number }))
  default = {
    ROLLE   = { altitude = 2012, interval = 10 }
    CIMABO  = { altitude = 2138, interval = 10 }
    MANGHEN = { altitude = 2035, interval = 30 }
    PAMPEA  = { altitude = 1760, interval = 30 }
    CAURIOL = { altitude = 2345, interval = 60 } # solar, sleeps at night
  }
}

variable "api_image" {
  type    = string
  default = "ghcr.io/nivolagorai/api:2024.02.3"
}

variable "db_class" {
  type    = string
  default = "db.t4g.medium"

  validation {
    condition     = can(regex("^db\\.(t4g|m6g)\\.", var.db_class))
    error_message = "Only Graviton classes, the reserved instance is one."
  }
}

variable "frame_days" {
  description = "How long webcam frames stay before they go to Glacier"
  type        = number
  default     = 45
}

variable "alarm_mail" {
  type      = list(string)
  default   = ["reperibile@nivolagorai.it", "ivan.pradel@nivolagorai.it"]
  sensitive = true
}

variable "winter" {
  description = "November to May; halves the services in summer."
  type        = bool
  default     = true
}

locals {
  name = "nivo-${terraform.workspace}"
  tags = {
    Project    = "nivolagorai"
    Owner      = "giulia.dellasega"
    CostCentre = "NIV-02"
    "pat:rete" = "esterna"
  }

  slow_stations = [for code, s in var.stations : code if s.interval >= 30]
  highest       = max([for s in values(var.stations) : s.altitude]...)
  api_tasks     = var.winter ? 4 : 2
}

locals {
  db_url = "postgres://${aws_db_instance.nivo.username}@${aws_db_instance.nivo.endpoint}/nivo?sslmode=verify-full"
}

data "aws_caller_identity" "current" {}

data "aws_availability_zones" "here" {
  state = "available"
  filter {
    name   = "opt-in-status"
    values = ["opt-in-not-required"]
  }
}

data "aws_ami" "al2023" {
  owners      = ["amazon"]
  most_recent = true
  filter {
    name   = "name"
    values = ["al2023-ami-2023.*-arm64"]
  }
}

// ---- network ----

resource "aws_vpc" "main" {
  cidr_block           = var.vpc_cidr
  enable_dns_support   = true
  enable_dns_hostnames = true

  tags = { Name = local.name }
}

resource "aws_internet_gateway" "main" {
  vpc_id = aws_vpc.main.id
}

resource "aws_subnet" "public" {
  for_each = var.subnets

  vpc_id                  = aws_vpc.main.id
  availability_zone       = "${var.region}${each.key}"
  cidr_block              = each.value.public
  map_public_ip_on_launch = true
  tags                    = { Name = "${local.name}-public-${each.key}", tier = "public" }
}

resource "aws_subnet" "private" {
  for_each = var.subnets

  vpc_id            = aws_vpc.main.id
  availability_zone = "${var.region}${each.key}"
  cidr_block        = each.value.private
  tags              = { Name = "${local.name}-private-${each.key}", tier = "private" }
}

resource "aws_eip" "nat" {
  domain     = "vpc"
  depends_on = [aws_internet_gateway.main]
}

# one is enough: if zone a is down the bulletin goes out by mail
resource "aws_nat_gateway" "main" {
  allocation_id = aws_eip.nat.id
  subnet_id     = aws_subnet.public["a"].id
}

resource "aws_route_table" "private" {
  vpc_id = aws_vpc.main.id

  route {
    cidr_block     = "0.0.0.0/0"
    nat_gateway_id = aws_nat_gateway.main.id
  }

  # VPN to the receiver in Predazzo and to the Province
  route {
    cidr_block = "10.44.8.0/22"
    gateway_id = aws_vpn_gateway.predazzo.id
  }
  route {
    cidr_block = "10.45.0.0/16"
    gateway_id = aws_vpn_gateway.predazzo.id
  }
}

resource "aws_route_table_association" "private" {
  for_each       = aws_subnet.private
  subnet_id      = each.value.id
  route_table_id = aws_route_table.private.id
}

resource "aws_route" "internet" {
  route_table_id         = aws_vpc.main.main_route_table_id
  destination_cidr_block = "0.0.0.0/0"
  gateway_id             = aws_internet_gateway.main.id
}

resource "aws_vpn_gateway" "predazzo" {
  vpc_id          = aws_vpc.main.id
  amazon_side_asn = 64620
}

resource "aws_vpc_endpoint" "logs" {
  vpc_id              = aws_vpc.main.id
  service_name        = "com.amazonaws.${var.region}.logs"
  vpc_endpoint_type   = "Interface"
  subnet_ids          = [for s in aws_subnet.private : s.id]
  security_group_ids  = [aws_security_group.service.id]
  private_dns_enabled = true
}

// ---- security ----

resource "aws_security_group" "balancer" {
  name_prefix = "${local.name}-lb-"
  vpc_id      = aws_vpc.main.id

  dynamic "ingress" {
    for_each = toset([80, 8443]) # 8443 is the old app on Marco's tablet
    content {
      from_port   = ingress.value
      to_port     = ingress.value
      protocol    = "tcp"
      cidr_blocks = ["0.0.0.0/0"]
    }
  }

  egress {
    from_port   = 8080
    to_port     = 8080
    protocol    = "tcp"
    cidr_blocks = [for s in var.subnets : s.private]
  }

  lifecycle {
    create_before_destroy = true
  }
}

resource "aws_security_group" "service" {
  name_prefix = "${local.name}-svc-"
  vpc_id      = aws_vpc.main.id

  ingress {
    description     = "API"
    from_port       = 8080
    to_port         = 8080
    protocol        = "tcp"
    security_groups = [aws_security_group.balancer.id]
  }
  ingress {
    description = "LoRa packets from Predazzo and Paneveggio"
    from_port   = 1700
    to_port     = 1700
    protocol    = "udp"
    cidr_blocks = ["10.44.8.16/28", "10.44.9.64/28"]
  }
  ingress {
    description = "https within, for the logs endpoint"
    from_port   = 443
    to_port     = 443
    protocol    = "tcp"
    self        = true
  }

  egress {
    from_port   = 0
    to_port     = 0
    protocol    = "-1"
    cidr_blocks = ["0.0.0.0/0"]
  }
}

resource "aws_kms_key" "frames" {
  description             = "Webcam frames; faces are blurred, number plates are not"
  deletion_window_in_days = 30
  enable_key_rotation     = true
}

resource "aws_iam_role" "task" {
  name = "${local.name}-task"

  assume_role_policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect    = "Allow"
      Action    = "sts:AssumeRole"
      Principal = { Service = "ecs-tasks.amazonaws.com" }
    }]
  })
}

resource "aws_iam_role_policy" "task" {
  role   = aws_iam_role.task.id
  policy = <<POLICY
{
  "Version": "2012-10-17",
  "Statement": [
    {
      "Effect": "Allow",
      "Action": ["s3:GetObject", "s3:PutObject"],
      "Resource": "${aws_s3_bucket.frames.arn}/*"
    },
    {
      "Effect": "Allow",
      "Action": ["kms:Decrypt", "kms:GenerateDataKey"],
      "Resource": "${aws_kms_key.frames.arn}"
    },
    {
      "Sid": "MailTheBulletin",
      "Effect": "Allow",
      "Action": "ses:SendEmail",
      "Resource": "*",
      "Condition": {"StringEquals": {"ses:FromAddress": "bollettino@nivolagorai.it"}}
    }
  ]
}
POLICY
}

/* ---- storage ----
   The bucket is older than this repository and was imported. */

resource "aws_s3_bucket" "frames" {
  bucket = "nivolagorai-frames-${data.aws_caller_identity.current.account_id}"

  lifecycle {
    prevent_destroy = true
  }
}

resource "aws_s3_bucket_lifecycle_configuration" "frames" {
  bucket = aws_s3_bucket.frames.id

  rule {
    id     = "glacier"
    status = "Enabled"
    filter { prefix = "frames/" }

    transition {
      days          = var.frame_days
      storage_class = "GLACIER_IR"
    }
    expiration { days = var.frame_days * 8 + 5 } # a year
  }
  rule {
    id     = "uploads"
    status = "Enabled"
    filter {}
    abort_incomplete_multipart_upload { days_after_initiation = 2 }
  }
}

resource "random_password" "db" {
  length           = 28
  special          = true
  override_special = "!#%-_=+"
}

resource "aws_db_instance" "nivo" {
  identifier              = local.name
  engine                  = "postgres"
  engine_version          = "15.5"
  instance_class          = var.db_class
  allocated_storage       = 120
  username                = "nivo"
  password                = random_password.db.result
  db_subnet_group_name    = aws_db_subnet_group.nivo.name
  vpc_security_group_ids  = [aws_security_group.database.id]
  multi_az                = var.winter
  backup_retention_period = 14
  backup_window           = "00:30-01:15" # the 02:00 run needs it idle
  deletion_protection     = true

  lifecycle {
    ignore_changes = [engine_version, password]
  }
}

resource "aws_db_subnet_group" "nivo" {
  name       = local.name
  subnet_ids = values(aws_subnet.private)[*].id
}

resource "aws_security_group" "database" {
  name_prefix = "${local.name}-db-"
  vpc_id      = aws_vpc.main.id

  ingress {
    from_port       = 5432
    to_port         = 5432
    protocol        = "tcp"
    security_groups = [aws_security_group.service.id]
    cidr_blocks     = ["10.44.8.0/28"] # Tomas, until the export is ready
  }
}

// ---- compute ----

resource "aws_ecs_cluster" "main" {
  name = local.name

  setting {
    name  = "containerInsights"
    value = var.winter ? "enabled" : "disabled"
  }
}

resource "aws_ecs_task_definition" "api" {
  family                   = "${local.name}-api"
  requires_compatibilities = ["FARGATE"]
  network_mode             = "awsvpc"
  cpu                      = 512
  memory                   = 1024
  task_role_arn            = aws_iam_role.task.arn
  execution_role_arn       = "arn:aws:iam::${data.aws_caller_identity.current.account_id}:role/ecsTaskExecutionRole"

  container_definitions = jsonencode([
    {
      name         = "api"
      image        = var.api_image
      essential    = true
      portMappings = [{ containerPort = 8080, protocol = "tcp" }]
      environment = concat(
        [for k, v in { DB_URL = local.db_url, TZ = "Europe/Rome" } : { name = k, value = v }],
        [{ name = "SLOW", value = join(",", local.slow_stations) }], # interval >= 30
      )
    },
  ])
}

resource "aws_ecs_service" "api" {
  name            = "api"
  cluster         = aws_ecs_cluster.main.id
  task_definition = aws_ecs_task_definition.api.arn
  desired_count   = local.api_tasks
  launch_type     = "FARGATE"

  network_configuration {
    subnets         = values(aws_subnet.private)[*].id
    security_groups = [aws_security_group.service.id]
  }

  load_balancer {
    target_group_arn = aws_lb_target_group.api.arn
    container_name   = "api"
    container_port   = 8080
  }
}

resource "aws_lb" "public" {
  name               = local.name
  load_balancer_type = "application"
  subnets            = [for s in aws_subnet.public : s.id]
  security_groups    = [aws_security_group.balancer.id]
}

resource "aws_lb_target_group" "api" {
  port        = 8080
  protocol    = "HTTP"
  target_type = "ip"
  vpc_id      = aws_vpc.main.id

  health_check {
    path                = "/v2/stations/ROLLE/last"
    matcher             = "200,304"
    interval            = 20
    unhealthy_threshold = 4
  }
}

resource "aws_lb_listener" "http" {
  load_balancer_arn = aws_lb.public.arn
  port              = 80
  default_action {
    type             = "forward"
    target_group_arn = aws_lb_target_group.api.arn
  }
}

# packet forwarder for LoRa, until 2022 in the cupboard in Predazzo
resource "aws_instance" "receiver" {
  count = 2

  ami                    = data.aws_ami.al2023.id
  instance_type          = "t4g.small"
  subnet_id              = element([for s in aws_subnet.private : s.id], count.index)
  private_ip             = count.index == 0 ? "10.46.16.20" : "10.46.32.20"
  vpc_security_group_ids = [aws_security_group.service.id]

  user_data = <<-EOT
    #!/bin/bash
    set -euo pipefail
    hostnamectl set-hostname ricevitore-${count.index + 1}
    dnf -y install chrony jq
    cat > /etc/forwarder.json <<'JSON'
    {"port": 1700, "servers": ["10.44.8.17", "10.44.9.66"], "eui": "$${EUI}"}
    JSON
    %{ for code, s in var.stations ~}
    echo "${code} ${s.altitude}" >> /etc/stations
    %{ endfor ~}
    systemctl enable --now forwarder@${var.winter ? "winter" : "summer"}.service
  EOT

  root_block_device {
    volume_size = 12
    volume_type = "gp3"
  }
}

// ---- monitoring ----

resource "aws_sns_topic" "alarms" {
  name = "${local.name}-allarmi"
}

resource "aws_sns_topic_subscription" "mail" {
  for_each  = toset(var.alarm_mail)
  topic_arn = aws_sns_topic.alarms.arn
  protocol  = "email"
  endpoint  = each.value
}

resource "aws_cloudwatch_metric_alarm" "silent_station" {
  for_each = var.stations

  alarm_name          = "muta-${lower(each.key)}"
  namespace           = "Nivo"
  metric_name         = "Readings"
  dimensions          = { Station = each.key }
  statistic           = "SampleCount"
  period              = each.value.interval * 60 * 3
  evaluation_periods  = 2
  comparison_operator = "LessThanThreshold"
  threshold           = 1
  treat_missing_data  = "breaching"
  alarm_actions       = [aws_sns_topic.alarms.arn]

  # TODO Giulia: CAURIOL rings every cloudy week, see minutes of 12 Feb
  actions_enabled = each.key != "CAURIOL"
}

resource "aws_cloudwatch_dashboard" "snow" {
  dashboard_name = "neve"
  dashboard_body = <<-JSON
    {
      "widgets": [
        {"type": "metric", "width": 18, "height": 7,
         "properties": {"title": "HS in cm", "region": "${var.region}", "period": 900,
           "metrics": [["Nivo", "HS", "Station", "ROLLE"], ["...", "CIMABO"], ["...", "MANGHEN"]]}},
        {"type": "text", "width": 6, "height": 7,
         "properties": {"markdown": "Highest station: **${local.highest} m**"}}
      ]
    }
  JSON
}

module "bulletin_site" {
  source  = "terraform-aws-modules/cloudfront/aws"
  version = "3.2.1"

  providers = { aws = aws.virginia }

  aliases     = ["bollettino.nivolagorai.it", "www.nivolagorai.it"]
  price_class = "PriceClass_100"
  origin = {
    api = {
      domain_name          = aws_lb.public.dns_name
      custom_origin_config = { http_port = 80, https_port = 443, origin_protocol_policy = "http-only" }
    }
  }
}

moved {
  from = aws_instance.forwarder
  to   = aws_instance.receiver
}

check "api_answers" {
  data "http" "last" {
    url = "http://${aws_lb.public.dns_name}/v2/stations/ROLLE/last"
  }

  assert {
    condition     = data.http.last.status_code == 200
    error_message = "No reading from Passo Rolle."
  }
}

output "balancer" {
  value = aws_lb.public.dns_name
}

output "receivers" {
  description = "For the configuration of the gateways"
  value       = { for i, r in aws_instance.receiver : "ricevitore-${i + 1}" => r.private_ip }
}

output "db_url" {
  value     = local.db_url
  sensitive = true
}
