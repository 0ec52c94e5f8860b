package viewer

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"agentd/internal/printable"
	"agentd/vfs"
)

// Limits on a page, whatever the size of the documents.
const (
	mostFiles  = 100     // files of a page
	mostLines  = 100_000 // lines of a file that are compared
	mostRows   = 1_500   // rows of a page
	mostLine   = 600     // bytes of a line that are shown
	mostWords  = 300     // words of a line whose changes are marked
	mostPaired = 100_000 // pairs of lines that are compared, in a file
	around     = 3       // equal lines shown before and after changed ones
)

// documentsDiff is the difference between two states of the documents.
type documentsDiff struct {
	Files []fileDiff
	Left  int // files beyond those shown
}

// fileDiff is the difference of a file.
type fileDiff struct {
	Name  string
	State string // unchanged, changed, new, gone, renamed
	Was   string // the name before, of a renamed file
	Size  string
	Rows  []row
	Notes []string // what was left out
	// Pictures shows a binary file, which has no rows; nil for text.
	Pictures *picturePair
}

// OneSided reports whether the file exists on one side only.
func (f fileDiff) OneSided() bool { return f.State == "new" || f.State == "gone" }

// Open reports whether a page shows the file expanded: if it changed, or is new and short.
func (f fileDiff) Open() bool {
	const mostNewRows = 40
	return f.State == "changed" || f.State == "renamed" || f.State == "new" && len(f.Rows) <= mostNewRows
}

// row is a line of a side-by-side diff.
type row struct {
	Kind    string // same, changed, lost, added, skipped
	Was, Is *line  // nil where there is none
	Skipped int    // lines
}

// line is a line with its differing words marked.
type line struct {
	Number int
	Parts  []part
}

type part struct {
	Text   string
	Marked bool
}

// diffFiles compares documents by name. A removed file and a similar new one are
// compared as one renamed file.
func diffFiles(before, after vfs.Files) documentsDiff {
	var all documentsDiff
	renamed := renames(before, after)
	was := map[string]bool{} // names that were renamed
	for _, name := range renamed {
		was[name] = true
	}
	names := vfs.Files{}
	maps.Copy(names, before)
	maps.Copy(names, after)
	rows := mostRows
	for _, name := range names.Names() {
		old, existed := before[name]
		content, exists := after[name]
		if was[name] {
			continue
		}
		if len(all.Files) == mostFiles {
			all.Left++
			continue
		}
		f := fileDiff{Name: name, Size: bytesText(len(content))}
		switch {
		case !exists:
			f.State, f.Size = "gone", bytesText(len(old))
			f.compare(old, "", &rows)
		case existed && old == content:
			f.State = "unchanged"
		case existed:
			f.State = "changed"
			f.compare(old, content, &rows)
		case renamed[name] != "":
			f.State, f.Was = "renamed", renamed[name]
			f.compare(before[f.Was], content, &rows)
		default:
			f.State = "new"
			f.compare("", content, &rows)
		}
		all.Files = append(all.Files, f)
	}
	// Differences come before files that are new or gone as a whole.
	slices.SortStableFunc(all.Files, func(a, b fileDiff) int {
		return slices.Index(fileStates, a.State) - slices.Index(fileStates, b.State)
	})
	return all
}

// fileStates are the states of a file, in the order of a page.
var fileStates = []string{"changed", "renamed", "new", "gone", "unchanged"}

// renames finds, for each new file, a removed one that shares at least half of the lines.
// It maps new names to old ones.
func renames(before, after vfs.Files) map[string]string {
	found := map[string]string{}
	taken := map[string]bool{}
	for _, name := range after.Names() {
		if _, existed := before[name]; existed || vfs.Binary(name) {
			continue
		}
		best, share := "", 0.5
		for _, old := range before.Names() {
			if _, exists := after[old]; exists || taken[old] || vfs.Binary(old) {
				continue
			}
			if s := alike(firstLines(before[old]), firstLines(after[name])); s >= share {
				best, share = old, s
			}
		}
		if best != "" {
			found[name], taken[best] = best, true
		}
	}
	return found
}

func firstLines(text string) []string {
	lines, _ := splitLines(text, 5_000)
	return lines
}

// alike returns the share of equal items in two lists, in any order.
func alike(a, b []string) float64 {
	if len(a)+len(b) == 0 {
		return 0
	}
	counts := make(map[string]int, len(a))
	for _, s := range a {
		counts[s]++
	}
	equal := 0
	for _, s := range b {
		if counts[s] > 0 {
			counts[s]--
			equal++
		}
	}
	return 2 * float64(equal) / float64(len(a)+len(b))
}

