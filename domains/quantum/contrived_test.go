package quantum

import (
	"testing"

	"agentd/domains/domaintest"
)

func BenchmarkContrived(b *testing.B) {
	domaintest.BenchmarkContrived(b, New(), domaintest.Seed(b, "quantum1"), contrived)
}

// contrived are documents made to be slow to compare.
var contrived = map[string]domaintest.Contrived{
	"bare":          {Record: "h q;\n"},
	"empty":         {Record: "def a(){}\n"},
	"subroutines":   {Record: "def a%d(){}\n"},
	"subroutine":    {Record: "def pump_all(){h ion;}\n"},
	"body":          {Before: "def pump_all(){\n", Record: "reset ion[%d];\n", After: "}\n"},
	"gates":         {Before: "def pump_all(){\n", Record: "h ion;\n", After: "}\n"},
	"line":          {Before: "def pump_all(){", Record: "h q[%d];", After: "}"},
	"lost braces":   {Record: "def a%d(){\n"},
	"blocks":        {Record: "if(a){"},
	"branches":      {Record: "if(a)"},
	"braces":        {Record: "{", After: "}"},
	"operands":      {Before: "cx ", Record: "q[%d],", After: "q;\n"},
	"angles":        {Before: "u(", Record: "%d,", After: "0) q;\n"},
	"arguments":     {Before: "def pump_all(", Record: "bit a%d,", After: "bit b){}\n"},
	"brackets":      {Before: "a = ", Record: "(", After: ";\n"},
	"constants":     {Record: "const int a%d=1;\n"},
	"constant":      {Record: "const uint n_data = %d;\n"},
	"aliases":       {Before: "const int a0=1;\n", Record: "const int b%d = a0;\nbit[b%d] c;\n"},
	"sum":           {Before: "const uint n_data = ", Record: "%d+", After: "1;\n"},
	"registers":     {Record: "qubit q%d;\n"},
	"register":      {Record: "qubit[%d] ion;\n"},
	"externs":       {Record: "extern a%d();\n"},
	"signatures":    {Record: "extern a("},
	"sizes":         {Record: "qubit["},
	"comments":      {Record: "// %d\n"},
	"one comment":   {Before: "/*", Record: "%d\n", After: "*/\n"},
	"open comments": {Record: "/*"},
	"no semicolons": {Record: "h q\n"},
	"declarations":  {Record: "bit a%d\n"},
	"prose":         {Record: "a %d\n"},
	"directives":    {Record: "#a%d\n"},
}
