package circuit

import (
	"testing"

	"agentd/domains/domaintest"
)

func BenchmarkContrived(b *testing.B) {
	domaintest.BenchmarkContrived(b, New(), domaintest.Seed(b, "circuit1"), contrived)
}

// contrived are documents made to be slow to compare.
var contrived = map[string]domaintest.Contrived{
	"bare":        {Record: "R1 0 0 1\n"},
	"numbered":    {Record: "R%d 0 0 1\n"},
	"values":      {Record: "R1 0 0 %d\n"},
	"instances":   {Record: "X%d n%d a\n"},
	"seeded":      {Record: "Vtank tank 0 DC %d\n"},
	"cells":       {Record: ".subckt a%d\n.ends\n"},
	"cell":        {Record: ".subckt a\n.ends\n"},
	"nested":      {Record: ".subckt a\n"},
	"ports":       {Before: ".subckt MFBLP", Record: " p%d", After: "\n.ends\n"},
	"insides":     {Before: ".subckt MFBLP in\n", Record: "R%d a b 1\n", After: ".ends\n"},
	"nodes":       {Before: "X1", Record: " n%d", After: " a\n"},
	"parameters":  {Before: ".param", Record: " p%d=1", After: "\n"},
	"arguments":   {Before: "M1 d g s b n", Record: " p%d=1", After: "\n"},
	"points":      {Before: "Vtank tank 0 PWL(", Record: "%d 1 ", After: ")\n"},
	"continued":   {Before: "Vtank tank 0 PWL(", Record: "0 1\n+", After: ")\n"},
	"after":       {Before: "R1 a b 1", Record: " ;\n +"},
	"commented":   {Before: "R1 a b 1\n", Record: "*\n+\n"},
	"quotes":      {Before: "R1 a b ", Record: "' a=1 ", After: "#\n"},
	"braces":      {Before: "R1 a b ", Record: "{", After: "\n"},
	"groups":      {Before: ".ic ", Record: "{}"},
	"parentheses": {Before: ".ic ", Record: "("},
	"digits":      {Before: "R1 a b ", Record: "12", After: "\n"},
	"comments":    {Record: "* %d\n"},
	"commands":    {Record: ".ic %d\n"},
	"models":      {Record: ".model a%d D\n"},
	"control":     {Before: ".control\n", Record: "a %d\n", After: ".endc\n"},
	"lines":       {Record: "%d\n"},
	"includes":    {Record: ".include %d\n"},
}
