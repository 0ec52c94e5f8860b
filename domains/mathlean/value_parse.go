package mathlean

import (
	"slices"
	"strconv"
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

// source is a document as the published evaluator reads it.
type source struct {
	imports      []string // names of modules, repeated ones too
	sections     []string // names of sections and namespaces
	declarations []statement
	text         string
}

// statement is a declaration as the published evaluator reads it.
type statement struct{ keyword, name, signature string }

var patterns = []string{"*.lean"}

func parse(files vfs.Files) (source, error) {
	var s source
	files = files.Match(patterns)
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

// opening are the keywords that open a declaration for the published evaluator, where they begin a line.
var opening = []string{"theorem", "lemma", "def", "abbrev", "instance", "example"}

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
	for _, keyword := range opening {
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

// score follows the published evaluator. The conversions keep products and sums from being fused on some machines.
func score(ref, got source, noted *notes.Notes) domains.Reading {
	reading := domains.Reading{Elements: domains.Elements{
		Reference: len(ref.declarations), Candidate: len(got.declarations),
	}}
	declarations := declarationScore(ref.declarations, got.declarations, noted)
	imports, sections := coverage(ref.imports, got.imports), coverage(ref.sections, got.sections)
	text := ratio.Bounded([]rune(ref.text), []rune(got.text), ratio.Limits{Work: mostWork, Pairs: mostPairs}, noted)
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

func stats(s source) domains.Stats {
	theorems, lemmas := 0, 0
	for i := range s.declarations {
		switch s.declarations[i].keyword {
		case "theorem":
			theorems++
		case "lemma":
			lemmas++
		}
	}
	return domains.Stats{Elements: len(s.declarations), Counts: []domains.Count{
		{Name: "Declarations", Value: strconv.Itoa(len(s.declarations))},
		{Name: "Theorems", Value: strconv.Itoa(theorems)},
		{Name: "Lemmas", Value: strconv.Itoa(lemmas)},
		{Name: "Imports", Value: strconv.Itoa(len(s.imports))},
	}}
}
