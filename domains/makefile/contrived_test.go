package makefile

import (
	"strings"
	"testing"

	"agentd/domains/domaintest"
)

func BenchmarkContrived(b *testing.B) {
	domaintest.BenchmarkContrived(b, New(), domaintest.Seed(b, "makefile1"), contrived)
}

// contrived are documents made to be slow to compare.
var contrived = map[string]domaintest.Contrived{
	"bare":          {Record: "a:\n"},
	"rules":         {Record: "a%d:\n"},
	"rule":          {Record: "help: a%d\n"},
	"targets":       {Record: "a%d ", After: ": b\n"},
	"product":       {Before: strings.Repeat("help ", 2) + strings.Repeat("a ", 2000) + "x: ", Record: "b%d "},
	"variables":     {Record: "A%d=1\n"},
	"appended":      {Record: "A+=%d\n"},
	"simple":        {Before: "A:=\n", Record: "A+=%d\n"},
	"recipe":        {Before: "help:\n", Record: "\t%d\n"},
	"recipes":       {Record: "help:\n\t%d\n"},
	"continued":     {Before: "help:\n", Record: "\t%d\\\n"},
	"chain":         {Record: "a%d: b%d\n"},
	"patterns":      {Before: "help: x\n", Record: "%%d: y\n\tz\n"},
	"static":        {Before: "x: y\n", Record: "a%d: %: %\n"},
	"specific":      {Record: "help: A%d=1\n"},
	"conditionals":  {Record: "ifdef A%d\n"},
	"alternatives":  {Before: "ifdef A\n", Record: "else ifdef A%d\nx:\n"},
	"includes":      {Record: "-include %d\n"},
	"phony":         {Record: ".PHONY: a%d\n"},
	"references":    {Before: "A=1\n", Record: "B:=$(A)$(B%d)\n"},
	"reference":     {Before: "A=1\nx:=", Record: "$A$(A%d)"},
	"open":          {Record: "$("},
	"opened":        {Before: "all: ", Record: "$(A ", After: strings.Repeat(")", 1000)},
	"definitions":   {Record: "define a%d\nendef\n"},
	"calls":         {Before: "f=\n", Record: "$(call f,%d)\n"},
	"evaluated":     {Record: "$(eval A%d=1)\n"},
	"prose":         {Record: "a %d\n"},
	"blank recipes": {Before: "help:\n", Record: "  %d\n"},
}
