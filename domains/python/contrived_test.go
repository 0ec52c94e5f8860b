package python

import (
	"testing"

	"agentd/domains/domaintest"
)

func BenchmarkContrived(b *testing.B) {
	domaintest.BenchmarkContrived(b, New(), domaintest.Seed(b, "python1"), contrived)
}

// contrived are documents made to be slow to compare.
var contrived = map[string]domaintest.Contrived{
	"bare":        {Record: "a\n"},
	"names":       {Record: "a%d = 1\n"},
	"renamed":     {Record: "a%d = b%d\n"},
	"functions":   {Record: "def f%d(): pass\n"},
	"function":    {Record: "def load(): pass\n"},
	"one body":    {Before: "def load():\n", Record: " a(%d)\n"},
	"wrapper":     {Before: "def run():\n", Record: " a(%d)\n", After: "run()\n"},
	"wrappers":    {Record: "def f%d(): pass\nf%d()\n"},
	"parameters":  {Before: "def load(", Record: "a%d, ", After: "): pass\n"},
	"decorators":  {Record: "@a%d\n", After: "def load(): pass\n"},
	"table":       {Before: "LANES = [", Record: "%d, ", After: "]\n"},
	"texts":       {Before: "a(", Record: "'%d' ", After: ")\n"},
	"fields":      {Before: "f'", Record: "{a%d}", After: "'\n"},
	"comments":    {Record: "# %d\n"},
	"comment":     {Record: "a #%d\n"},
	"docstring":   {Before: "'''", Record: "%d\n", After: "'''\n"},
	"endless":     {Record: "'''\n\"\"\"%d\n"},
	"unclosed":    {Record: "a = (%d\n"},
	"commas":      {Before: "a(", Record: "(%d,),", After: ")\n"},
	"fors":        {Before: "a = ", Record: "for a%d "},
	"semicolons":  {Record: "a;"},
	"imports":     {Record: "import a%d\n"},
	"import":      {Before: "import ", Record: "a%d, ", After: "b\n"},
	"lines":       {Record: "%d is no Python\n"},
	"escapes":     {Before: "'", Record: "\\x41", After: "'\n"},
	"blocks":      {Record: "if a:\n if b:\n  c\n"},
	"definitions": {Before: "class A:\n", Record: " def f%d(self): pass\n"},
}