// splitLines returns the first lines of a text, and how many bytes are left.
func splitLines(text string, most int) ([]string, int) {
	var lines []string
	for len(text) > 0 && len(lines) < most {
		line, rest, _ := strings.Cut(text, "\n")
		lines = append(lines, line)
		text = rest
	}
	return lines, len(text)
}

// compare fills in at most rows rows, and subtracts their number from rows.
func (f *fileDiff) compare(was, is string, rows *int) {
	if vfs.Binary(f.Name) {
		return
	}
	a, leftA := splitLines(was, mostLines)
	b, leftB := splitLines(is, mostLines)
	left := max(leftA, leftB)
	if left > 0 {
		f.Notes = append(f.Notes, fmt.Sprintf("Only the first %d lines are compared; %s are left out.", mostLines, bytesText(left)))
	}
	d := differ{rows: *rows, pairs: mostPaired}
	d.lines(a, b)
	*rows -= len(d.out)
	f.Rows = d.out
	if d.left > 0 {
		f.Notes = append(f.Notes, fmt.Sprintf("%s that differ are left out.", printable.Count(d.left, "more line")))
	}
	if len(d.out) == 0 && d.left == 0 && left == 0 && was != is {
		f.Notes = append(f.Notes, "Only the end of the last line differs.")
	}
}

// differ writes rows.
type differ struct {
	rows  int // that may still be written
	pairs int // of lines that may still be looked at
	out   []row
	left  int // differing lines that were not written
	// nextA and nextB are the lines that come next.
	nextA, nextB int
}

func (d *differ) lines(a, b []string) {
	changed := align(a, b)
	for _, c := range changed {
		d.same(a, b, c.Start, len(d.out) == 0)
		d.replaced(a[c.Start:c.End], b[c.ReplStart:c.ReplEnd])
	}
	if len(changed) > 0 {
		d.tail(a, b)
	}
}

// same writes the equal lines before a line of a that are close to changes.
func (d *differ) same(a, b []string, until int, first bool) {
	n := until - d.nextA
	head, tail := min(n, around), min(n, around)
	if first {
		head = 0
	}
	if head+tail >= n {
		head, tail = n, 0
	}
	d.equal(a, head)
	if skipped := n - head - tail; skipped > 0 {
		d.skip(skipped)
	}
	d.equal(a, tail)
}

// tail writes the equal lines after the last change.
func (d *differ) tail(a, b []string) {
	n := len(a) - d.nextA
	d.equal(a, min(n, around))
	if skipped := n - around; skipped > 0 {
		d.skip(skipped)
	}
}

func (d *differ) equal(a []string, n int) {
	for range n {
		parts := []part{{Text: cut(a[d.nextA], mostLine)}}
		d.write(row{Kind: "same", Was: &line{d.nextA + 1, parts}, Is: &line{d.nextB + 1, parts}})
		d.nextA++
		d.nextB++
	}
}

func (d *differ) skip(n int) {
	d.write(row{Kind: "skipped", Skipped: n})
	d.nextA += n
	d.nextB += n
}

func (d *differ) write(r row) {
	if d.rows > 0 {
		d.out = append(d.out, r)
		d.rows--
	} else if r.Kind != "same" && r.Kind != "skipped" {
		d.left++
	}
}

// replaced writes lines that replace others; similar lines share a row.
func (d *differ) replaced(a, b []string) {
	for _, p := range d.pair(a, b) {
		switch {
		case p.b < 0:
			d.write(row{Kind: "lost", Was: &line{d.nextA + 1, whole(a[p.a])}})
			d.nextA++
		case p.a < 0:
			d.write(row{Kind: "added", Is: &line{d.nextB + 1, whole(b[p.b])}})
			d.nextB++
		default:
			r := row{Kind: "changed", Was: &line{Number: d.nextA + 1}, Is: &line{Number: d.nextB + 1}}
			if d.rows > 0 {
				r.Was.Parts, r.Is.Parts = marked(a[p.a], b[p.b])
			}
			d.write(r)
			d.nextA++
			d.nextB++
		}
	}
}

func whole(s string) []part { return []part{{Text: cut(s, mostLine)}} }

// paired are the numbers of the lines of one row, -1 for none.
type paired struct{ a, b int }

// leastAlike is the least similarity of two lines that share a row.
const leastAlike = 0.4

