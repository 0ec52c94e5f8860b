package recipe

import (
	"strconv"
	"strings"
	"unicode"

	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	published "agentd/domains/published/recipe"
)

// line is a line of a recipe.
type line struct {
	raw     string          // as it stands in the file
	label   published.Label // of a record
	number  published.Ordinal
	text    string // of a record or heading, without marks around it
	heading bool
	section string // the heading it stands under
	bare    bool   // of a record: it has neither a label nor a number
}

// counts reports whether a line is a record of a counted sort.
func (l *line) counts() bool { return l.label == published.Ingredient || l.label == published.Step }

// read reads a file of any name, tolerantly. A record may have its label in any case and emphasised, or, under a
// heading that says what is listed, be an item of a numbered list.
//
// A recipe without any such record that has a heading for its ingredients is read as people write recipes: each line below that heading is an
// ingredient, and each line below the one for the method a step.
func read(text string) []line {
	lines := readLabelled(text)
	for i := range lines {
		if lines[i].counts() {
			return lines
		}
	}
	if bare := readBare(text); bare != nil {
		return bare
	}
	return lines
}

func readLabelled(text string) []line {
	raw := plain.Lines(text)
	lines := make([]line, 0, len(raw))
	var under outline
	for _, r := range raw {
		l := line{raw: r, section: under.section}
		trimmed := pytext.Strip(r)
		if readRecord(trimmed, &l) || under.lists != "" && readItem(trimmed, under.lists, &l) {
			lines = append(lines, l)
			continue
		}
		if title, level := readHeading(trimmed); level > 0 {
			l.heading, l.text = true, title
			under.enter(title, level)
		}
		lines = append(lines, l)
	}
	return lines
}

// bareHeading is a heading that nothing but its word marks.
var bareHeading = pytext.Pattern(`^(?i:ingredients?|method|directions|instructions|preparation|steps|notes|tips|variations|to serve)$`)

// readBare reads a recipe whose records have no labels; nil if it has no heading for ingredients with two of them, or no step.
func readBare(text string) []line {
	var lines []line
	var under outline
	counts := map[published.Label]int{}
	for _, r := range plain.Lines(text) {
		l := line{raw: r, section: under.section}
		trimmed := pytext.Strip(r)
		title, level := readHeading(trimmed)
		if level == 0 && bareHeading.MatchString(trimmed) {
			title, level = trimmed, colonLevel
		}
		switch {
		case level > 0:
			l.heading, l.text = true, title
			under.enter(title, level)
		case under.lists != "" && trimmed != "" && !isRuler(trimmed) && !bareNote.MatchString(trimmed):
			counts[under.lists]++
			l.label, l.number, l.bare = under.lists, published.OrdinalOf(strconv.Itoa(counts[under.lists])), true
			l.text = bareItem.ReplaceAllString(trimmed, "")
		}
		lines = append(lines, l)
	}
	if counts[published.Ingredient] < 2 || counts[published.Step] == 0 {
		return nil
	}
	return lines
}

// bareNote is a line that is neither ingredient nor step wherever it stands.
var bareNote = pytext.Pattern(`^(?i:notes?|tips?|source|serves|makes|yield)\s*:`)

var bareItem = pytext.Pattern(`^(?:[-*+•]|\d+[.)])\s+`)

// outline is where in the headings of a recipe a reader is.
type outline struct {
	section string
	lists   published.Label // what the section lists
	level   int             // of the heading that says so
}

func (o *outline) enter(title string, level int) {
	o.section = title
	if lists := listed(title); lists != "" {
		o.lists, o.level = lists, level
	} else if level <= o.level {
		o.lists, o.level = "", 0
	}
}

// listed is what a heading says is listed below it.
func listed(title string) published.Label {
	title = strings.ToLower(title)
	for _, said := range []struct {
		word string
		published.Label
	}{
		{"ingredient", published.Ingredient}, {"tip", published.Tip},
		{"step", published.Step}, {"method", published.Step}, {"preparation", published.Step}, {"instruction", published.Step}, {"direction", published.Step},
	} {
		if strings.Contains(title, said.word) {
			return said.Label
		}
	}
	return ""
}

// readRecord reads a line such as "Step 3: Stir." or "- **step 3:** Stir.".
func readRecord(s string, l *line) bool {
	for _, bullet := range []string{"- ", "* ", "+ ", "• "} {
		s = pytext.StripLeft(strings.TrimPrefix(s, bullet))
	}
	emphasis := s[:len(s)-len(strings.TrimLeft(s, "*_"))]
	s = s[len(emphasis):]
	named := labelOf(s)
	s = s[len(named):]
	numbered := pytext.StripLeft(s)
	rest := strings.TrimLeftFunc(numbered, unicode.IsDigit)
	number := numbered[:len(numbered)-len(rest)]
	text, found := strings.CutPrefix(strings.TrimPrefix(rest, emphasis), ":")
	if named == "" || len(numbered) == len(s) || number == "" || !found {
		return false
	}
	if emphasis != "" {
		if after, closed := strings.CutPrefix(text, emphasis); closed {
			text = after
		} else {
			text = strings.TrimSuffix(text, emphasis)
		}
	}
	l.label, l.number, l.text = named, published.OrdinalOf(number), pytext.Strip(text)
	return true
}

// labelOf is the label that a text begins with, in any case.
func labelOf(s string) published.Label {
	for _, l := range []published.Label{published.Ingredient, published.Step, published.Tip} {
		if len(s) > len(l) && strings.EqualFold(s[:len(l)], string(l)) {
			return l
		}
	}
	return ""
}

var listItem = pytext.Pattern(`^(\d+)[.)]\s+(.*)$`)

// readItem reads an item of a numbered list: "3. Stir." or "3) Stir.".
func readItem(s string, lists published.Label, l *line) bool {
	found := listItem.FindStringSubmatch(s)
	if found == nil {
		return false
	}
	l.label, l.number, l.text = lists, published.OrdinalOf(found[1]), found[2]
	return true
}

// colonLevel is the level of a heading that only its colon, or its word, marks.
const colonLevel = 8

// longestHeading is the length of a line that, by its last colon alone, is taken for a heading.
const longestHeading = 80

// readHeading reads a heading: "## For the dough", "**For the dough**" or "For the
// dough:". Level 1 is the highest; 0 says that a line is none.
func readHeading(s string) (title string, level int) {
	const bold = 7
	inner := strings.TrimLeft(s, "#")
	switch {
	case len(inner) < len(s):
		level = len(s) - len(inner)
	case len(s) > len("****") && strings.HasPrefix(s, "**") && strings.HasSuffix(s, "**"):
		level = bold
	case strings.HasSuffix(s, ":") && len(s) <= longestHeading:
		level = colonLevel
	default:
		return "", 0
	}
	title = strings.TrimSuffix(strings.Trim(pytext.Strip(inner), "*_"), ":")
	return pytext.Collapse(title), level
}

// isRuler reports whether a line only divides what is around it.
func isRuler(s string) bool { return strings.Trim(s, "-=_*~ ") == "" }

// write writes lines as they stand.
func write(lines []line) string {
	raw := make([]string, len(lines))
	for i := range lines {
		raw[i] = lines[i].raw
	}
	return plain.Text(raw)
}
