package domains

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"

	"agentd/domains/internal/element"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// Expectation is what a forward step should make: what its oracle makes. The state between the two steps can be of any
// format, so files are paired by name and flattened by what they are: files of the domain into its elements, tables
// into rows, JSON into its entries, anything else into lines. Every element weighs the same, and one that stands in
// another file than expected is lost here and added there. Files that the step must leave as they are do not count. Its
// methods may be called concurrently.
type Expectation struct {
	domain   Domain
	start    *Start
	files    vfs.Files
	elements map[string]func() []Element // by file, read when they are first needed
	same     vfs.Files                   // that the oracle leaves as they are
}

// Start are the documents that steps begin with. Their elements are read once, when they are first needed.
type Start struct {
	domain   Domain
	files    vfs.Files
	elements map[string]func() []Element // by file
}

// StartWith are documents that several steps begin with. The domain may be nil, as of ExpectLines.
func StartWith(d Domain, files vfs.Files) *Start {
	s := &Start{d, files, make(map[string]func() []Element, len(files))}
	for name, content := range files {
		s.elements[name] = sync.OnceValue(func() []Element { return FileElements(d, name, content) })
	}
	return s
}

// fileElements flattens a file.
func (s *Start) fileElements(name, content string) []Element {
	if known, ok := s.elements[name]; ok && s.files[name] == content {
		return known()
	}
	return FileElements(s.domain, name, content)
}

// Expect reads what is expected at most once for all that is compared with it. before are the documents
// that the step begins with; files that are expected as they were then do not count, unless all are.
func Expect(d Domain, before, expected vfs.Files) *Expectation {
	return StartWith(d, before).Expect(expected)
}

// Expect is the function of this name.
func (s *Start) Expect(expected vfs.Files) *Expectation {
	d, before := s.domain, s.files
	x := &Expectation{domain: d, start: s, files: vfs.Files{}, same: vfs.Files{}, elements: make(map[string]func() []Element, len(expected))}
	for name, content := range expected {
		if was, there := before[name]; there && was == content {
			x.same[name] = content
		} else {
			x.files[name] = content
		}
	}
	if len(x.files) == 0 {
		x.files, x.same = x.same, x.files
	}
	for name, content := range x.files {
		x.elements[name] = sync.OnceValue(func() []Element { return s.fileElements(name, content) })
	}
	return x
}

// ExpectLines is Expect by the lines of the files alone, whatever they are.
func ExpectLines(before, expected vfs.Files) *Expectation { return Expect(nil, before, expected) }

// Score is 1 only if Compare finds no difference: by the elements and, where they do not tell, by the lines (damage) and by elements
// that weigh nothing. approximate is as in Score.Approximate.
func (x *Expectation) Score(got vfs.Files) (score float64, approximate string) {
	if x.apart(got) {
		return 0, ""
	}
	sides := x.sides(got)
	var noted Notes
	if score = element.StrictOfSides(lists.Map(sides, func(s side) element.Sides { return s.Sides }), &noted); score == 1 {
		weightless := func(s side) bool { return weightless(s.Reference) || weightless(s.Candidate) }
		if score, _ = x.damage(got); score == 1 && slices.ContainsFunc(sides, weightless) {
			ref, candidate := flatten(sides, false)
			score = x.without(element.Compare(ref, candidate, "").Differences)
		}
	}
	return score, noted.String()
}

// apart reports whether no file has a name that is expected, and something in them weighs. Then nothing can be paired, so that
// what is expected need not be read.
func (x *Expectation) apart(got vfs.Files) bool {
	weighs := false
	for name, content := range got {
		if _, expected := x.files[name]; expected {
			return false
		}
		if _, same := x.same[name]; !same && !weighs {
			weighs = slices.ContainsFunc(x.start.fileElements(name, content), func(e Element) bool { return !e.Weightless })
		}
	}
	for name, content := range x.files {
		weighs = weighs || (x.domain == nil || !ofDomain(x.domain, name)) && strings.TrimSpace(content) != "" // each line, if nothing else
	}
	return weighs
}

func weightless(elements []Element) bool {
	return slices.ContainsFunc(elements, func(e Element) bool { return e.Weightless })
}

// without is the share of lines without these differences, of elements that weigh nothing in Strict, such as comments.
func (x *Expectation) without(differences []Difference) float64 {
	all := 0
	for _, content := range x.files {
		all += len(contentLines(content))
	}
	return 1 - float64(min(len(differences), all))/float64(max(all, 1))
}

// Compare also names the differences, which costs more than the score.
func (x *Expectation) Compare(got vfs.Files) (float64, []Difference) {
	ref, candidate := flatten(x.sides(got), true)
	c := element.Compare(ref, candidate, "")
	if c.Strict < 1 {
		return c.Strict, c.Differences
	}
	if share, found := x.damage(got); share < 1 {
		return share, found
	}
	return x.without(c.Differences), c.Differences
}

// side are the elements of a file.
type side struct {
	name string
	element.Sides
}

// sides returns the elements of both by file. Of documents that both have, what Strict forgives is forgiven here too.
func (x *Expectation) sides(got vfs.Files) []side {
	all := make([]side, 0, len(x.files)+len(got))
	for _, name := range x.files.Names() {
		wanted := x.elements[name]()
		made, both := got[name]
		if !both {
			all = append(all, side{name, element.Sides{Reference: wanted}})
			continue
		}
		is := wanted
		if made != x.files[name] {
			is = x.start.fileElements(name, made)
		}
		if x.domain != nil && ofDomain(x.domain, name) {
			wanted, is = x.domain.Forgiven(wanted, is)
		}
		all = append(all, side{name, element.Sides{Reference: wanted, Candidate: is}})
	}
	for _, name := range got.Names() {
		_, known := x.files[name]
		if _, same := x.same[name]; !known && !same {
			all = append(all, side{name, element.Sides{Candidate: x.start.fileElements(name, got[name])}})
		}
	}
	return all
}

