package infra

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentd/domains"
	"agentd/domains/domaintest"
	"agentd/vfs"
)

const sample = `# rain gauges of the Fersina
# kept by Elda

// ---- network ----

provider "aws" {
  region = "eu-south-1"
}

provider "aws" {
  alias  = "dr"
  region = "eu-west-1"
}

locals {
  name  = "fersina"
  retry = 1.50 # minutes
}

locals {
  zones = ["a", "b"]
  tags = {
    Owner  = "elda"
    "a:b"  = local.name
  }
}

# both of them
resource "aws_security_group" "gauge" {
  count = var.open == true ? 2 : 1
  name  = "${local.name}-gauge"

  # radio
  ingress {
    from_port = 1700
    cidrs     = ["10.4.0.0/16"]
  }
  ingress {
    from_port = 443
    cidrs     = ["0.0.0.0/0"]
  }

  policy = jsonencode({
    Statement = [{ Effect = "Allow", Action = ["sqs:ReceiveMessage"] }]
  })
  user_data = <<-EOT
    #!/bin/sh
      echo "${local.name}" > /etc/name
    EOT
}

output "gauge" { value = aws_security_group.gauge[0].id }

moved {
  from = aws_security_group.old
  to   = aws_security_group.gauge
}
`

// altered is the sample with one text replaced by another.
func altered(t *testing.T, was, is string) vfs.Files {
	t.Helper()
	if !strings.Contains(sample, was) {
		t.Fatalf("the sample has no %q", was)
	}
	return vfs.Files{"main.tf": strings.ReplaceAll(sample, was, is)}
}

func TestStrictSees(t *testing.T) {
	t.Parallel()
	for rule, edit := range map[string][2]string{
		"a value in the first of two locals blocks":   {`"fersina"`, `"fersena"`},
		"the first of two locals blocks emptied":      {"  name  = \"fersina\"\n  retry = 1.50 # minutes\n", ""},
		"the first of two providers":                  {"eu-south-1", "eu-south-2"},
		"an alias":                                    {`"dr"`, `"backup"`},
		"a moved block that was lost":                 {"moved {\n  from = aws_security_group.old\n  to   = aws_security_group.gauge\n}\n", ""},
		"a moved block that changed":                  {"group.old", "group.older"},
		"a block of an uncounted kind that was added": {"moved {", "import {\n  to = aws_vpc.a\n  id = \"vpc-1\"\n}\nmoved {"},
		"a repeated block":                            {"moved {", "output \"gauge\" { value = aws_security_group.gauge[0].id }\nmoved {"},
		"a resource that was added":                   {"moved {", "resource \"aws_vpc\" \"a\" {}\nmoved {"},
		"a resource that was renamed":                 {`"aws_security_group" "gauge"`, `"aws_security_group" "gauges"`},
		"a boolean written as a number":               {"== true", "== 1"},
		"a boolean written as a text":                 {"== true", `== "true"`},
		"a condition inverted":                        {"== true", "!= true"},
		"an operator":                                 {"? 2 : 1", "? 1 : 2"},
		"an action widened":                           {"sqs:ReceiveMessage", "sqs:*"},
		"a range widened":                             {"10.4.0.0/16", "10.4.0.0/15"},
		"ports that changed places between blocks":    {"1700", "443"},
		"a nested block that was lost":                {"  ingress {\n    from_port = 443\n    cidrs     = [\"0.0.0.0/0\"]\n  }\n", ""},
		"a nested block made an attribute":            {"  ingress {\n    from_port = 443", "  ingress = {\n    from_port = 443"},
		"a reference to another attribute":            {"[0].id", "[0].arn"},
		"an index":                                    {"[0].id", "[1].id"},
		"the order of a list":                         {`["a", "b"]`, `["b", "a"]`},
		"a key of an object":                          {"Owner ", "owner "},
		"an interpolation made text":                  {`"${local.name}-gauge"`, `"$${local.name}-gauge"`},
		"an interpolation in a heredoc made text":     {`"${local.name}" >`, `"$${local.name}" >`},
		"a line of a heredoc":                         {"#!/bin/sh", "#!/bin/bash"},
		"the indentation within a heredoc":            {"      echo", "    echo"},
		"a heredoc whose indentation counts":          {"<<-EOT", "<<EOT"},
		"a heredoc that lost its last line end":       {"<<-EOT\n    #!/bin/sh\n      echo \"${local.name}\" > /etc/name\n    EOT", `"#!/bin/sh\n  echo \"${local.name}\" > /etc/name"`},
		"a code fence":                                {"# rain", "```hcl\n# rain"},
		"prose above":                                 {"# rain", "Here is the file:\n# rain"},
		"single quotes":                               {`"dr"`, `'dr'`},
		"a comma after an attribute":                  {`"eu-west-1"`, `"eu-west-1",`},
		"two attributes on one line":                  {"\"elda\"\n    \"a:b\"", "\"elda\" \"a:b\""},
		"a brace that was lost":                       {"  retry = 1.50 # minutes\n}", "  retry = 1.50 # minutes\n"},
		"a brace on a line of its own":                {"moved {", "moved\n{"},
		"an attribute that was repeated":              {"  alias ", "  region = \"eu-west-1\"\n  alias "},
		"a comment that was lost":                     {"# both of them\n", ""},
		"a comment that changed":                      {"both of them", "all of them"},
		"a comment at another block":                  {"# both of them\nresource", "resource"},
		"a comment above another attribute":           {"\n  # radio\n", "\n"},
		"a comment after an attribute that was lost":  {" # minutes", ""},
		"a comment after another attribute":           {"\"fersina\"\n  retry = 1.50 # minutes", "\"fersina\" # minutes\n  retry = 1.50"},
		"a file's opening comment that was lost":      {"# rain gauges of the Fersina\n", ""},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			candidate := altered(t, edit[0], edit[1])
			if rule == "a comment above another attribute" {
				candidate["main.tf"] = strings.Replace(candidate["main.tf"], "  policy", "  # radio\n  policy", 1)
			}
			score := New().Compare(vfs.Files{"main.tf": sample}, candidate)
			if score.Strict >= 1 || score.Strict < 0.6 {
				t.Errorf("Strict is %v: %v", score.Strict, New().Differences(vfs.Files{"main.tf": sample}, candidate))
			}
		})
	}
}

