package edifact

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/assign"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/notes"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/ratio"
	"agentd/domains/internal/sets"
)

// Score is messages² · items^1.5 · (0.20 header + 0.80 detail): the share of messages with a partner, and of the pairs
// the mean share of items found, of header segments that agree, and of what agrees of the items found. Without a
// message on either side it is 0.
func Score(reference, candidate []Brief, noted *notes.Notes) domains.Reading {
	reading := domains.Reading{
		Elements: domains.Elements{Reference: countItems(reference), Candidate: countItems(candidate)},
	}
	var messages, header, items, detail float64
	pairs := pairMessages(reference, candidate)
	for _, p := range pairs {
		ref, got := &reference[p.Row], &candidate[p.Col]
		header += headerAgreement(ref.header, got.header)
		found, agreement := compareItems(ref.items, got.items, noted)
		items += found
		detail += agreement
	}
	if n := float64(len(pairs)); n > 0 {
		messages = n / float64(len(reference))
		header, items, detail = header/n, items/n, detail/n
	}
	// Conversions keep the compiler from fusing products into the sum.
	agreement := float64(0.20*header) + float64(0.80*detail)
	reading.RS = messages * messages * math.Pow(items, 1.5) * agreement
	reading.Components = map[string]float64{
		"messages": messages, "header": header, "items": items, "detail": detail,
	}
	return reading
}

func countItems(messages []Brief) int {
	n := 0
	for i := range messages {
		n += len(messages[i].items)
	}
	return n
}

// pairMessages gives each message of the reference, in order, the most similar one left: of an equal order reference,
// otherwise of the nearest number of items; of equally near ones the first.
func pairMessages(reference, candidate []Brief) []assign.Pair {
	byRef, bySize := map[string][]int{}, map[int][]int{}
	for j := range candidate {
		ref, size := candidate[j].orderRef, len(candidate[j].items)
		byRef[ref] = append(byRef[ref], j)
		bySize[size] = append(bySize[size], j)
	}
	used := make([]bool, len(candidate))
	var pairs []assign.Pair
	for i := range reference {
		j := -1
		if ref := reference[i].orderRef; ref != "" {
			byRef[ref] = unused(byRef[ref], used)
			j = first(byRef[ref])
		}
		if j < 0 {
			j = nearestSize(len(reference[i].items), bySize, used)
		}
		if j < 0 {
			break
		}
		used[j] = true
		pairs = append(pairs, assign.Pair{Row: i, Col: j})
	}
	return pairs
}

func nearestSize(n int, bySize map[int][]int, used []bool) int {
	best, at := math.Inf(-1), -1
	for size, waiting := range bySize {
		waiting = unused(waiting, used)
		j := first(waiting)
		if j < 0 {
			delete(bySize, size)
			continue
		}
		bySize[size] = waiting
		nearness := 1 - float64(max(n-size, size-n))/float64(max(n, size, 1))
		if order := cmp.Compare(nearness, best); order > 0 || order == 0 && j < at {
			best, at = nearness, j
		}
	}
	return at
}

// unused drops the used ones at the front.
func unused(waiting []int, used []bool) []int {
	for len(waiting) > 0 && used[waiting[0]] {
		waiting = waiting[1:]
	}
	return waiting
}

func first(waiting []int) int {
	if len(waiting) == 0 {
		return -1
	}
	return waiting[0]
}

// headerAgreement is the mean of the tests whose segment the reference has: message type, last date, last reference,
// last currency, and the share of its parties. It is 1 if there are none.
func headerAgreement(ref, got []Segment) float64 {
	var tests sets.Mean
	if unh := Last(ref, "UNH"); unh != nil && len(unh.Elements) >= 2 {
		other := Last(got, "UNH")
		tests.Add(sets.OneIf(other != nil && len(other.Elements) >= 2 && slices.Equal(unh.Elements[1], other.Elements[1])))
	}
	for _, tag := range []string{"DTM", "RFF", "CUX"} {
		if s := Last(ref, tag); s != nil {
			tests.Add(sets.OneIf(equal(s, Last(got, tag))))
		}
	}
	if parties := parties(ref); len(parties) > 0 {
		kept := lists.Count(parties, func(party **Segment) bool {
			return slices.ContainsFunc(got, func(s Segment) bool { return equal(*party, &s) })
		})
		tests.Add(float64(kept) / float64(len(parties)))
	}
	return tests.Or(1)
}

// Last is the last segment with a tag; nil if there is none.
func Last(segments []Segment, tag string) *Segment {
	for i := len(segments) - 1; i >= 0; i-- {
		if segments[i].Tag == tag {
			return &segments[i]
		}
	}
	return nil
}

