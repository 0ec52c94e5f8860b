package satellite

import (
	"cmp"
	"slices"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/element"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	published "agentd/domains/published/satellite"
	"agentd/vfs"
)

// elements are those of files of any name, comments with the element set below them.
func elements(files vfs.Files) []domains.Element {
	all := format.Elements(files)
	placeComments(all, func(string) bool { return true })
	return all
}

// theEnd stands for the element set below the last comment.
const theEnd = "the end"

// placeComments says of each comment above which element set it stands, of those that count.
func placeComments(elements []domains.Element, counts func(set string) bool) {
	below, belowKey := theEnd, theEnd
	for i := len(elements) - 1; i >= 0; i-- {
		e := &elements[i]
		switch e.Kind {
		case counted:
			if set := dated(e); counts(set) {
				below, belowKey = set, e.Key
			}
		case commentKind:
			if e.Key == "" {
				e.Key = "comment above " + belowKey
			}
			e.Fields = []domains.Field{e.Fields[0], {Name: "stands above", Value: below}}
		}
	}
}

// dated tells the sets of one object apart: "20580 HST of 24044.5".
func dated(set *domains.Element) string {
	return set.Key + " of " + set.Value(published.Columns[published.Year].Name) + set.Value(published.Columns[published.Day].Name)
}

// forgives leaves out the comments that only one side has: the format has none, and its readers skip them. The place of
// a comment is told by the element sets that both sides have, so that a lost or added one changes no comment.
func forgives(reference, candidate []domains.Element) (ref, got []domains.Element) {
	ref, got = slices.Clone(reference), slices.Clone(candidate)
	replaced := replaceComments(ref, got)
	ref, got = element.Harmless{Kind: commentKind, MayGo: true}.Forgive(ref, got)
	for _, elements := range [][]domains.Element{ref, got} {
		for i := range elements {
			if replaced && elements[i].Kind == replacedKind {
				elements[i].Kind = commentKind
			}
		}
	}
	inRef, inGot := setsOf(ref), setsOf(got)
	inBoth := func(set string) bool { return inRef[set] && inGot[set] }
	placeComments(ref, inBoth)
	placeComments(got, inBoth)
	return ref, got
}

// replacedKind is that of comments that say something else in the same place.
const replacedKind = "replaced comment"

// replaceComments gives that kind to the only comment above an element set on each side, if both say what the
// other side says nowhere. It reports whether there are any.
func replaceComments(ref, got []domains.Element) (any bool) {
	above := func(elements []domains.Element) (only map[string]*domains.Element, says map[string]bool) {
		only, says = map[string]*domains.Element{}, map[string]bool{}
		for i := range elements {
			e := &elements[i]
			if e.Kind != commentKind {
				continue
			}
			place := e.Fields[1].Value
			if _, more := only[place]; more {
				e = nil
			}
			only[place] = e
			says[elements[i].Fields[0].Value] = true
		}
		return only, says
	}
	inRef, saidInRef := above(ref)
	inGot, saidInGot := above(got)
	for place, was := range inRef {
		is := inGot[place]
		if was == nil || is == nil || saidInGot[was.Fields[0].Value] || saidInRef[is.Fields[0].Value] {
			continue
		}
		was.Kind, is.Kind, any = replacedKind, replacedKind, true
	}
	return any
}

func setsOf(elements []domains.Element) map[string]bool {
	sets := map[string]bool{}
	for i := range elements {
		if elements[i].Kind == counted {
			sets[dated(&elements[i])] = true
		}
	}
	return sets
}

// title is the name in capitals, as the format has it, without the line number of the three-line form.
func (e *entry) title() string {
	name := strings.ToUpper(plain.SingleBlanks(e.name.Text))
	if name == "0" {
		return ""
	}
	return strings.TrimPrefix(name, "0 ")
}

// key names an element set as trackers do: "20580 HST".
func key(title string, f *published.Fields) string {
	return strings.TrimSpace(cmp.Or(f[published.Catalog], f[published.CatalogTwo]) + " " + title)
}

// read takes the fields from both lines, by their columns or otherwise by their words, and says what is wrong with them.
func (e *entry) read() (f published.Fields, faults []domains.Field) {
	lines := [2]string{pytext.Strip(e.one.Text), pytext.Strip(e.two.Text)}
	f = published.ReadFields(lines[0], lines[1])
	for k, line := range lines {
		which := [2]string{"line 1", "line 2"}[k]
		body, rest := "", ""
		if !separated(line, k+1) {
			faults = append(faults, domains.Field{Name: element.ColumnsOf + which, Value: element.ColumnsLost})
			if readWords(&f, line, k+1) {
				body = line[:len(line)-1]
			}
		}
		if body == "" {
			body, rest = cutLine(line)
		}
		if rest != "" {
			faults = append(faults, domains.Field{Name: "after " + which, Value: rest})
		}
		// A checksum is replaced by whether it fits, so that a change together with its line's checksum is one change.
		switch sum := &f[[2]int{published.Checksum, published.ChecksumTwo}[k]]; *sum {
		case "":
		case string(checksumOf(body)):
			*sum = "fits"
		default:
			*sum += " is wrong"
		}
	}
	return f, faults
}

// comparedFields are the fields that are not empty, by the meaning of their columns.
func comparedFields(title string, f *published.Fields) []domains.Field {
	compared := make([]domains.Field, 0, 1+published.FieldCount)
	add := func(name, value string) {
		if value != "" {
			compared = append(compared, domains.Field{Name: name, Value: value})
		}
	}
	add("name", title)
	for k, value := range f {
		switch k {
		case published.Class, published.Designator, published.Eccentricity, published.Ephemeris, published.Checksum, published.ChecksumTwo:
		case published.MotionDotDot, published.Bstar:
			value = normalDecimal(value)
		default:
			value = plain.Number(value)
		}
		add(published.Columns[k].Name, value)
	}
	return compared
}

// normalDecimal writes a number with an assumed decimal point without a plus
// before it, and zero with any exponent as "0".
func normalDecimal(text string) string {
	_, decimals, _, ok := published.CutDecimal(text)
	if ok && strings.Trim(decimals, "0") == "" {
		return "0"
	}
	return strings.TrimPrefix(text, "+")
}

// wellFormed checks that lines 1 and 2 follow each other and are 69 characters long.
func wellFormed(_, text string) []domains.Slip {
	var all []domains.Slip
	n, first := 0, 0
	slip := func(line int, what string) { all = append(all, domains.Slip{Line: line, What: what}) }
	for line := range strings.Lines(text) {
		n++
		line = strings.TrimRight(line, " \t\n")
		isFirst, isSecond := isLineOf(line, "1 "), isLineOf(line, "2 ")
		if (isFirst || isSecond) && len(line) < shortestLine {
			slip(n, "a line of elements is too short")
		}
		switch {
		case isSecond && first == 0:
			slip(n, "line 2 of an element set does not follow line 1")
		case first > 0 && !isSecond && line != "" && !strings.HasPrefix(line, "#"):
			slip(first, "line 1 of an element set is not followed by line 2")
		}
		switch {
		case isFirst:
			first = n
		case isSecond, line != "" && !strings.HasPrefix(line, "#"):
			first = 0
		}
	}
	if first > 0 {
		slip(first, "line 1 of an element set is not followed by line 2")
	}
	return all
}

// shortestLine is the length of a line of elements without its checksum.
const shortestLine = 68

func isLineOf(line, mark string) bool {
	return strings.HasPrefix(line, mark) && len(line) > 6 && line[2] >= '0' && line[2] <= '9' && line[6] >= '0' && line[6] <= '9'
}
