// Package mathlean is the published reading and score of the domain mathlean.
//
// score = 0.40 D + k^2 (0.25 I + 0.15 S) + 0.20 T, not rounded.
//
//   - D: 1 if neither side has declarations, 0 if only one has. Else sim(r, g) = t * (0.5 ratio(name) + 0.5
//     ratio(signature)), t = 1 for equal keywords, else 0.8; ratios are difflib's over characters (two empty strings:
//     1), reference first, autojunk on (it acts from 200 characters). D = the total of an optimal assignment
//     (Hungarian, maximum total similarity; ties do not change the total) divided by max(n_ref, n_gen).
//   - I: as sets, |common| / |reference|. Both empty 1. Reference empty and candidate not: 0.5.
//   - S: as sets of names (keyword ignored), |common| / |reference names|. Both empty 1. Reference empty and candidate
//     not: 0.5.
//   - k = min(1, n_gen / max(n_ref, 1)).
//   - T: difflib ratio over the characters of the two joined raw texts, autojunk on. The texts are long, so nearly
//     every letter is "popular" in the candidate text and only rare characters anchor matches; a plain
//     longest-common-subsequence measure does not agree (the swap of two sections gives 0.571). Implement difflib's
//     algorithm exactly: index of the candidate's characters, drop those that occur more than n/100 + 1 times (n =
//     candidate length, integer division, only if n >= 200), find the longest matching block earliest in the reference
//     then earliest in the candidate, extend it on both sides over equal (also dropped) characters, recurse left and
//     right, ratio = 2 M / (len + len).
//
// Characters are code points. Trimming and blanks follow Unicode white space.
//
// R, or ratio, is that of package ratio, with the reference first; assignments are those of package assign.
package mathlean

import (
	"slices"
	"strings"
	"unicode/utf8"

	"agentd/domains"
	"agentd/domains/internal/assign"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/notes"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/ratio"
	"agentd/domains/internal/sets"
	"agentd/vfs"
)

// Source is a document as the published evaluator reads it.
type Source struct {
	imports      []string // names of modules, repeated ones too
	sections     []string // names of sections and namespaces
	declarations []statement
	text         string
}

// statement is a declaration as the published evaluator reads it.
type statement struct{ keyword, name, signature string }

// Patterns are the patterns of the names of its files.
var Patterns = []string{"*.lean"}

// Parse reads a document as the published evaluator does.
func Parse(files vfs.Files) (Source, error) {
	var s Source
	files = files.Match(Patterns)
	var text strings.Builder
	imports, sections := follower{fragments: []string{"import"}}, follower{fragments: []string{"section", "namespace"}}
	for _, name := range files.Names() {
		content := files[name]
		imports.after, sections.after = false, false
		for word := range strings.FieldsFuncSeq(content, pytext.IsSpace) {
			imports.meet(word)
			sections.meet(word)
		}
		s.declarations = statements(s.declarations, content)
		text.WriteString(content)
		text.WriteByte('\n')
	}
	s.imports, s.sections = imports.found, sections.found
	s.text = text.String()
	return s, nil
}

// follower finds the words that stand after one that ends with one of the fragments, in comments too.
type follower struct {
	fragments []string
	found     []string
	after     bool // the word before ends so
}

func (f *follower) meet(word string) {
	if f.after {
		f.found = plain.Append(f.found, word)
	}
	ends := func(fragment string) bool { return strings.HasSuffix(word, fragment) }
	f.after = !f.after && slices.ContainsFunc(f.fragments, ends)
}

func firstWord(text string) string {
	if end := strings.IndexFunc(text, pytext.IsSpace); end >= 0 {
		return text[:end]
	}
	return text
}

// Opening are the keywords that open a declaration for the published evaluator, where they begin a line.
var Opening = []string{"theorem", "lemma", "def", "abbrev", "instance", "example"}

// statements appends the declarations of a file: each from a line that opens it up to the first line with `:=`, joined
// by blanks. A line that opens another discards one that is not finished.
func statements(all []statement, text string) []statement {
	var open []string
	for rest := text; rest != ""; {
		var line string
		line, rest, _ = strings.Cut(rest, "\n")
		line = pytext.Strip(line)
		if keywordOf(line) != "" {
			open = open[:0]
		} else if len(open) == 0 {
			continue
		}
		open = append(open, line)
		if strings.Contains(line, ":=") {
			if d, ok := statementOf(strings.Join(open, " ")); ok {
				all = plain.Append(all, d)
			}
			open = open[:0]
		}
	}
	return all
}

// keywordOf is the keyword with which a trimmed line opens a declaration, empty if it opens none.
func keywordOf(line string) string {
	for _, keyword := range Opening {
		if after, ok := strings.CutPrefix(line, keyword); ok {
			if r, _ := utf8.DecodeRuneInString(after); after != "" && pytext.IsSpace(r) {
				return keyword
			}
		}
	}
	return ""
}