func equal(s, other *Segment) bool {
	return other != nil && s.Tag == other.Tag &&
		slices.EqualFunc(s.Elements, other.Elements, slices.Equal[[]string])
}

// parties are the distinct NAD segments.
func parties(segments []Segment) []*Segment {
	var distinct []*Segment
	for i := range segments {
		s := &segments[i]
		if s.Tag == "NAD" && !slices.ContainsFunc(distinct, func(d *Segment) bool { return equal(d, s) }) {
			distinct = append(distinct, s)
		}
	}
	return distinct
}

// compareItems pairs the items so that their summed similarity is largest. found is the share of the reference's items
// in a pair that is similar enough, agreement the mean similarity of those pairs.
func compareItems(ref, got []item, noted *notes.Notes) (found, agreement float64) {
	if both, empty := sets.EitherEmpty(ref, got); empty {
		return both, both
	}
	const similar = 0.3
	descriptions := ratio.NewTable(noted)
	number := func(it *item) int { return descriptions.Number(pytext.Strip(pytext.Lower(it.description))) }
	refs, gots := lists.Each(ref, number), lists.Each(got, number)
	similarity := func(i, j int) float64 { return ref[i].similarity(&got[j], descriptions.Ratio(refs[i], gots[j])) }
	atMost := func(i, j int) float64 { return ref[i].similarity(&got[j], descriptions.AtMost(refs[i], gots[j])) }
	good := 0
	for _, p := range assign.MinByLabel(assign.Costs{
		Rows: len(ref), Cols: len(got),
		Cost:  func(i, j int) float64 { return 1 - similarity(i, j) },
		Bound: func(i, j int) float64 { return 1 - atMost(i, j) },
	}, func(i int) itemLabel { return ref[i].label() }, func(j int) itemLabel { return got[j].label() }, noted) {
		if s := similarity(p.Row, p.Col); s > similar {
			good++
			agreement += s
		}
	}
	if good > 0 {
		agreement /= float64(good)
	}
	return float64(good) / float64(len(ref)), agreement
}

// itemLabel is an item with its numbers as texts, so that labels can be compared.
type itemLabel struct{ ean, description, availability, reference, price, quantities string }

// label is equal for equal items.
func (it *item) label() itemLabel {
	return itemLabel{it.ean, it.description, it.availability, it.reference, strconv.FormatFloat(it.price, 'g', -1, 64), fmt.Sprint(it.quantities)}
}

// similarity weighs what agrees of two items. A price below zero may take it below 0 or above 1.
func (it *item) similarity(other *item, description float64) float64 {
	sum := float64(0.20 * sets.OneIf(it.ean == other.ean))
	sum += float64(0.20 * description)
	sum += float64(0.25 * quantityAgreement(it.quantities, other.quantities))
	sum += float64(0.15 * PriceAgreement(it.price, other.price))
	sum += float64(0.10 * sets.OneIf(it.availability == other.availability))
	sum += float64(0.10 * sets.OneIf(it.reference == other.reference))
	return sum
}

// quantityAgreement is the share of qualifiers with equal numbers among those of either side.
func quantityAgreement(ref, got map[string]float64) float64 {
	union, equal := len(got), 0
	for qualifier, quantity := range ref {
		if other, both := got[qualifier]; !both {
			union++
		} else if other == quantity {
			equal++
		}
	}
	return max(sets.OneIf(union == 0), float64(equal)/float64(max(union, 1)))
}

// PriceAgreement is 1 for equal prices, 0 where one is missing or zero, else the smaller over the larger.
func PriceAgreement(ref, got float64) float64 {
	switch {
	case math.IsNaN(ref) || math.IsNaN(got):
		return sets.OneIf(math.IsNaN(ref) && math.IsNaN(got))
	case ref == 0 || got == 0:
		return sets.OneIf(ref == got)
	}
	return sets.Quotient(ref, got)
}

// Others counts the parts by which a document without a counted element is scored.
func Others(messages []Brief) int { return len(messages) }

// Stats counts the parts of a document.
func Stats(messages []Brief) domains.Stats {
	types := map[string]bool{}
	for i := range messages {
		types[messages[i].kind] = true
	}
	delete(types, "")
	named := cmp.Or(strings.Join(slices.Sorted(maps.Keys(types)), ", "), "N/A")
	items := countItems(messages)
	return domains.Stats{Elements: items, Counts: []domains.Count{
		{Name: "Messages", Value: strconv.Itoa(len(messages))},
		{Name: "Line Items", Value: strconv.Itoa(items)},
		{Name: "Message Types", Value: named},
	}}
}