func TestStrictForgives(t *testing.T) {
	t.Parallel()
	for rule, edit := range map[string][2]string{
		"alignment":                             {"name  = \"fersina\"", "name = \"fersina\""},
		"indentation by a tab":                  {"\n  ", "\n\t"},
		"blank lines":                           {"\n\n", "\n\n\n"},
		"the order of attributes":               {"  alias  = \"dr\"\n  region = \"eu-west-1\"\n", "  region = \"eu-west-1\"\n  alias  = \"dr\"\n"},
		"the order of nested blocks":            {"  ingress {\n    from_port = 443\n    cidrs     = [\"0.0.0.0/0\"]\n  }\n\n  policy", "  policy"},
		"the order of an object's keys":         {`Effect = "Allow", Action = ["sqs:ReceiveMessage"]`, `Action = ["sqs:ReceiveMessage"], Effect = "Allow"`},
		"colons in an object":                   {`"a:b"  = local`, `"a:b" : local`},
		"a quoted key":                          {"Owner  =", `"Owner" =`},
		"a comma and a line end":                {"Owner  = \"elda\"\n", "Owner  = \"elda\",\n"},
		"a trailing comma":                      {`["a", "b"]`, `["a", "b",]`},
		"a list on several lines":               {`["a", "b"]`, "[\n    \"a\",\n    \"b\"\n  ]"},
		"blanks around operators":               {"var.open == true ? 2 : 1", "var.open==true?2:1"},
		"parentheses that change nothing":       {"var.open == true ? 2 : 1", "(var.open == true) ? 2 : (1)"},
		"an interpolation around a whole value": {"= local.name", `= "${local.name}"`},
		"an index after a point":                {"[0].id", ".0.id"},
		"labels without quotes":                 {`"aws_security_group" "gauge"`, "aws_security_group gauge"},
		"a block on several lines":              {"{ value = aws_security_group.gauge[0].id }", "{\n  value = aws_security_group.gauge[0].id\n}"},
		"zeros at the end of a fraction":        {"1.50", "1.5"},
		"an exponent":                           {"1700", "1.7e3"},
		"another marker of a heredoc":           {"EOT", "SCRIPT"},
		"the indentation of a trimmed heredoc":  {"    #!/bin/sh\n      echo", "  #!/bin/sh\n    echo"},
		"a heredoc written in quotes":           {"<<-EOT\n    #!/bin/sh\n      echo \"${local.name}\" > /etc/name\n    EOT", `"#!/bin/sh\n  echo \"${local.name}\" > /etc/name\n"`},
		"comments with another mark":            {"# both", "// both"},
		"a block comment":                       {"# both of them", "/* both of them */"},
		"a comment without text, apart":         {"moved {", "#\n\n##########\n\nmoved {"},
		"blanks in a comment":                   {"# both of", "#  both  of"},
		"an added comment inside a block":       {"  alias ", "  # the other region\n  alias "},
		"an added comment after an attribute":   {"1700", "1700 # LoRa"},
		"an added comment above a block":        {"moved {", "# since May\nmoved {"},
		"a byte order mark":                     {"# rain", "\ufeff# rain"},
		"CRLF":                                  {"\n", "\r\n"},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			reference := vfs.Files{"main.tf": sample}
			candidate := altered(t, edit[0], edit[1])
			if rule == "the order of nested blocks" {
				second := "  ingress {\n    from_port = 443\n    cidrs     = [\"0.0.0.0/0\"]\n  }\n"
				candidate["main.tf"] = strings.Replace(candidate["main.tf"], "  # radio\n", second+"  # radio\n", 1)
			}
			if score := New().Compare(reference, candidate); score.Strict != 1 {
				t.Errorf("Strict is %v: %v", score.Strict, New().Differences(reference, candidate))
			}
		})
	}
}

