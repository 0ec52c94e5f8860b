package aviation

import (
	"testing"

	"agentd/domains/domaintest"
)

func BenchmarkContrived(b *testing.B) {
	domaintest.BenchmarkContrived(b, New(), domaintest.Seed(b, "aviation1"), contrived)
}

// contrived are documents made to be slow to compare.
var contrived = map[string]domaintest.Contrived{
	"bare":       {Record: "A1/1\n"},
	"numbered":   {Record: "A%d/1\n"},
	"typed":      {Record: "A%d/1 NOTAMN\n"},
	"same":       {Record: "A2874/25 NOTAMN\nE) %d\n"},
	"seeded":     {Record: "A2874/25 NOTAMN\nQ) a/QMXLC/a\nE) WIP %d\n"},
	"q lines":    {Record: "A%d/1 NOTAMN\nQ) a/b/c/d/e/1/1/1\n"},
	"one text":   {Before: "A2874/25 NOTAMN\nE) ", Record: "WIP %d "},
	"sentences":  {Before: "A2874/25 NOTAMN\nE) ", Record: "A. "},
	"wrapped":    {Before: "A2874/25 NOTAMN\nE) ", Record: "%d\n"},
	"schedule":   {Before: "A2874/25 NOTAMN\nD) ", Record: "%d, ", After: "\nE) a\n"},
	"q line":     {Before: "A2874/25 NOTAMN\nQ) a/", Record: "b/"},
	"brackets":   {Before: "A2874/25 NOTAMN\n", Record: "E)"},
	"lower":      {Before: "A2874/25 NOTAMN\nF) ", Record: "G) "},
	"limits":     {Before: "A2874/25 NOTAMN\nE) ", Record: "F) ", After: "G)\n"},
	"marks":      {Before: "A2874/25 NOTAMN\n", Record: "**A)\n"},
	"items":      {Before: "A2874/25 NOTAMN\n", Record: "\nE)"},
	"colons":     {Before: "A2874/25 NOTAMN\n", Record: "D:"},
	"blanks":     {Before: "A2874/25 NOTAMN\nF) a", Record: " ", After: "G) 1\n"},
	"bare ahead": {Before: "A1/1\n", Record: "\n", After: "Q)\n"},
	"lines":      {Record: "(%d)\n"},
}
