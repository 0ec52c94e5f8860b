package infra

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"agentd/domains"
	"agentd/domains/domaintest"
	"agentd/vfs"
)

// mainFile is the file of the configurations in these tests.
const mainFile = "main.tf"

func TestSuite(t *testing.T) {
	t.Parallel()
	domaintest.Suite{
		Domain:   New(),
		Seed:     domaintest.Seed(t, "infra1"),
		Generate: rapid.Custom(drawConfiguration),
		// Two locals blocks count as one, and so do two providers of one kind.
		RSForgives: 0.03,
	}.Run(t)
}

func FuzzCompare(f *testing.F) {
	domaintest.Fuzz(f, New(), domaintest.Seed(f, "infra1"))
}

func BenchmarkCompare(b *testing.B) {
	domaintest.BenchmarkCompare(b, New(), domaintest.Seed(b, "infra1"))
}

// drawConfiguration draws a configuration as people write them: comments
// everywhere, heredocs with markers that are no markers, blocks on one line,
// several locals blocks, references in every direction.
func drawConfiguration(t *rapid.T) vfs.Files {
	d := drawer{T: t}
	if d.sometimes("opening") {
		d.write("# Alta Valsugana, façade of the gauge network", "")
	}
	d.write("output \"first\" {", "  value = var.va", "}", "")
	for n := range d.upTo(7, "blocks") {
		if d.sometimes("heading") {
			d.write(d.one("heading text", "// ---- network ----", "/* ---- storage,\n   moved in 2021 ---- */", "# was: resource \"aws_vpc\" \"old\" {}"), "")
		}
		if d.sometimes("comment") {
			d.write(d.one("comment text", "# one per zone", "// Cost: see the sheet", "/* do not\n * remove */", "# 100% sure\n# and more {"))
		}
		d.block(n)
		if d.upTo(2, "blank") > 0 {
			d.write("")
		}
	}
	return vfs.Files{mainFile: strings.Join(d.lines, "\n") + "\n"}
}

type drawer struct {
	*rapid.T
	lines []string
}

func (d *drawer) upTo(most int, label string) int { return rapid.IntRange(0, most).Draw(d.T, label) }
func (d *drawer) sometimes(label string) bool     { return d.upTo(4, label) == 0 }
func (d *drawer) write(lines ...string)           { d.lines = append(d.lines, lines...) }
func (d *drawer) one(label string, among ...string) string {
	return rapid.SampledFrom(among).Draw(d.T, label)
}

func (d *drawer) block(n int) {
	switch d.upTo(8, "kind") {
	case 0:
		d.write(fmt.Sprintf(`variable "v%c" {`, 'a'+n))
		d.variable()
	case 1:
		d.write("locals {")
		d.body()
	case 2:
		d.write(fmt.Sprintf(`data "aws_ami" "a%d" {`, n))
		d.body()
	case 3:
		d.write(d.one("short", `provider "aws" {}`, `output "o" { value = var.va } # all`, "moved {\n  from = aws_eip.old\n  to   = aws_eip.r0\n}"))
	case 4:
		d.write(fmt.Sprintf("module \"m%d\" {\n  source = \"./m\"\n}", n))
	default:
		d.write(fmt.Sprintf("resource %q \"r%d\" {", d.one("type",
			"aws_eip", "aws_subnet", "aws_nat_gateway", "aws_iam_role", "aws_s3_bucket", "aws_instance", "random_string", "null_resource"), n))
		d.body()
	}
}

func (d *drawer) variable() {
	if d.sometimes("description") {
		d.write("  # a remark", `  description = "which, \"if\" any"`)
	}
	if d.upTo(2, "default") > 0 {
		d.write("  default = " + d.one("value", `"10.0.0.0/16"`, "3 # zones", "{\n    a = 1 # one\n    b = [2]\n  }", "null", "<<EOT\nline\n\n  line\nEOT", "[]"))
	}
	if d.sometimes("type") {
		d.write("  type = map(object({ a = number }))")
	}
	d.write("}")
}