func TestExpressionsThatMeanTheSame(t *testing.T) {
	t.Parallel()
	for written, same := range map[string]string{
		"a + b * c":                           "a + (b * c)",
		`"${"${x}"}"`:                         "x",
		"f(a, b,)":                            "f(a,\n b)",
		"{a = 1, b = 2}":                      "{\n b = 2\n a = 1\n}",
		"[for k, v in m : v if k != null]":    "[ for k,v in m: (v) if k!=null ]",
		"{for k, v in m : k => v...}":         "{ for k, v in m:k=>v ... }",
		"-12":                                 "- 12",
		"!(a)":                                "!a",
		"a[\"k\"]":                            "a[ \"k\" ]",
		"\"\\u00e9\"":                         `"é"`,
		"<<A\n$${x} \\n\nA\n":                 `"$${x} \\n\n"`,
		"\"%{ if a }x%{ else }y%{ endif }\"":  `"%{if a}x%{else}y%{endif}"`,
		"provider::aws::arn_parse(x).account": "provider::aws::arn_parse( x ) . account",
	} {
		files := func(expression string) vfs.Files {
			return vfs.Files{"main.tf": "locals {\n a = " + expression + "\n}\n"}
		}
		if score := New().Compare(files(written), files(same)); score.Strict != 1 {
			t.Errorf("%s and %s: %v", written, same, New().Differences(files(written), files(same)))
		}
	}
}

func TestExpressionsThatDiffer(t *testing.T) {
	t.Parallel()
	for written, other := range map[string]string{
		"(a + b) * c":                     "a + b * c",
		"a - (b - c)":                     "a - b - c",
		"!(a && b)":                       "!a && b",
		"{(a) = 1}":                       "{a = 1}",
		`"${a} "`:                         "a",
		"a.b":                             `a["b"]`,
		"a[*].b":                          "a.b",
		"f(a...)":                         "f(a)",
		"[for k, v in m : v]":             "[for v, k in m : v]",
		"{for k in m : k => k}":           "{for k in m : k => k...}",
		"5":                               `"5"`,
		"null":                            `""`,
		"<<A\n x\nA\n":                    "<<-A\n x\nA\n",
		"<<-A\n${x}\n A\n":                "<<-A\n${~ x}\n A\n",
		"\"%{ if a }x%{ endif }\"":        "\"%{ if a ~}x%{ endif }\"",
		"\"%{ for i in a }x%{ endfor }\"": "\"%{ for j in a }x%{ endfor }\"",
	} {
		files := func(expression string) vfs.Files {
			return vfs.Files{"main.tf": "locals {\n a = " + expression + "\n}\n"}
		}
		if score := New().Compare(files(written), files(other)); score.Strict == 1 {
			t.Errorf("%s and %s are taken for the same", written, other)
		}
	}
}

