package libcatalog

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"agentd/domains"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/ratio"
	"agentd/domains/internal/sets"
	"agentd/domains/internal/xml"
)

// Stats counts the parts of a document.
func Stats(c Collection) domains.Stats {
	materials, fields := map[rune]bool{}, 0
	for i := range c.records {
		materials[c.records[i].material()] = true
		fields += len(c.records[i].Fields)
	}
	return domains.StatsOf(len(c.records), "Records", len(c.records), "Material Types", len(materials),
		"Total Fields", fields)
}

// material is the type of record at leader/06, a blank if the leader ends before it.
func (r *Record) material() rune {
	if leader := []rune(r.Leader); len(leader) > 6 {
		return leader[6]
	}
	return ' '
}

// Score is coverage · (0.05 leader + 0.05 control + 0.9 data).
func Score(reference, candidate Collection) domains.Reading {
	reading := domains.Reading{
		Elements: domains.Elements{Reference: len(reference.records), Candidate: len(candidate.records)},
	}
	if len(candidate.records) == 0 && len(candidate.faults) > 0 {
		reading.Problem = errors.Join(candidate.faults...).Error()
	}
	refs, gots := byID(reference.records), byID(candidate.records)
	coverage := shareOfIDs(reference.records, candidate.records, refs, gots)
	var leaderMean, controlMean, dataMean sets.Mean
	for _, id := range slices.Sorted(maps.Keys(refs)) {
		if got, ok := gots[id]; ok {
			leaderMean.Add(leaderSimilarity(refs[id].Leader, got.Leader))
			controlMean.Add(controlSimilarity(refs[id], got))
			dataMean.Add(dataSimilarity(refs[id], got))
		}
	}
	leader, control, data := leaderMean.Or(0), controlMean.Or(0), dataMean.Or(0)
	reading.Components = map[string]float64{"coverage": coverage, "leader": leader, "control": control, "data": data}
	// The conversions keep products and sums from being fused on some machines.
	reading.RS = coverage * (float64(0.05*leader) + float64(0.05*control) + float64(0.9*data))
	return reading
}

// byID returns the records with a control number, the last of each.
func byID(records []Record) map[string]*Record {
	table := make(map[string]*Record, len(records))
	for i := range records {
		if id := records[i].ID(); id != "" {
			table[id] = &records[i]
		}
	}
	return table
}

// shareOfIDs is the share of common control numbers; where neither side has one, that of the numbers of records.
func shareOfIDs(reference, candidate []Record, refs, gots map[string]*Record) float64 {
	switch shorter, longer := min(len(reference), len(candidate)), max(len(reference), len(candidate)); {
	case longer == 0:
		return 1
	case shorter == 0:
		return 0
	case len(refs) == 0 && len(gots) == 0:
		return float64(shorter) / float64(longer)
	}
	return sets.Jaccard(slices.Collect(maps.Keys(refs)), slices.Collect(maps.Keys(gots)))
}

// leaderSimilarity is the share of positions with the same character.
func leaderSimilarity(ref, got string) float64 {
	if ref == got {
		return 1
	}
	a, b := []rune(ref), []rune(got)
	same := 0
	for i := range min(len(a), len(b)) {
		if a[i] == b[i] {
			same++
		}
	}
	return float64(same) / float64(max(len(a), len(b)))
}

// controlSimilarity compares the data of the last field of each tag. A data field has none.
func controlSimilarity(ref, got *Record) float64 {
	refs, gots := lastData(ref), lastData(got)
	sum, union := 0.0, len(gots)
	for _, tag := range slices.Sorted(maps.Keys(refs)) {
		is, both := gots[tag]
		switch was := refs[tag]; {
		case !both:
			union++
		case was == is:
			sum++
		default:
			sum += 0.5 * ratio.Of(was, is)
		}
	}
	return sum / float64(union)
}

func lastData(r *Record) map[string]string {
	table := make(map[string]string, len(r.Fields))
	for i := range r.Fields {
		table[r.Fields[i].Tag] = pytext.Strip(r.Fields[i].Data)
	}
	return table
}

// comparedField is a field as dataSimilarity sees it: a control field has neither indicators nor subfields.
type comparedField struct {
	indicator [2]string
	subfields []string // code=value
	label     string   // equal for equal fields
}

// dataSimilarity is the mean over the tags of both sides, each weighted by how
// often the side that has it more often has it.
func dataSimilarity(ref, got *Record) float64 {
	refs, gots := byTag(ref), byTag(got)
	sum, weight := 0.0, 0
	for _, tag := range slices.Sorted(maps.Keys(refs)) {
		sum += tagSimilarity(refs[tag], gots[tag]) // already times its weight
		weight += max(len(refs[tag]), len(gots[tag]))
	}
	for tag, fields := range gots {
		if refs[tag] == nil {
			weight += len(fields)
		}
	}
	return sum / float64(weight)
}

func byTag(r *Record) map[string][]comparedField {
	table := make(map[string][]comparedField, len(r.Fields))
	for i := range r.Fields {
		f := &r.Fields[i]
		c := comparedField{indicator: f.Indicator}
		if f.Control {
			c.indicator = [2]string{" ", " "}
		}
		for _, s := range f.Subfields {
			c.subfields = append(c.subfields, s.Code+"="+pytext.Strip(s.Value))
		}
		const between = "\x1f" // a character that XML cannot hold
		c.label = strings.Join(append(c.indicator[:], c.subfields...), between)
		table[f.Tag] = append(table[f.Tag], c)
	}
	return table
}

