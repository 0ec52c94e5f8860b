package chess

import (
	"testing"

	"agentd/domains/domaintest"
)

func BenchmarkContrived(b *testing.B) {
	domaintest.BenchmarkContrived(b, New(), domaintest.Seed(b, environment), contrived)
}

// contrived are documents made to be slow to compare.
var contrived = map[string]domaintest.Contrived{
	"moves":       {Record: "Nf3 Nf6 Ng1 Ng8 "},
	"numbered":    {Record: "%d.e4 "},
	"cycle":       {Record: "Na3 Na6 Rb1 Rb8 Ra1 Ra8 Nb1 Nb8 Nf3 Nf6 Rg1 Rg8 Rh1 Rh8 Ng1 Ng8 "},
	"queens":      {Before: "[FEN \"4k3/qqqqqqq1/8/8/8/8/QQQQQQQ1/4K3 w - - 0 1\"]\n\n", Record: "Qa3 Qa6 Qa2 Qa7 "},
	"illegal":     {Record: "Qh5 "},
	"evaluations": {Record: "e4{[%eval %d]}"},
	"comments":    {Before: "1. e4 ", Record: "{}"},
	"open braces": {Before: "1. e4\n", Record: "{\n[\n"},
	"closed":      {Before: "1. e4 ", Record: "}"},
	"end of line": {Before: "1. e4\n", Record: ";\n"},
	"marks":       {Before: "1. e4 ", Record: "$%d"},
	"signs":       {Before: "1. e4 ", Record: "! "},
	"opened":      {Before: "1. e4 ", Record: "("},
	"variations":  {Before: "1. e4 ", Record: "(d4)"},
	"nested":      {Before: "1. e4 ", Record: "(d4"},
	"deeper":      {Record: "e4(d4(c4(b4(a4 "},
	"games":       {Record: "1.e4 *\n\n"},
	"headed":      {Record: "[A \"%d\"]\n\ne4\n"},
	"pieces":      {Record: "e4\n\n"},
	"tags":        {Record: "[A \"%d\"]\n"},
	"one tag":     {Record: "[A \"\"]\n"},
	"gaps":        {Before: "[A \"\"]\n", Record: "\n\n[A \"\"]\n"},
	"escaped":     {Record: "%\n"},
	"results":     {Before: "1. e4 ", Record: "* "},
	"commands":    {Before: "1. e4 {", Record: "[%c]", After: "}"},
	"unfinished":  {Before: "1. e4 {", Record: "[%", After: "}"},
	"words":       {Record: "a%d "},
	"lines":       {Record: "%d\n"},
	"digits":      {Record: "1"},
	"dots":        {Record: "1."},
}
