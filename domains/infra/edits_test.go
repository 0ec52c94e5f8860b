package infra

import (
	"strings"
	"testing"

	"agentd/domains"
	"agentd/domains/domaintest"
	"agentd/vfs"
)

// mainFile is the document of the built-in environment.
const mainFile = "main.tf"

// demonstration is the domain with the edits of the built-in environment.
func demonstration(t testing.TB) domains.Domain { return domaintest.With(t, New(), "infra1") }

const gauges = `# gauges of the Fersina

variable "zones" {
  type    = number
  default = 2 # a and b
}

variable "cidr" {
  default = "10.4.0.0/22"
}

// ---- addresses ----

# one for all
resource "aws_eip" "nat" {
  domain = "vpc" # not classic
}

resource "aws_instance" "gauge" {
  count      = 3
  private_ip = "10.4.1.17"
  user_data  = <<-EOT
    echo ${aws_eip.nat.public_ip} \
      10.200.0.1
    EOT
}

resource "aws_kms_key" "levels" {}

resource "aws_vpc" "main" {
  cidr_block = var.cidr

  tags = {
    Nat = "${local.name}-${aws_eip.nat.id}"
  }
}

locals {
  name = "fersina"
}
`

// gaugesWith is the document with some texts replaced, given in pairs.
func gaugesWith(pairs ...string) string { return strings.NewReplacer(pairs...).Replace(gauges) }

var forwardResults = map[string]vfs.Files{
	"layer_files": {
		"base.tf": `# gauges of the Fersina

variable "zones" {
  type    = number
  default = 2 # a and b
}

variable "cidr" {
  default = "10.4.0.0/22"
}

locals {
  name = "fersina"
}
`,
		"network.tf": `// ---- addresses ----

# one for all
resource "aws_eip" "nat" {
  domain = "vpc" # not classic
}

resource "aws_vpc" "main" {
  cidr_block = var.cidr

  tags = {
    Nat = "${local.name}-${aws_eip.nat.id}"
  }
}
`,
		"compute.tf": `resource "aws_instance" "gauge" {
  count      = 3
  private_ip = "10.4.1.17"
  user_data  = <<-EOT
    echo ${aws_eip.nat.public_ip} \
      10.200.0.1
    EOT
}
`,
		"security.tf": "resource \"aws_kms_key\" \"levels\" {}\n",
		"manifest.csv": `position,address,file
1,var.zones,base.tf
2,var.cidr,base.tf
3,aws_eip.nat,network.tf
4,aws_instance.gauge,compute.tf
5,aws_kms_key.levels,security.tf
6,aws_vpc.main,network.tf
7,locals,base.tf
`,
	},
	"block_json": {"blocks.json": `[
  {
    "comments": [
      "# gauges of the Fersina"
    ]
  },
  {
    "kind": "variable",
    "labels": [
      "zones"
    ],
    "body": [
      "  type    = number",
      "  default = 2 # a and b"
    ]
  },
  {
    "kind": "variable",
    "labels": [
      "cidr"
    ],
    "body": [
      "  default = \"10.4.0.0/22\""
    ]
  },
  {
    "comments": [
      "// ---- addresses ----"
    ]
  },
  {
    "comments": [
      "# one for all"
    ],
    "kind": "resource",
    "labels": [
      "aws_eip",
      "nat"
    ],
    "body": [
      "  domain = \"vpc\" # not classic"
    ]
  },
  {
    "kind": "resource",
    "labels": [
      "aws_instance",
      "gauge"
    ],
    "body": [
      "  count      = 3",
      "  private_ip = \"10.4.1.17\"",
      "  user_data  = <<-EOT",
      "    echo ${aws_eip.nat.public_ip} \\",
      "      10.200.0.1",
      "    EOT"
    ]
  },
  {
    "kind": "resource",
    "labels": [
      "aws_kms_key",
      "levels"
    ]
  },
  {
    "kind": "resource",
    "labels": [
      "aws_vpc",
      "main"
    ],
    "body": [
      "  cidr_block = var.cidr",
      "",
      "  tags = {",
      "    Nat = \"${local.name}-${aws_eip.nat.id}\"",
      "  }"
    ]
  },
  {
    "kind": "locals",
    "body": [
      "  name = \"fersina\""
    ]
  }
]
`},
	"variable_values": {
		"declarations.tf":  gaugesWith("  default = 2 # a and b\n", "", "  default = \"10.4.0.0/22\"\n", ""),
		"terraform.tfvars": "cidr = \"10.4.0.0/22\"\nzones = 2 # a and b\n",
		"defaults.csv":     "variable,line\nzones,3\ncidr,2\n",
	},
	"cost_order": {
		"by_cost.tf": `# Cost: $42.48/month
resource "aws_instance" "gauge" {
  count      = 3
  private_ip = "10.4.1.17"
  user_data  = <<-EOT
    echo ${aws_eip.nat.public_ip} \
      10.200.0.1
    EOT
}

// ---- addresses ----

# one for all
# Cost: $3.65/month
resource "aws_eip" "nat" {
  domain = "vpc" # not classic
}

# Cost: $1.00/month
resource "aws_kms_key" "levels" {}

# gauges of the Fersina

variable "zones" {
  type    = number
  default = 2 # a and b
}

variable "cidr" {
  default = "10.4.0.0/22"
}

resource "aws_vpc" "main" {
  cidr_block = var.cidr

  tags = {
    Nat = "${local.name}-${aws_eip.nat.id}"
  }
}

locals {
  name = "fersina"
}
`,
		"costs.csv": `position,address,price,quantity,monthly
4,aws_instance.gauge,14.16,3,42.48
3,aws_eip.nat,3.65,1,3.65
5,aws_kms_key.levels,1.00,1,1.00
`,
	},
	"dependency_order": {
		"ordered.tf": gaugesWith(`resource "aws_vpc" "main" {
  cidr_block = var.cidr

  tags = {
    Nat = "${local.name}-${aws_eip.nat.id}"
  }
}

locals {
  name = "fersina"
}
`, `locals {
  name = "fersina"
}

resource "aws_vpc" "main" {
  cidr_block = var.cidr

  tags = {
    Nat = "${local.name}-${aws_eip.nat.id}"
  }
}
`),
		"order.csv": `position,address,refers_to
1,var.zones,
2,var.cidr,
3,aws_eip.nat,
4,aws_instance.gauge,aws_eip.nat
5,aws_kms_key.levels,
7,locals,
6,aws_vpc.main,aws_eip.nat locals var.cidr
`,
	},
	"numbered_names": {
		"numbered.tf": gaugesWith(`"nat"`, `"eip_1"`, "aws_eip.nat", "aws_eip.eip_1", `"gauge"`, `"instance_1"`,
			`"levels"`, `"kms_key_1"`, `"main"`, `"vpc_1"`),
		"names.csv": `address,name
aws_eip.eip_1,nat
aws_instance.instance_1,gauge
aws_kms_key.kms_key_1,levels
aws_vpc.vpc_1,main
`,
	},
	"address_move": {
		"moved.tf":   gaugesWith("10.4.", "10.104.", "10.200.", "10.44."),
		"ranges.csv": "range,moved_to,addresses,first,last\n10.4.0.0/22,10.104.0.0/22,1024,10.104.0.0,10.104.3.255\n",
	},
	"heredoc_files": {
		"without_heredocs.tf": gaugesWith("<<-EOT\n    echo ${aws_eip.nat.public_ip} \\\n      10.200.0.1\n    EOT", `"[heredoc_1.txt]"`),
		"heredoc_1.txt":       "    echo ${aws_eip.nat.public_ip} \\\n      10.200.0.1\n",
		"heredocs.csv":        "file,opening,indent\nheredoc_1.txt,<<-EOT,4\n",
	},
}

