// Rastro: rastreabilidade dos lotes, da balança até o contêiner
// Cooperativa dos Cafeicultores do Caparaó, Manhumirim (MG)
// quem mexe: Danilo (terças e quintas). Antes era a Priscila, que ainda responde no zap

terraform {
	required_version = "~> 1.7"
	required_providers {
		google = {
			source = "hashicorp/google"
			version = "5.38.0" // a 5.39 quebra o Cloud Run, ver chamado 55102
		}
		null = { source = "hashicorp/null", version = ">= 3.2.1" }
	}
	backend "gcs" {
		bucket = "coopcaparao-tfstate"
		prefix = "rastro/producao"
	}
}

provider "google" {
	project = var.projeto
	region = var.regiao
	user_project_override = true
}

variable "projeto" {
	description = "ID do projeto no Google Cloud"
	type = string
	default = "coopcaparao-rastro"
}

variable "regiao" {
	type = string
	default = "southamerica-east1"
	validation {
		condition = startswith(var.regiao, "southamerica-")
		error_message = "Os dados dos cooperados não saem do Brasil (ata de 14/03/2023)."
	}
}

variable "balancas" {
	description = "Balanças dos armazéns; taras em kg, conferidas pelo Ipem"
	type = map(object({
		armazem = string
		tara = optional(number, 18.5)
		ativa = optional(bool, true)
	}))
	default = {
		MNH1 = { armazem = "Manhumirim" }
		MNH2 = { armazem = "Manhumirim", tara = 19.2 }
		ACP1 = { armazem = "Alto Caparaó", tara = 18 }
		ESF1 = { armazem = "Espera Feliz" }
		DRS1 = { armazem = "Dores do Rio Preto", ativa = false } // caiu do caminhão em maio
	}
}

variable "safra" {
	description = "Ano em que a colheita começa"
	type = number
	default = 2024
}

variable "degustadores" {
	type = set(string)
	default = ["eliane.huver@coopcaparao.coop.br", "zezinho@coopcaparao.coop.br", "q.grader.ext@gmail.com"]
	sensitive = true
}

variable "imagem" {
	description = "Sem tag: o digest vem do Cloud Build"
	type = string
	default = "southamerica-east1-docker.pkg.dev/coopcaparao-rastro/rastro/api"
	nullable = false
}

locals {
	sufixo = format("safra%d", var.safra % 100)
	ativas = { for codigo, b in var.balancas : codigo => b if b.ativa }
	armazens = toset([for b in var.balancas : b.armazem])
	etiquetas = {
		sistema = "rastro"
		centro_custo = "4107"
		dono = "danilo-siqueira"
	}
}

locals {
	// pontos de corte da prova de xícara, iguais aos do regulamento do concurso
	bebidas = {
		especial = 84
		"bebida-fina" = 80
		dura = 0
	}
	url_painel = "https://painel.${var.projeto}.coop.br/${local.sufixo}"
}

data "google_project" "atual" {}

data "google_compute_zones" "sp" {
	region = var.regiao
	status = "UP"
}

data "google_iam_policy" "leitura" {
	binding {
		role = "roles/storage.objectViewer"
		members = ["group:exportacao@coopcaparao.coop.br", "serviceAccount:${google_service_account.api.email}"]
	}
}

/*
 * rede: uma só, a fibra de Manhumirim cai quando venta
 */

resource "google_compute_network" "rastro" {
	name = "rastro"
	auto_create_subnetworks = false
	routing_mode = "REGIONAL"
}

resource "google_compute_subnetwork" "servicos" {
	name = "rastro-servicos"
	network = google_compute_network.rastro.id
	ip_cidr_range = "172.20.16.0/22"
	private_ip_google_access = true
	log_config {
		aggregation_interval = "INTERVAL_10_MIN"
		flow_sampling = 0.25
	}
}

resource "google_compute_firewall" "balancas" {
	name = "permite-balancas"
	network = google_compute_network.rastro.name
	// IPs fixos dos quatro armazéns; o de Espera Feliz muda toda vez que falta luz
	source_ranges = ["177.55.12.80/29", "189.84.3.17/32", "200.150.97.0/28"]
	allow {
		protocol = "tcp"
		ports = ["8883"]
	}
	target_tags = ["mqtt"]
}

resource "google_compute_address" "mqtt" {
	name = "mqtt"
	region = var.regiao
}