func (d *drawer) body() {
	for n := range d.upTo(5, "items") {
		if d.sometimes("remark") {
			d.write(d.one("remark text", "  # why", "", "  // TODO: tidy", "  /* off: x = 1 */"))
		}
		name := string(rune('p' + n))
		switch d.upTo(6, "item") {
		case 0:
			d.write("  count = " + d.one("count", "2", "length(var.va)", "0"))
		case 1:
			d.write("  ingress {", "    from_port = "+d.one("port", "22", "443", "-1"), "    cidr_blocks = [\"10.200.1.0/24\"] # office", "  }")
		case 2:
			d.write("  timeouts {}")
		default:
			d.write("  " + name + " = " + d.expression())
		}
	}
	d.write("}")
}

func (d *drawer) expression() string {
	return d.one("expression",
		`"10.7.0.0/22 and 10.200.3.4"`,
		`"$${literal} and ${aws_eip.r0.id}-${var.va}"`,
		"aws_eip.r1[0].id",
		"aws_subnet.r2[*].arn",
		`aws_nat_gateway.r3["a"].id == null ? "x" : local.q`,
		"-1",
		"1.50",
		"1e3",
		"true",
		"var.vb * (2 + 3) - 1",
		"[for k, v in var.vc : upper(k) if v != \"\"]",
		"{for s in local.p : s.id => s...}",
		"{\n    Name = \"a\" # first\n    \"b/c\" : [1, 2,]\n    (var.va) = {}\n  }",
		"jsonencode({\n    Statement = [{ Action = \"s3:*\", Effect = \"Allow\" }] // all\n  })",
		"<<EOF\n#!/bin/sh\necho ${aws_eip.r0.id} 10.9.8.7 }\n  EOF2\n}\nEOF",
		"<<-EOT\n    resource \"x\" \"y\" {\n      %{ for a in b ~}\n      - ${a}\n      %{ endfor ~}\n    EOT",
		"templatefile(\"a.tpl\", { a = <<-X1\n    one\n    X1\n  })",
		`"a \"quoted\" \\ text ü"`,
		"data.aws_ami.a2.id",
		"!var.vd || module.m4.ok",
		"[\n    \"a\", # the first\n    # none\n    \"b\",\n  ]",
	)
}

func TestPrintingLosesNothing(t *testing.T) {
	t.Parallel()
	for name, text := range domaintest.Seed(t, "infra1") {
		if diff := cmp.Diff(text, read(text).print()); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		text := drawConfiguration(t)[mainFile]
		printed := read(text).print()
		if diff := cmp.Diff(printed, read(printed).print()); diff != "" {
			t.Fatal(diff)
		}
		if squeeze(text) != squeeze(printed) {
			t.Fatal(cmp.Diff(squeeze(text), squeeze(printed)))
		}
	})
}

// squeeze is a text without blank lines and blanks at line ends.
func squeeze(text string) string {
	var kept []string
	for line := range strings.SplitSeq(text, "\n") {
		if line = strings.TrimRight(line, " \t"); line != "" {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, "\n")
}

func TestBadInputIsScored(t *testing.T) {
	t.Parallel()
	seed := domaintest.Seed(t, "infra1")
	for name, text := range domaintest.Hostile() {
		score := New().Compare(seed, vfs.Files{mainFile: text})
		if score.RS != 0 || score.Strict > 0.01 || score.Problem == "" {
			t.Errorf("%s: Value %v, Strict %v, problem %q", name, score.RS, score.Strict, score.Problem)
		}
	}
	for _, text := range []string{
		strings.Repeat("a = [", 5000), strings.Repeat("a {\n", 5000), strings.Repeat("a = {\n", 5000),
		"a = " + strings.Repeat("(", 5000), "a = " + strings.Repeat("-", 5000), `a = ` + strings.Repeat(`"${`, 5000),
		"a = b" + strings.Repeat(".c", 5000), "a = 1" + strings.Repeat(" + 1", 5000), strings.Repeat("a = <<A\n", 5000),
	} {
		files := vfs.Files{mainFile: text}
		if differences := New().Differences(files, files); differences != nil {
			t.Errorf("%.20s…: %v", text, differences)
		}
		New().Compare(seed, files)
	}
}

func TestAnUnreadableCandidateSaysWhere(t *testing.T) {
	t.Parallel()
	reference := vfs.Files{mainFile: "locals {\n  a = 1\n}\n"}
	score := New().Compare(reference, vfs.Files{mainFile: "locals {\n  a = 'b'\n}\n"})
	want := domains.Score{Problem: "reading main.tf: line 2: no expression"}
	if score.Problem != want.Problem || score.RS != 0 || score.Strict == 0 {
		t.Errorf("%+v", score)
	}
}