func TestEditsOfASmallDocument(t *testing.T) {
	t.Parallel()
	domaintest.Results(t, demonstration(t), vfs.Files{mainFile: gauges}, forwardResults, domaintest.ToTheLetter)
}

// backward applies the backward step of an edit.
func backward(t *testing.T, edit string, files vfs.Files) string {
	t.Helper()
	got, err := domaintest.Edit(t, demonstration(t), edit).Backward(files)
	if err != nil {
		t.Fatal(err)
	}
	return got[mainFile]
}

func TestBackwardStepsMakeTheBestOfDamage(t *testing.T) {
	t.Parallel()
	for rule, c := range map[string]struct {
		edit     string
		was, is  string // in every file
		lines    []string
		notLines []string
	}{
		"a block that is not listed comes last": {
			edit: "dependency_order", was: "7,locals,\n", is: "", lines: []string{"}\n\nlocals {\n  name = \"fersina\"\n}\n"},
		},
		"a variable without a line gets its default at the end": {
			edit: "variable_values", was: "zones,3\n", is: "", lines: []string{"  type    = number\n  default = 2 # a and b\n}"},
		},
		"a resource that is not listed keeps its name": {
			edit: "numbered_names", was: "aws_eip.eip_1,nat\n", is: "", lines: []string{`"aws_eip" "eip_1"`, "${aws_eip.eip_1.id}"},
		},
		"a mark without its heredoc stays": {
			edit: "heredoc_files", was: "heredoc_1.txt,<<-EOT,4\n", is: "", lines: []string{`= "[heredoc_1.txt]"`},
		},
		"a changed cost is taken away like any other": {
			edit: "cost_order", was: "$3.65", is: "$36.50", notLines: []string{"# Cost"},
		},
		"a changed address moves with the others": {
			edit: "address_move", was: "10.104.1.17", is: "10.104.1.71", lines: []string{"10.4.1.71", "10.200.0.1"},
		},
		"a file that the manifest does not name is merged too": {
			edit: "layer_files", was: "7,locals,base.tf\n", is: "", lines: []string{"\nlocals {\n"},
		},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			damaged, found := vfs.Files{}, false
			for name, text := range forwardResults[c.edit] {
				damaged[name] = strings.ReplaceAll(text, c.was, c.is)
				found = found || damaged[name] != text
			}
			if !found {
				t.Fatalf("nothing has %q", c.was)
			}
			got := backward(t, c.edit, damaged)
			for _, want := range c.lines {
				if !strings.Contains(got, want) {
					t.Errorf("no %q in %s", want, got)
				}
			}
			for _, unwanted := range c.notLines {
				if strings.Contains(got, unwanted) {
					t.Errorf("%q in %s", unwanted, got)
				}
			}
		})
	}
}