// flatten returns the elements of both in one list each, each kind named by the file it stands in, and on demand each key too.
func flatten(sides []side, keys bool) (ref, candidate []Element) {
	for _, s := range sides {
		ref, candidate = appendNamed(ref, s.name, s.Reference, keys), appendNamed(candidate, s.name, s.Candidate, keys)
	}
	return ref, candidate
}

// FileElements flattens one file by what it is; see Expectation.
func FileElements(d Domain, name, content string) []Element {
	var elements []Element
	switch {
	case d == nil:
	case ofDomain(d, name):
		elements = d.Elements(vfs.Files{name: content})
	case path.Ext(name) == ".csv":
		elements = tableElements(content)
	case path.Ext(name) == ".json":
		elements = jsonElements(content)
	case path.Ext(name) == ".jsonl":
		elements = jsonLines(content)
	}
	if elements == nil {
		elements = lineElements(content)
	}
	return elements
}

// Readable returns why a file cannot be read as what its name says it is: a document of the domain,
// a CSV table, JSON or lines of JSON. Anything else can be read.
func Readable(d Domain, name, content string) error {
	switch {
	case ofDomain(d, name):
		return d.CheckReference(vfs.Files{name: content})
	case path.Ext(name) == ".csv":
		_, err := plain.ReadCSV(content)
		return err
	case path.Ext(name) == ".json" && !json.Valid([]byte(content)):
		return errors.New("it is no JSON")
	case path.Ext(name) == ".jsonl" && jsonLines(content) == nil:
		return errors.New("not every line is JSON")
	}
	return nil
}

func appendNamed(all []Element, name string, elements []Element, keys bool) []Element {
	all = slices.Grow(all, len(elements))
	kind, named := "", ""
	for _, e := range elements {
		if e.Kind != kind || named == "" {
			kind, named = e.Kind, name+" "+e.Kind
		}
		e.Kind = named
		if keys {
			e.Key = name + ", " + e.Key
		}
		all = append(all, e)
	}
	return all
}

func ofDomain(d Domain, name string) bool {
	return slices.ContainsFunc(d.Info().Patterns, func(p string) bool { return vfs.Matches(p, name) })
}

// tableElements makes an element of each row, its fields named by the header.
func tableElements(text string) []Element {
	records, err := plain.ReadCSV(text)
	if err != nil || len(records) == 0 {
		return nil
	}
	header := Element{Kind: "header", Key: "header"}
	for _, name := range records[0] {
		header.Fields = append(header.Fields, Field{Name: "column", Value: strings.TrimSpace(name)})
	}
	elements := append(make([]Element, 0, len(records)), header)
	for n, record := range records[1:] {
		row := numbered("row", "row", n, make([]Field, 0, len(record)))
		for k, cell := range record {
			row.Fields = append(row.Fields, Field{Name: columnName(header, k), Value: strings.TrimSpace(cell)})
		}
		elements = append(elements, row)
	}
	return elements
}

// numbered is an element by its place, from 0.
func numbered(kind, what string, n int, fields []Field) Element {
	return Element{Kind: kind, Key: what + " " + strconv.Itoa(n+1), Fields: fields, Position: n + 1}
}

// columnName is the name of a column, by its number where it has none.
func columnName(header Element, k int) string {
	if k < len(header.Fields) {
		return header.Fields[k].Value
	}
	return fmt.Sprintf("column %d", k+1)
}

// jsonElements makes an element of each entry of the outermost array or
// object, its fields named by the paths of its leaves.
func jsonElements(text string) []Element {
	var value any
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		return nil
	}
	var elements []Element
	switch outer := value.(type) {
	case []any:
		for n, entry := range outer {
			elements = append(elements, numbered("entry", "entry", n, leaves(nil, "", entry)))
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(outer)) {
			elements = append(elements, Element{Kind: "entry", Key: name, Fields: leaves(nil, name, outer[name])})
		}
	default:
		elements = []Element{{Kind: "value", Key: "value", Fields: leaves(nil, "", value)}}
	}
	return elements
}

func jsonLines(text string) []Element {
	var elements []Element
	for n, line := range plain.Lines(text) {
		var value any
		if err := json.Unmarshal([]byte(line), &value); err != nil {
			return nil
		}
		elements = append(elements, numbered("entry", "line", n, leaves(nil, "", value)))
	}
	return elements
}

func leaves(fields []Field, at string, value any) []Field {
	switch v := value.(type) {
	case []any:
		for n, item := range v {
			fields = leaves(fields, at+"/"+strconv.Itoa(n), item)
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			fields = leaves(fields, at+"/"+name, v[name])
		}
	default:
		fields = append(fields, Field{Name: strings.TrimPrefix(at, "/"), Value: fmt.Sprint(value)})
	}
	return fields
}

// lineElements makes an element of each line that is not blank.
func lineElements(text string) []Element {
	var elements []Element
	for n, line := range plain.Lines(text) {
		if line = strings.TrimRight(line, " \t"); line != "" {
			elements = append(elements, numbered("line", "line", n, []Field{{Value: line}}))
		}
	}
	return elements
}