func TestStrictReadsFilesOfAnyNameAndNumber(t *testing.T) {
	t.Parallel()
	first, second, _ := strings.Cut(sample, "# both of them")
	second = "# both of them" + second
	reference := vfs.Files{"main.tf": sample}
	for rule, candidate := range map[string]vfs.Files{
		"another name":               {"stack.tf": sample},
		"another extension":          {"main.tf.txt": sample},
		"two files":                  {"a.tf": first, "b.tf": second},
		"blocks in another order":    {"a.tf": second, "b.tf": first},
		"a heading in the new file":  {"a.tf": first, "b.tf": "# Security\n\n" + second},
		"a note with headings":       {"main.tf": sample, "notes.md": "# Notes\n\n## Ports\n\nNo open ports.\n"},
		"a table that was left over": {"main.tf": sample, "order.csv": "position,address\n1,locals\n"},
	} {
		if score := New().Compare(reference, candidate); score.Strict != 1 {
			t.Errorf("%s: Strict is %v: %v", rule, score.Strict, New().Differences(reference, candidate))
		}
	}
	for rule, added := range map[string]vfs.Files{
		"values":            {"terraform.tfvars": "open = false\n"},
		"JSON":              {"extra.tf.json": `{"output": {"a": {"value": 1}}}`},
		"text in a .tf":     {"b.tf": "The rest follows tomorrow.\n"},
		"a block elsewhere": {"notes.md": "output \"b\" {\n  value = 1\n}\n"},
	} {
		candidate := reference.Clone()
		for name, text := range added {
			candidate[name] = text
		}
		if score := New().Compare(reference, candidate); score.Strict == 1 {
			t.Errorf("%s: not seen", rule)
		}
	}
}

func TestAddedCommentsHideNoLostOnes(t *testing.T) {
	t.Parallel()
	reference := vfs.Files{"main.tf": "# one\n\n# two\nlocals {\n  a = 1 # three\n}\n"}
	candidate := vfs.Files{"main.tf": "# one\n# more\n\n# zwei\n# and more\nlocals {\n  a = 1\n  # three\n  b = 2\n}\n"}
	want := []domains.Difference{
		{Kind: domains.Changed, Where: "comment at locals, text", Was: "two", Is: "zwei"},
		{Kind: domains.Changed, Where: "comment at locals, a, place", Was: "locals, a", Is: "locals, b"},
		{Kind: domains.Changed, Where: "locals, b", Is: "2"},
	}
	if diff := cmp.Diff(want, New().Differences(reference, candidate)); diff != "" {
		t.Error(diff)
	}
}

func TestDifferencesNameThePlace(t *testing.T) {
	t.Parallel()
	reference := vfs.Files{"main.tf": sample}
	for _, c := range []struct {
		was, is string
		want    domains.Difference
	}{
		{`"elda"`, `"Elda"`, domains.Difference{Kind: domains.Changed, Where: "locals, tags.Owner", Was: `"elda"`, Is: `"Elda"`}},
		{"sqs:ReceiveMessage", "sqs:*", domains.Difference{
			Kind: domains.Changed, Where: "aws_security_group.gauge, policy as JSON.Statement[0].Action",
			Was: `["sqs:ReceiveMessage"]`, Is: `["sqs:*"]`,
		}},
		{"1700", "1701", domains.Difference{
			Kind: domains.Changed, Where: "aws_security_group.gauge, ingress",
			Was: `{cidrs = ["10.4.0.0/16"], from_port = 1700}`, Is: `{cidrs = ["10.4.0.0/16"], from_port = 1701}`,
		}},
	} {
		if diff := cmp.Diff([]domains.Difference{c.want}, New().Differences(reference, altered(t, c.was, c.is))); diff != "" {
			t.Error(diff)
		}
	}
}

func TestStrictFallsInProportion(t *testing.T) {
	t.Parallel()
	seed := domaintest.Seed(t, "infra1")
	for rule, edit := range map[string][2]string{
		"one wrong number":          {"desired_count   = local.api_tasks", "desired_count   = 1"},
		"a lost brace":              {"  transition {\n      days          = var.frame_days\n      storage_class = \"GLACIER_IR\"\n    }", "  transition {\n      days          = var.frame_days\n      storage_class = \"GLACIER_IR\"\n"},
		"an unclosed text":          {`"db.t4g.medium"`, `"db.t4g.medium`},
		"a heredoc without its end": {"\nPOLICY\n", "\n"},
	} {
		text := strings.Replace(seed[mainFile], edit[0], edit[1], 1)
		if text == seed[mainFile] {
			t.Fatalf("%s: the seed has no %q", rule, edit[0])
		}
		score := New().Compare(seed, vfs.Files{mainFile: text})
		if score.Strict < 0.75 || score.Strict >= 1 {
			t.Errorf("%s leaves Strict at %v", rule, score.Strict)
		}
	}
}
