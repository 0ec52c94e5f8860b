package infra

import "testing"

func TestComputedAttributes(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ block, address, references, count string }{
		"a resource": {
			"# one\nresource \"aws_eip\" \"nat\" {\n  a = var.a\n  b = [aws_lb.front.id, aws_lb.front.arn]\n}", "aws_eip.nat", "aws_lb.front, var.a", "2",
		},
		"data and modules": {
			"output \"o\" { value = data.aws_ami.base.id + module.net.id + local.x }", "output.o", "data.aws_ami.base, local.x, module.net", "3",
		},
		"interpolations":             {"locals {\n  a = \"${var.b}-$${var.c}\"\n}", "locals", "var.b", "1"},
		"heredocs":                   {"locals {\n  a = <<-EOT\n    ${var.b}\n    %{ if var.c }x%{ endif }\n  EOT\n}", "locals", "var.b, var.c", "2"},
		"in brackets":                {"locals {\n  a = aws_subnet.p[0].id\n  b = aws_subnet.q[*].arn\n}", "locals", "aws_subnet.p, aws_subnet.q", "2"},
		"nested blocks":              {"data \"aws_ami\" \"x\" {\n  filter {\n    values = [var.y]\n  }\n}", "data.aws_ami.x", "var.y", "1"},
		"names that mean no block":   {"locals {\n  a = [for s in var.all : s.id if each.key != path.module]\n}", "locals", "var.all", "1"},
		"comments and texts":         {"variable \"a\" {\n  default = \"var.b\" # see var.c\n}", "var.a", "", "0"},
		"nothing that can be parsed": {"what is this", "", "", "0"},
	} {
		if got := address(c.block); got != c.address {
			t.Errorf("%s: its address is %q, want %q", name, got, c.address)
		}
		if got := references(c.block); got != c.references {
			t.Errorf("%s: it refers to %q, want %q", name, got, c.references)
		}
		if got := referenceCount(c.block); got != c.count {
			t.Errorf("%s: it refers to %s blocks, want %s", name, got, c.count)
		}
	}
}