// statementOf reads the joined lines of a declaration. Its name is the longest start of the first word after which a
// `:=` follows, its signature what stands after the last colon.
func statementOf(text string) (statement, bool) {
	keyword := keywordOf(text)
	after := pytext.StripLeft(text[len(keyword):])
	last := strings.LastIndex(after, ":=")
	length := min(len(firstWord(after)), last)
	if length <= 0 {
		return statement{}, false
	}
	rest := after[length:]
	rest = pytext.Strip(rest[:strings.Index(rest, ":=")])
	colon := strings.LastIndexByte(rest, ':')
	signature := ""
	if colon >= 0 {
		signature = pytext.Strip(rest[colon+1:])
	}
	return statement{keyword, after[:length], signature}, true
}

const (
	// mostWork is the product of the lengths of two texts, in characters, and mostPairs the number of pairs of equal
	// characters that may begin a matching block, above which what the texts share at most stands for their ratio. Two
	// documents of 50,000 tokens have less of both.
	mostWork  = 1 << 35
	mostPairs = 1 << 27
	// mostShortWork is that product for names and signatures, of which there are many.
	mostShortWork = 1 << 24
)

// Score follows the published evaluator. The conversions keep products and sums from being fused on some machines.
func Score(ref, got Source, noted *notes.Notes) domains.Reading {
	reading := domains.Reading{Elements: domains.Elements{
		Reference: len(ref.declarations), Candidate: len(got.declarations),
	}}
	declarations := declarationScore(ref.declarations, got.declarations, noted)
	imports, sections := coverage(ref.imports, got.imports), coverage(ref.sections, got.sections)
	text := ratio.BoundedRunes([]rune(ref.text), []rune(got.text), ratio.Limits{Work: mostWork, Pairs: mostPairs}, noted)
	kept := min(1, float64(len(got.declarations))/float64(max(len(ref.declarations), 1)))
	structure := float64(0.25*imports) + float64(0.15*sections)
	reading.RS = float64(0.40*declarations) + float64(float64(kept*kept)*structure) + float64(0.20*text)
	reading.Components = map[string]float64{
		"declaration_score": declarations, "import_coverage": imports,
		"section_coverage": sections, "text_similarity": text,
	}
	return reading
}

// coverage is the share of the reference's names that the candidate has.
func coverage(ref, got []string) float64 {
	names := sets.PairByName(ref, got, func(name *string) string { return *name })
	switch {
	case names.Refs == 0 && names.Gots == 0:
		return 1
	case names.Refs == 0:
		return 0.5
	}
	return float64(len(names.Both)) / float64(names.Refs)
}

// declarationScore is the largest sum of similarities over pairs of
// declarations, divided by the number of the side that has more.
func declarationScore(ref, got []statement, noted *notes.Notes) float64 {
	if similarity, empty := sets.EitherEmpty(ref, got); empty {
		return similarity
	}
	if slices.Equal(ref, got) {
		return 1
	}
	texts := ratio.NewTable(noted)
	texts.Most = mostShortWork
	refs, gots := numbered(ref, texts), numbered(got, texts)
	cost := func(similarity func(a, b int) float64) func(i, j int) float64 {
		return func(i, j int) float64 { return 1 - refs[i].similarity(gots[j], similarity) }
	}
	costs := assign.Costs{Rows: len(ref), Cols: len(got), Cost: cost(texts.Ratio), Bound: cost(texts.AtMost)}
	of := func(all []declaration) func(i int) declaration { return func(i int) declaration { return all[i] } }
	pairs := assign.MinByLabel(costs, of(refs), of(gots), noted)
	sum := 0.0
	for _, p := range pairs {
		sum += 1 - costs.Cost(p.Row, p.Col)
	}
	return sum / float64(max(len(ref), len(got)))
}

// declaration is a statement with numbers for its texts.
type declaration struct {
	keyword         string
	name, signature int
}

func numbered(statements []statement, texts *ratio.Table) []declaration {
	return lists.Map(statements, func(s statement) declaration {
		return declaration{s.keyword, texts.Number(s.name), texts.Number(s.signature)}
	})
}

// similarity is the mean of those of names and signatures, 0.8 of it where the keywords differ.
func (d declaration) similarity(other declaration, of func(a, b int) float64) float64 {
	similarity := float64(0.5*of(d.name, other.name)) + float64(0.5*of(d.signature, other.signature))
	if d.keyword != other.keyword {
		similarity *= 0.8
	}
	return similarity
}

// Stats counts the parts of a document.
func Stats(s Source) domains.Stats {
	theorems, lemmas := 0, 0
	for i := range s.declarations {
		switch s.declarations[i].keyword {
		case "theorem":
			theorems++
		case "lemma":
			lemmas++
		}
	}
	return domains.StatsOf(len(s.declarations), "Declarations", len(s.declarations), "Theorems", theorems,
		"Lemmas", lemmas, "Imports", len(s.imports))
}

// Others counts the parts by which a document without a counted element is scored.
func Others(s Source) int { return len(s.text) }