// tagSimilarity sums the similarities of fields that are matched in the order
// of the reference, each to the most similar of those that are left.
func tagSimilarity(refs, gots []comparedField) float64 {
	identical := make(map[string][]int, len(gots))
	for j := range gots {
		identical[gots[j].label] = append(identical[gots[j].label], j)
	}
	used := make([]bool, len(gots))
	sum := 0.0
	for i := range refs {
		same := identical[refs[i].label]
		for len(same) > 0 && used[same[0]] {
			same = same[1:]
		}
		identical[refs[i].label] = same
		best, which := 1.0, -1
		if len(same) > 0 {
			which = same[0]
		} else {
			best, which = mostSimilar(&refs[i], gots, used)
		}
		if which >= 0 {
			used[which] = true
			sum += best
		}
	}
	return sum
}

func mostSimilar(ref *comparedField, gots []comparedField, used []bool) (best float64, which int) {
	which = -1
	for j := range gots {
		if used[j] {
			continue
		}
		if s := fieldSimilarity(ref, &gots[j]); s > best {
			best, which = s, j
		}
	}
	return best, which
}

func fieldSimilarity(ref, got *comparedField) float64 {
	sum := 0.0
	for n := range ref.indicator {
		if ref.indicator[n] == got.indicator[n] {
			sum += 0.5
		}
	}
	switch shorter := min(len(ref.subfields), len(got.subfields)); {
	case len(ref.subfields) == 0 && len(got.subfields) == 0:
		sum += 2
	case shorter > 0:
		sum += float64(2 * ratio.Tokens(ref.subfields, got.subfields, true))
	}
	return sum / 3
}

// The leader, and the field of the identifier.
const (
	LeaderLength  = 24
	defaultLeader = "          22        4500"
	idTag         = "001"
)

// ID is the control number, empty if there is none.
func (r *Record) ID() string {
	for i := range r.Fields {
		if r.Fields[i].Tag == idTag {
			return pytext.Strip(r.Fields[i].Data)
		}
	}
	return ""
}

// Text takes characters in (see [xml.Visitor]).
func (h *handler) Text(text string) { h.text = append(h.text, text) }

// Start begins a record or a part of one (see [xml.Visitor]).
func (h *handler) Start(n *xml.Node) {
	h.text = h.text[:0]
	name := xml.Local(n.Name)
	switch name {
	case "record":
		h.record = &Record{Leader: defaultLeader}
	case "controlfield", "datafield":
		tag, ok := n.Attribute("tag")
		if !ok {
			h.fail(errors.New("a field has no tag"))
		}
		h.field = newField(tag)
		if name == "datafield" {
			h.field.Indicator = Indicators(n)
		}
	case "subfield":
		var ok bool
		if h.code, ok = n.Attribute("code"); !ok {
			h.fail(errors.New("a subfield has no code"))
		}
	}
}

func (h *handler) fail(err error) {
	if h.err == nil {
		h.err = err
	}
}

// End ends a record or a part of one (see [xml.Visitor]).
func (h *handler) End(name string) {
	h.end(xml.Local(name), strings.Join(h.text, ""))
	h.text = h.text[:0]
}

func (h *handler) end(name, text string) {
	switch name {
	case "leader", "controlfield", "datafield":
		if h.record == nil {
			h.fail(fmt.Errorf("a %s ends in no record", name))
			return
		}
	}
	switch name {
	case "record":
		if h.record == nil {
			h.nested = fmt.Errorf("a record: %w", errNested)
			return
		}
		h.records = append(h.records, *h.record)
		h.record = nil
	case "leader":
		if utf8.RuneCountInString(text) != LeaderLength {
			h.fail(fmt.Errorf("the leader %q is not one of %d characters", text, LeaderLength))
		}
		h.record.Leader = text
	case "controlfield", "datafield":
		if h.field == nil {
			if name == "controlfield" {
				h.fail(errors.New("a controlfield ends in no field"))
			}
			h.nested = fmt.Errorf("a field: %w", errNested)
			return
		}
		if name == "controlfield" {
			h.field.Data = text
		}
		h.record.Fields = append(h.record.Fields, *h.field)
		h.field = nil
	case "subfield":
		if h.field == nil {
			h.fail(errors.New("a subfield ends in no field"))
			return
		}
		if !h.field.Control {
			h.field.Subfields = append(h.field.Subfields, Subfield{h.code, text})
		}
		h.code = "None" // Python's, of a subfield around this one
	}
}

// newField is a control field if its tag is one's, regardless of the element.
func newField(tag string) *Field {
	tag = ThreeDigits(tag)
	return &Field{Tag: tag, Control: isControl(tag), Indicator: [2]string{" ", " "}}
}

func isControl(tag string) bool {
	return tag < "010" && tag != "" && strings.Trim(tag, "0123456789") == ""
}

// Indicators are the two indicators of a field, blank where they are missing.
func Indicators(n *xml.Node) [2]string {
	pair := [2]string{" ", " "}
	for i, name := range []string{"ind1", "ind2"} {
		if value, _ := n.Attribute(name); value != "" {
			pair[i] = value
		}
	}
	return pair
}

// ThreeDigits prints a tag that is an integer with three digits. What an integer is is int()'s rule.
func ThreeDigits(tag string) string {
	if len(tag) == 3 && strings.Trim(tag, "0123456789") == "" {
		return tag
	}
	value, ok := pytext.Int(tag)
	if !ok {
		return tag
	}
	return strings.Repeat("0", max(3-len(value), 0)) + value
}