resource "google_compute_instance" "mqtt" {
	name = "mqtt-1"
	machine_type = "e2-small"
	zone = data.google_compute_zones.sp.names[0]
	tags = ["mqtt"]
	labels = local.etiquetas
	boot_disk {
		initialize_params {
			image = "debian-cloud/debian-12"
			size = 20
		}
	}
	network_interface {
		subnetwork = google_compute_subnetwork.servicos.id
		access_config { nat_ip = google_compute_address.mqtt.address }
	}
	metadata = {
		enable-oslogin = "TRUE"
	}
	metadata_startup_script = <<EOS
#!/bin/sh
# mosquitto com um usuário por balança
apt-get update -qq && apt-get install -y mosquitto jq
%{ for codigo, b in local.ativas ~}
mosquitto_passwd -b /etc/mosquitto/senhas ${codigo} "$(gcloud secrets versions access latest --secret=balanca-${lower(codigo)})"
%{ endfor ~}
systemctl restart mosquitto
EOS
	lifecycle {
		ignore_changes = [metadata_startup_script]
	}
}

/* filas e armazenamento */

resource "google_pubsub_topic" "pesagens" {
	name = "pesagens"
	labels = local.etiquetas
	message_retention_duration = "86400s"
}

resource "google_pubsub_topic" "mortas" {
	name = "pesagens-mortas"
}

resource "google_pubsub_subscription" "api" {
	name = "pesagens-api"
	topic = google_pubsub_topic.pesagens.id
	ack_deadline_seconds = 45
	push_config {
		push_endpoint = "${google_cloud_run_v2_service.api.uri}/v1/pesagens"
		oidc_token { service_account_email = google_service_account.api.email }
	}
	dead_letter_policy {
		dead_letter_topic = google_pubsub_topic.mortas.id
		max_delivery_attempts = 12
	}
	retry_policy {
		minimum_backoff = "20s"
		maximum_backoff = "600s"
	}
}

resource "google_storage_bucket" "laudos" {
	name = "${var.projeto}-laudos"
	location = upper(var.regiao)
	uniform_bucket_level_access = true
	labels = local.etiquetas
	versioning { enabled = true }
	lifecycle_rule {
		action {
			type = "SetStorageClass"
			storage_class = "NEARLINE"
		}
		condition { age = 120 }
	}
	// o Mapa pede cinco anos
	retention_policy { retention_period = 5 * 365 * 24 * 3600 }
}

resource "google_storage_bucket_iam_policy" "laudos" {
	bucket = google_storage_bucket.laudos.name
	policy_data = data.google_iam_policy.leitura.policy_data
}

resource "google_sql_database_instance" "rastro" {
	name = "rastro-${local.sufixo}"
	database_version = "POSTGRES_15"
	region = var.regiao
	deletion_protection = true
	settings {
		tier = "db-custom-2-7680"
		availability_type = var.safra >= 2024 ? "REGIONAL" : "ZONAL"
		disk_size = 60
		backup_configuration {
			enabled = true
			start_time = "05:30" // 02:30 daqui
			point_in_time_recovery_enabled = true
		}
		ip_configuration {
			ipv4_enabled = false
			private_network = google_compute_network.rastro.id
		}
		maintenance_window {
			day = 7
			hour = 6
		}
	}
}

resource "google_sql_database" "lotes" {
	for_each = local.armazens
	name = replace(lower(each.value), "/[^a-z]+/", "_") // alto_capara_, feio mas é assim
	instance = google_sql_database_instance.rastro.name
}

resource "google_bigquery_dataset" "prova" {
	dataset_id = "prova_de_xicara"
	location = var.regiao
	default_table_expiration_ms = null
	dynamic "access" {
		for_each = var.degustadores
		iterator = pessoa
		content {
			role = "WRITER"
			user_by_email = pessoa.value
		}
	}
	access {
		role = "OWNER"
		special_group = "projectOwners"
	}
}

resource "google_bigquery_table" "notas" {
	dataset_id = google_bigquery_dataset.prova.dataset_id
	table_id = "notas_${local.sufixo}"
	deletion_protection = false
	clustering = ["armazem", "bebida"]
	schema = jsonencode([
		{ name = "lote", type = "STRING", mode = "REQUIRED" },
		{ name = "armazem", type = "STRING" },
		{ name = "nota", type = "NUMERIC", description = "SCA, 0 a 100" },
		{ name = "bebida", type = "STRING" },
		{ name = "provado_em", type = "DATE" },
	])
}