// pair decides which lines share a row. It keeps their order and maximises the total
// similarity. If there are too many lines, it pairs them by position.
func (d *differ) pair(a, b []string) []paired {
	if cells := len(a) * len(b); cells > d.pairs || cells > 2_500 {
		return inOrder(len(a), len(b))
	}
	d.pairs -= len(a) * len(b)
	wordsA, wordsB := allWords(a), allWords(b)
	// best[i][j] is the largest total similarity of a[i:] and b[j:].
	best := make([][]float64, len(a)+1)
	likeness := make([][]float64, len(a))
	best[len(a)] = make([]float64, len(b)+1)
	for i := len(a) - 1; i >= 0; i-- {
		best[i], likeness[i] = make([]float64, len(b)+1), make([]float64, len(b))
		for j := len(b) - 1; j >= 0; j-- {
			best[i][j] = max(best[i+1][j], best[i][j+1])
			likeness[i][j] = alike(wordsA[i], wordsB[j])
			if likeness[i][j] >= leastAlike {
				best[i][j] = max(best[i][j], likeness[i][j]+best[i+1][j+1])
			}
		}
	}
	var all []paired
	i, j := 0, 0
	for i < len(a) && j < len(b) {
		switch {
		case likeness[i][j] >= leastAlike && best[i][j] == likeness[i][j]+best[i+1][j+1]:
			all = append(all, paired{i, j})
			i++
			j++
		case best[i][j] == best[i+1][j]:
			all = append(all, paired{i, -1})
			i++
		default:
			all = append(all, paired{-1, j})
			j++
		}
	}
	for ; i < len(a); i++ {
		all = append(all, paired{i, -1})
	}
	for ; j < len(b); j++ {
		all = append(all, paired{-1, j})
	}
	return all
}

func inOrder(a, b int) []paired {
	all := make([]paired, max(a, b))
	for i := range all {
		all[i] = paired{i, i}
		if i >= a {
			all[i].a = -1
		}
		if i >= b {
			all[i].b = -1
		}
	}
	return all
}

func allWords(lines []string) [][]string {
	all := make([][]string, len(lines))
	for i, l := range lines {
		for _, word := range words(cut(l, mostLine)) {
			if strings.TrimSpace(word) != "" {
				all[i] = append(all[i], word)
			}
		}
	}
	return all
}

// marked returns two lines with their differing words marked. Long lines are cut to the
// part in which the difference begins.
func marked(was, is string) (a, b []part) {
	if len(was) > mostLine || len(is) > mostLine {
		same := 0
		for same < min(len(was), len(is)) && was[same] == is[same] {
			same++
		}
		if start := max(same-mostLine/4, 0); start > 0 {
			for !utf8.RuneStart(was[start]) {
				start-- // the same bytes on both sides
			}
			was, is = "…"+was[start:], "…"+is[start:]
		}
		was, is = cut(was, mostLine), cut(is, mostLine)
	}
	x, y := words(was), words(is)
	if len(x) > mostWords || len(y) > mostWords {
		return []part{{was, true}}, []part{{is, true}}
	}
	i, j := 0, 0
	for _, c := range align(x, y) {
		a = append(a, part{strings.Join(x[i:c.Start], ""), false}, part{strings.Join(x[c.Start:c.End], ""), true})
		b = append(b, part{strings.Join(y[j:c.ReplStart], ""), false}, part{strings.Join(y[c.ReplStart:c.ReplEnd], ""), true})
		i, j = c.End, c.ReplEnd
	}
	a, b = append(a, part{strings.Join(x[i:], ""), false}), append(b, part{strings.Join(y[j:], ""), false})
	empty := func(p part) bool { return p.Text == "" }
	return slices.DeleteFunc(a, empty), slices.DeleteFunc(b, empty)
}

// cut returns the longest beginning of a text that has at most so many bytes and ends
// between characters.
func cut(text string, most int) string {
	if len(text) <= most {
		return text
	}
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	return text[:most]
}

// words divides a line: runs of letters and digits, with the points and commas
// inside of numbers; runs of blanks; single signs.
func words(s string) []string {
	var all []string
	runes := []rune(s)
	for i := 0; i < len(runes); {
		j := i + 1
		switch {
		case isWord(runes[i]):
			for j < len(runes) && (isWord(runes[j]) || insideNumber(runes, j)) {
				j++
			}
		case unicode.IsSpace(runes[i]):
			for j < len(runes) && unicode.IsSpace(runes[j]) {
				j++
			}
		}
		all = append(all, string(runes[i:j]))
		i = j
	}
	return all
}

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' }

func insideNumber(runes []rune, at int) bool {
	return (runes[at] == '.' || runes[at] == ',') && unicode.IsDigit(runes[at-1]) && at+1 < len(runes) && unicode.IsDigit(runes[at+1])
}

// side is one side of a row; Class colours it.
type side struct {
	Line  *line
	Class string
}

func (r row) WasSide() side { return r.side(r.Was, "lost") }
func (r row) IsSide() side  { return r.side(r.Is, "added") }

func (r row) side(l *line, class string) side {
	if r.Kind == "same" {
		class = ""
	}
	return side{l, class}
}
