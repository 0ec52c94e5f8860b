package audiosyn

import (
	"strings"
	"testing"

	"agentd/domains/domaintest"
)

func BenchmarkContrived(b *testing.B) {
	domaintest.BenchmarkContrived(b, New(), domaintest.Seed(b, "audiosyn1"), contrived)
}

const (
	csdOrchestra    = "<CsoundSynthesizer>\n<CsInstruments>\n"
	csdOrchestraEnd = "</CsInstruments>\n</CsoundSynthesizer>\n"
	csdScore        = "<CsoundSynthesizer>\n<CsScore>\n"
	csdEnd          = "</CsScore>\n</CsoundSynthesizer>\n"
)

// contrived are documents made to be slow to compare.
var contrived = map[string]domaintest.Contrived{
	"bare":         {Before: csdScore, Record: "i1 0 1\n", After: csdEnd},
	"starts":       {Before: csdScore, Record: "i1 %d 1\n", After: csdEnd},
	"seeded":       {Before: csdScore, Record: "i2 24.52 1.6 0.110 %d\n", After: csdEnd},
	"few":          {Before: csdScore, Record: "i1 0 1\ni1 1 1\ni1 2 1\ni1 3 1\ni1 4 1\ni1 5 1\n", After: csdEnd},
	"sums":         {Before: csdScore, Record: "i1 + 1\n", After: csdEnd},
	"dots":         {Before: csdScore + "i1 0 1\n", Record: "i1 . .\n", After: csdEnd},
	"implied":      {Before: csdScore + "i1 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20\n", Record: "i1 %d\n", After: csdEnd},
	"long carried": {Before: csdScore + "i1 0 1 \"" + strings.Repeat("a", 1<<20) + "\"\n", Record: "i1 %d . .\n", After: csdEnd},
	"one event":    {Before: csdScore + "i1 0 1", Record: " 1", After: "\n" + csdEnd},
	"wide":         {Before: csdScore, Record: "i1 %d 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1\n", After: csdEnd},
	"tables":       {Before: csdScore, Record: "f%d 0 1 1\n", After: csdEnd},
	"one table":    {Before: csdScore, Record: "f1 0 1 1 %d\n", After: csdEnd},
	"sections":     {Before: csdScore, Record: "s\n", After: csdEnd},
	"loops":        {Before: csdScore, Record: "{ 2 A\n", After: csdEnd},
	"notes":        {Before: csdScore, Record: ";%d\n", After: csdEnd},
	"remarks":      {Before: csdScore, Record: "/*", After: csdEnd},
	"brackets":     {Before: csdScore + "i1 0 ", Record: "[", After: csdEnd},
	"instruments":  {Before: csdOrchestra, Record: "instr %d\nendin\n", After: csdOrchestraEnd},
	"redefined":    {Before: csdOrchestra, Record: "instr 1\n;%d\nendin\n", After: csdOrchestraEnd},
	"open":         {Before: csdOrchestra, Record: "instr %d\n", After: csdOrchestraEnd},
	"names":        {Before: csdOrchestra + "instr 1", Record: ",%d", After: "\nendin\n" + csdOrchestraEnd},
	"opcodes":      {Before: csdOrchestra, Record: "opcode a,a,a\nendop\n", After: csdOrchestraEnd},
	"body":         {Before: csdOrchestra + "instr 1\n", Record: "a%d oscil 1,1,1\n", After: "endin\n" + csdOrchestraEnd},
	"letters":      {Before: csdOrchestra + "instr 1\n", Record: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789%d!?+-*/=()[]{}<>,.;:", After: "\nendin\n" + csdOrchestraEnd},
	"statements":   {Before: csdOrchestra, Record: "a\n", After: csdOrchestraEnd},
	"arguments":    {Before: csdOrchestra + "a1 oscil 1", Record: ",%d", After: "\n" + csdOrchestraEnd},
	"continued":    {Before: csdOrchestra, Record: "a\\\n", After: csdOrchestraEnd},
	"macros":       {Before: csdOrchestra, Record: "#define A #%d#\n", After: csdOrchestraEnd},
	"open macro":   {Before: csdOrchestra + "#define A #", Record: "\n", After: csdOrchestraEnd},
	"tags":         {Record: "<CsScore>"},
	"options":      {Before: csdOrchestra + csdOrchestraEnd + "<CsOptions>", Record: "-o%d ", After: "</CsOptions>"},
	"flags":        {Before: csdOrchestra + csdOrchestraEnd + "<CsOptions>-", Record: "dW", After: "</CsOptions>"},
	"lines":        {Record: "%d\n"},
}