func TestDependenciesInACircleKeepTheirOrder(t *testing.T) {
	t.Parallel()
	text := "locals {\n  a = aws_eip.x.id\n}\n\nresource \"aws_eip\" \"x\" {\n  tags = { n = local.a }\n}\n"
	got, err := domaintest.Edit(t, demonstration(t), "dependency_order").Forward(vfs.Files{mainFile: text})
	if err != nil || got["ordered.tf"] != text {
		t.Errorf("%v, %v", got, err)
	}
}

func TestReferencesAreFoundWhereverExpressionsAre(t *testing.T) {
	t.Parallel()
	text := `resource "aws_eip" "a" {}

resource "aws_lb" "a" {
  x          = [for e in aws_eip.a[*] : e.id if aws_eip.a != null]
  y          = "${aws_eip.a.id} aws_eip.a $${aws_eip.a}" # aws_eip.a
  z          = data.aws_eip.a.id
  depends_on = [aws_eip.a]
  u = <<A
%{ if aws_eip.a.id == "" }aws_eip.a%{ endif }${aws_lb.a}
A
}
`
	want := strings.NewReplacer(
		`"aws_eip" "a"`, `"aws_eip" "eip_1"`, `"aws_lb" "a"`, `"aws_lb" "lb_1"`,
		"in aws_eip.a", "in aws_eip.eip_1", "if aws_eip.a", "if aws_eip.eip_1", `"${aws_eip.a`, `"${aws_eip.eip_1`,
		"[aws_eip.a]", "[aws_eip.eip_1]", "${aws_lb.a}", "${aws_lb.lb_1}", "data.aws_eip.a", "data.aws_eip.a",
	).Replace(text)
	got, err := domaintest.Edit(t, demonstration(t), "numbered_names").Forward(vfs.Files{mainFile: text})
	if err != nil || got["numbered.tf"] != want {
		t.Errorf("%s, want %s, %v", got["numbered.tf"], want, err)
	}
}

func TestEditsTakeOtherParameters(t *testing.T) {
	t.Parallel()
	const cloud = "resource \"azurerm_subnet\" \"a\" {\n  instances = 2\n  prefix    = \"172.250.4.0/24\"\n}\n"
	const table = "locals {}\n"
	domaintest.Parameters(t, New(), vfs.Files{"site.tf": cloud + "\n" + table}, domaintest.ToTheLetter,
		domaintest.Made{
			Edit: "split_by_type", Parameters: `{"document": "site.tf", "layers": [{"file": "net.tf", "types": ["azurerm_sub"]}], "others": "o.tf", "rest": "r.tf", "table": "t.csv"}`,
			Want: vfs.Files{"net.tf": cloud, "r.tf": table, "t.csv": "position,address,file\n1,azurerm_subnet.a,net.tf\n2,locals,r.tf\n"},
		},
		domaintest.Made{
			Edit: "sort_by_cost", Parameters: `{"document": "site.tf", "to": "c.tf", "prices": {"azurerm_subnet": 0.5}, "symbol": "€", "counts": ["instances"], "table": "t.csv"}`,
			Want: vfs.Files{
				"c.tf":  "# Cost: €1.00/month\n" + cloud + "\n" + table,
				"t.csv": "position,address,price,quantity,monthly\n1,azurerm_subnet.a,0.50,2,1.00\n",
			},
		},
		domaintest.Made{
			Edit: "move_addresses", Parameters: `{"document": "site.tf", "to": "m.tf", "first": 172, "add": 10, "table": "t.csv"}`,
			Want: vfs.Files{
				"m.tf":  strings.Replace(cloud, "172.250.", "172.4.", 1) + "\n" + table,
				"t.csv": "range,moved_to,addresses,first,last\n172.250.4.0/24,172.4.4.0/24,256,172.4.4.0,172.4.4.255\n",
			},
		},
	)
}
