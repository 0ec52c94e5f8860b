package musicsheet

import (
	"strings"
	"testing"

	"agentd/domains/domaintest"
	"agentd/vfs"
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

// A comment among settings and fields is somebody's words, as one among notes is.
func TestCommentsInBlocks(t *testing.T) {
	t.Parallel()
	const piece = "\\header {\n  title = \"Quay\" % by the harbour\n}\n\\paper {\n  % room for the binding\n  indent = 0\\mm\n}\n{ c'4 d' e' f' }\n"
	for title, c := range map[string]struct {
		was, is string
		same    bool
	}{
		"a word of a setting's comment":  {"% room for", "% space for", false},
		"no comment of a setting":        {"  % room for the binding\n", "", false},
		"a word of a field's comment":    {"harbour", "slipway", false},
		"a comment that was added":       {"  indent", "  % none\n  indent", true},
		"a comment in brackets, instead": {"% room for the binding", "%{ room for the binding %}", true},
	} {
		review := New().Against(vfs.Files{"a.ly": piece}).Review(vfs.Files{"a.ly": strings.Replace(piece, c.was, c.is, 1)})
		if review.Same() != c.same {
			t.Errorf("%s: strict %.3f, %v", title, review.Strict, review.Differences)
		}
	}
}
