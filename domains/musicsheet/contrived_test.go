package musicsheet

import (
	"testing"

	"agentd/domains/domaintest"
)

func BenchmarkContrived(b *testing.B) {
	domaintest.BenchmarkContrived(b, New(), domaintest.Seed(b, "musicsheet1"), contrived)
}

// contrived are documents made to be slow to compare.
var contrived = map[string]domaintest.Contrived{
	"notes":      {Before: "a={", Record: "c ", After: "}"},
	"packed":     {Before: "soprano={", Record: "c4", After: "}"},
	"durations":  {Before: "soprano={", Record: "c1*%d ", After: "}"},
	"octaves":    {Before: "soprano=\\relative {", Record: "c'g,", After: "}"},
	"chords":     {Before: "a={", Record: "<c>", After: "}"},
	"chord":      {Before: "a={<", Record: "c ", After: ">}"},
	"repeated":   {Before: "a={<c e>", Record: "q ", After: "}"},
	"rests":      {Before: "a={", Record: "r ", After: "}"},
	"lengths":    {Before: "a={c", Record: "4 ", After: "}"},
	"marks":      {Before: "a={c", Record: "(", After: "}"},
	"dynamics":   {Before: "a={", Record: "c\\p", After: "}"},
	"checks":     {Before: "a={c", Record: "|", After: "}"},
	"commands":   {Before: "a={c", Record: "\\a", After: "}"},
	"voices":     {Record: "a={c}"},
	"names":      {Record: "a={c %d}b={d}"},
	"syllables":  {Before: "a=\\lyricmode{", Record: "a ", After: "}"},
	"hyphens":    {Before: "a=\\lyricmode{a", Record: " -- a", After: "}"},
	"header":     {Before: "\\header{", Record: "a=\"%d\" ", After: "}"},
	"settings":   {Before: "\\paper{", Record: "a=%d ", After: "}"},
	"scores":     {Record: "\\score{c}"},
	"scheme":     {Record: "#%d\n"},
	"lists":      {Before: "#", Record: "("},
	"braces":     {Before: "a=", Record: "{"},
	"closed":     {Before: "a={c", Record: "}"},
	"angles":     {Before: "a=", Record: "<<"},
	"relatives":  {Before: "a=", Record: "\\relative c "},
	"transposed": {Before: "a=", Record: "\\transpose c d{"},
	"tuplets":    {Before: "a=", Record: "\\tuplet 3/2{"},
	"strings":    {Before: "a={c", Record: "\"\"", After: "}"},
	"markups":    {Before: "a={c", Record: "\\markup{}", After: "}"},
	"comments":   {Record: "%%d\n"},
	"open":       {Record: "%{"},
	"languages":  {Record: "\\language\"english\""},
	"includes":   {Record: "\\include\"a%d\""},
	"lines":      {Record: "%d\n"},
	"words":      {Before: "a={", Record: "zz%d ", After: "}"},
}
