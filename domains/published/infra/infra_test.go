package infra

import (
	"math"
	"strings"
	"testing"

	"agentd/vfs"
)

// bodyOf is the published reading of a body, as Python prints it.
func bodyOf(t *testing.T, text string) string {
	t.Helper()
	p := Parser{Text: text + "\n", published: true}
	body := p.body(true)
	if p.Err != nil {
		return "error: " + p.Err.Error()
	}
	return body.printed()
}

func TestPublishedValues(t *testing.T) {
	t.Parallel()
	for rule, c := range map[string]struct{ text, want string }{
		"a whole number":                       {`a = 007`, `{'a': 7}`},
		"a decimal":                            {`a = 1.50`, `{'a': 1.5}`},
		"a small decimal":                      {`a = 0.00001`, `{'a': 1e-05}`},
		"an exponent":                          {`a = 1e3`, `{'a': '${1e3}'}`},
		"a negative number of one digit":       {`a = -1`, `{'a': '${-1}'}`},
		"a negative number of more":            {`a = -12`, `{'a': -12}`},
		"literals":                             {`a = [true, false, null]`, `{'a': [True, False, None]}`},
		"a text keeps its quotes":              {`a = "b \" c"`, `{'a': '"b \\" c"'}`},
		"an interpolation is spaced":           {`a = "x${ b+c }"`, `{'a': '"x${b + c}"'}`},
		"a name is bare":                       {`a = string`, `{'a': 'string'}`},
		"an expression is wrapped":             {`a = b.c[0]`, `{'a': '${b.c[0]}'}`},
		"a computed key":                       {`a = {(b) = 1, "c" : 2, 3 = 4, d = 5}`, `{'a': {'${(b)}': 1, '"c"': 2, '3': 4, 'd': 5}}`},
		"a repeated key keeps the last":        {`a = {b = 1, b = 2}`, `{'a': {'b': 2}}`},
		"elements need no comma":               {`a = {b = 1 c = 2}`, `{'a': {'b': 1, 'c': 2}}`},
		"an object inside an expression":       {`a = f({b = [1, 2,], c = "d"})`, `{'a': '${f({b = [1, 2], c = "d"})}'}`},
		"a conditional":                        {"a = b\n ? c : d", `{'a': '${b ? c : d}'}`},
		"an expanded argument":                 {`a = f(b...)`, `{'a': '${f(b ...)}'}`},
		"splats":                               {`a = [b.*.c, b[*].c, b.0.c]`, `{'a': ['${b.*.c}', '${b[*].c}', '${b.0.c}']}`},
		"for expressions":                      {`a = [for k,v in x: v if v]`, `{'a': '${[for k, v in x : v if v]}'}`},
		"for expressions to an object":         {`a = {for k,v in x: k=>v...}`, `{'a': '${{for k, v in x : k => v...}}'}`},
		"parentheses around a list":            {`a = ([1])`, `{'a': '${([1])}'}`},
		"a directive":                          {`a = "%{if b}c%{~ endif}"`, `{'a': '"%{ if b }c%{~ endif }"'}`},
		"a heredoc keeps its source":           {"a = <<-EOT\n  b\n  EOT\n", `{'a': '"<<-EOT\n  b\n  EOT"'}`},
		"a nested block":                       {`b "l" m { c = 1 }`, `{'b': [{'"l"': {'m': {'c': 1, '__is_block__': True}}}]}`},
		"a line end before a brace is a label": {"b\n{}", `{'b': [{'\n': {'__is_block__': True}}]}`},
		"an attribute that is repeated":        {"a = 1\na = 2", `{'a': 2}`},
		"comments of a body":                   {"# one\na = 1 // two\n#\nb = 2\n/* three\n four */", `{'a': 1, 'b': 2, '__comments__': [{'value': 'one'}, {'value': 'two'}, {'value': 'three\n four'}]}`},
		"comments inside a list":               {"a = [ # one\n 1]", `{'a': [1], '__inline_comments__': [{'value': 'one'}]}`},
		"comments inside an element are lost":  {"a = {b = [ # one\n 1]}", `{'a': {'b': [1]}}`},
		"a comment after an operand":           {"a = b + c # one\n", `{'a': '${b + c}', '__inline_comments__': [{'value': 'one'}]}`},
		"a comment below an operand":           {"a = b + c\n# one\n", `{'a': '${b + c}', '__comments__': [{'value': 'one'}]}`},
		"an operator on the next line":         {"a = b\n + c", `{'a': '${b + c}'}`},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			if got := bodyOf(t, c.text); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestPublishedSyntaxErrors(t *testing.T) {
	t.Parallel()
	for rule, text := range map[string]string{
		"a code fence":                          "```hcl",
		"single quotes":                         "a = 'b'",
		"a comma after an attribute":            "a = 1,",
		"an unclosed block":                     "b {",
		"a brace too many":                      "b {\n}}",
		"an unclosed heredoc":                   "a = <<EOT\nb\n",
		"an empty heredoc":                      "a = <<EOT\nEOT\n",
		"prose":                                 "I have merged all files.",
		"a carriage return":                     "a = 1\r",
		"a byte order mark":                     "\ufeffa = 1",
		"a line end after an equals sign":       "a =\n1",
		"two line ends before an operator":      "a = b\n\n+ c",
		"a minus before a number of two digits": "a = b -12",
		"a block named like an attribute":       "a = 1\na {}",
		"a strip mark in an interpolation":      `a = "${~ b}"`,
		"two signs":                             "a = !!b",
	} {
		if got := bodyOf(t, text); !strings.HasPrefix(got, "error: ") {
			t.Errorf("%s: got %s", rule, got)
		}
	}
}

func TestPublishedBlocks(t *testing.T) {
	t.Parallel()
	c, err := Parse(vfs.Files{
		"b.tf":     "resource \"aws_vpc\" main {}\nresource \"x\" { a = 1 }\nmoved {}\nlocals {}",
		"a.tf":     "provider \"aws\" {}\nprovider \"aws\" {}\nvariable \"v\" {}\nb = 1\n# One",
		"notes.md": "# Two\n// \n/* */",
	})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, b := range c.blocks {
		got = append(got, strings.Join([]string{b.kind, b.label, b.name}, ","))
	}
	const want = `provider,"aws",;provider,"aws",;variable,,"v";resource,"aws_vpc",main;resource,"x",a;resource,"x",__is_block__;locals,,`
	if joined := strings.Join(got, ";"); joined != want {
		t.Errorf("blocks %s", joined)
	}
	if joined := strings.Join(c.comments, ";"); joined != "one;two;" {
		t.Errorf("comments %q", joined)
	}
}

func TestSimilarity(t *testing.T) {
	t.Parallel()
	for rule, c := range map[string]struct {
		a, b string
		want float64
	}{
		"numbers":                   {"2", "3", 2.0 / 3},
		"true is 1":                 {"true", "1", 1},
		"false is 0":                {"false", "0", 1},
		"anything against zero":     {"0", "5", 0},
		"texts":                     {`"abcd"`, `"abce"`, 10.0 / 12},
		"a number and a text":       {"5", `"5"`, 2.0 / 4},
		"lists by position":         {"[1, 2]", "[2, 2, 3]", (0.5 + 1) / 3},
		"an empty list":             {"[]", "[1]", 0},
		"maps by the union of keys": {"{a = 1, b = 2}", "{b = 2, c = 3}", 1.0 / 3},
		"empty maps":                {"{}", "{}", 1},
		"nothing and a name":        {"null", "None", 1},
		"a list and a text":         {"[1]", `"1"`, 2.0 / 6},
	} {
		a, b := valueOf(t, c.a), valueOf(t, c.b)
		if got := similarity(&a, &b, nil); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%s: %v, want %v", rule, got, c.want)
		}
	}
}

func valueOf(t *testing.T, expression string) value {
	t.Helper()
	p := Parser{Text: expression, published: true}
	n := p.Expression()
	if p.Err != nil {
		t.Fatal(p.Err)
	}
	return n.value()
}

func TestReferencesOnWordBoundaries(t *testing.T) {
	t.Parallel()
	c, err := Parse(vfs.Files{"a.tf": `locals {
  a = "${aws_vpc.main.id} ${data.aws_ami.x.id} xaws_vpc.no ${aws_route53_zone.no.id} ${random_id.r.hex} ${google_x.no}"
  b = [var.one, local.two, var.Three, null_resource.no]
}`})
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(c.references(), " "); got != "aws_vpc.main data.aws_ami.x random_id.r var.one local.two" {
		t.Error(got)
	}
}
