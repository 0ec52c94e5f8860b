package libcatalog

import (
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/ratio"
	"agentd/domains/internal/sets"
)

const counted = "record"

func stats(c collection) domains.Stats {
	materials, fields := map[rune]bool{}, 0
	for i := range c.records {
		materials[c.records[i].material()] = true
		fields += len(c.records[i].fields)
	}
	return domains.Stats{Elements: len(c.records), Counts: []domains.Count{
		{Name: "Records", Value: strconv.Itoa(len(c.records))},
		{Name: "Material Types", Value: strconv.Itoa(len(materials))},
		{Name: "Total Fields", Value: strconv.Itoa(fields)},
	}}
}

// material is the type of record at leader/06, a blank if the leader ends before it.
func (r *record) material() rune { return r.leaderAt(6) }

func (r *record) leaderAt(position int) rune {
	if leader := []rune(r.leader); position < len(leader) {
		return leader[position]
	}
	return ' '
}

// score is coverage · (0.05 leader + 0.05 control + 0.9 data).
func score(reference, candidate collection) domains.Reading {
	reading := domains.Reading{
		Elements: domains.Elements{Reference: len(reference.records), Candidate: len(candidate.records)},
	}
	if len(candidate.records) == 0 && len(candidate.faults) > 0 {
		reading.Problem = errors.Join(candidate.faults...).Error()
	}
	refs, gots := byID(reference.records), byID(candidate.records)
	coverage := shareOfIDs(reference.records, candidate.records, refs, gots)
	var leader, control, data float64
	common := 0
	for _, id := range slices.Sorted(maps.Keys(refs)) {
		got, ok := gots[id]
		if !ok {
			continue
		}
		common++
		leader += leaderSimilarity(refs[id].leader, got.leader)
		control += controlSimilarity(refs[id], got)
		data += dataSimilarity(refs[id], got)
	}
	if common > 0 {
		leader /= float64(common)
		control /= float64(common)
		data /= float64(common)
	}
	reading.Components = map[string]float64{"coverage": coverage, "leader": leader, "control": control, "data": data}
	// The conversions keep products and sums from being fused on some machines.
	reading.RS = coverage * (float64(0.05*leader) + float64(0.05*control) + float64(0.9*data))
	return reading
}

// byID returns the records with a control number, the last of each.
func byID(records []record) map[string]*record {
	table := make(map[string]*record, len(records))
	for i := range records {
		if id := records[i].id(); id != "" {
			table[id] = &records[i]
		}
	}
	return table
}

// shareOfIDs is the share of common control numbers; where neither side has one, that of the numbers of records.
func shareOfIDs(reference, candidate []record, refs, gots map[string]*record) float64 {
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
func controlSimilarity(ref, got *record) float64 {
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
	if union == 0 {
		return 1
	}
	return sum / float64(union)
}

func lastData(r *record) map[string]string {
	table := make(map[string]string, len(r.fields))
	for i := range r.fields {
		table[r.fields[i].tag] = pytext.Strip(r.fields[i].data)
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
func dataSimilarity(ref, got *record) float64 {
	if similarity, empty := sets.EitherEmpty(ref.fields, got.fields); empty {
		return similarity
	}
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

func byTag(r *record) map[string][]comparedField {
	table := make(map[string][]comparedField, len(r.fields))
	for i := range r.fields {
		f := &r.fields[i]
		c := comparedField{indicator: f.indicator}
		if f.control {
			c.indicator = [2]string{" ", " "}
		}
		for _, s := range f.subfields {
			c.subfields = append(c.subfields, s.code+"="+pytext.Strip(s.value))
		}
		const between = "\x1f" // a character that XML cannot hold
		c.label = strings.Join(append(c.indicator[:], c.subfields...), between)
		table[f.tag] = append(table[f.tag], c)
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