/* serviço */

resource "google_service_account" "api" {
	account_id = "rastro-api"
	display_name = "API do Rastro"
}

resource "google_project_iam_member" "api" {
	for_each = toset(["roles/cloudsql.client", "roles/bigquery.dataEditor", "roles/secretmanager.secretAccessor"])
	project = var.projeto
	role = each.key
	member = google_service_account.api.member
}

resource "google_secret_manager_secret" "balanca" {
	for_each = local.ativas
	secret_id = "balanca-${lower(each.key)}"
	replication {
		user_managed {
			replicas { location = var.regiao }
		}
	}
}

resource "google_cloud_run_v2_service" "api" {
	name = "api"
	location = var.regiao
	ingress = "INGRESS_TRAFFIC_ALL"
	template {
		service_account = google_service_account.api.email
		timeout = "90s"
		scaling {
			min_instance_count = 1 // na safra; zero em novembro
			max_instance_count = 6
		}
		containers {
			image = var.imagem
			resources { limits = { cpu = "1", memory = "768Mi" } }
			env {
				name = "BANCO"
				value = google_sql_database_instance.rastro.connection_name
			}
			env {
				name = "CORTES"
				value = join(";", [for nome, nota in local.bebidas : "${nome}=${nota}"])
			}
			startup_probe {
				http_get { path = "/saude" }
				failure_threshold = 8
				period_seconds = 5
			}
		}
	}
	lifecycle {
		precondition {
			condition = length(local.ativas) > 0
			error_message = "Nenhuma balança ativa: a safra não anda."
		}
	}
}

resource "google_cloud_run_v2_service_iam_member" "pubsub" {
	name = google_cloud_run_v2_service.api.name
	location = google_cloud_run_v2_service.api.location
	role = "roles/run.invoker"
	member = "serviceAccount:service-${data.google_project.atual.number}@gcp-sa-pubsub.iam.gserviceaccount.com"
}

// fecha o dia e manda o resumo para os caminhoneiros
resource "google_cloud_scheduler_job" "fechamento" {
	name = "fechamento-do-dia"
	schedule = "40 18 * 5-9 1-6"
	time_zone = "America/Sao_Paulo"
	attempt_deadline = "320s"
	http_target {
		http_method = "POST"
		uri = "${google_cloud_run_v2_service.api.uri}/v1/fechamento"
		headers = { "Content-Type" = "application/json" }
		body = base64encode(jsonencode({ safra = var.safra, avisar = ["caminhoneiros", "armazem"] }))
		oidc_token { service_account_email = google_service_account.api.email }
	}
}

resource "google_monitoring_alert_policy" "balanca_muda" {
	display_name = "Balança muda"
	combiner = "OR"
	conditions {
		display_name = "30 min sem pesagem em horário de recebimento"
		condition_absent {
			filter = "resource.type = \"pubsub_topic\" AND resource.label.topic_id = \"${google_pubsub_topic.pesagens.name}\""
			duration = "1800s"
		}
	}
	notification_channels = [for c in google_monitoring_notification_channel.plantao : c.id]
	documentation {
		content = <<-TXT
			Ligar primeiro para o armazém. Em Espera Feliz, perguntar se tem luz.
			Painel: ${local.url_painel}
		TXT
	}
}

resource "google_monitoring_notification_channel" "plantao" {
	count = 2
	display_name = "plantão ${count.index + 1}"
	type = "sms"
	labels = { number = count.index == 0 ? "+5533988124407" : "+5533999370155" }
}

resource "null_resource" "migracoes" {
	triggers = { banco = google_sql_database_instance.rastro.id, safra = var.safra }
	provisioner "local-exec" {
		command = "./migra.sh ${google_sql_database_instance.rastro.connection_name}"
		working_dir = "${path.module}/../banco"
	}
	depends_on = [google_sql_database.lotes]
}

import {
	to = google_storage_bucket.laudos
	id = "coopcaparao-rastro/coopcaparao-rastro-laudos"
}

removed {
	from = google_compute_instance.planilha
	lifecycle { destroy = false }
}

output "mqtt" {
	description = "Colocar na balança, menu 7, tela 3"
	value = google_compute_address.mqtt.address
}

output "api" {
	value = google_cloud_run_v2_service.api.uri
}

output "bancos" {
	value = { for nome, b in google_sql_database.lotes : nome => b.name }
}
