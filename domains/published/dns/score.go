package dns

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/sets"
)

func (e syntaxError) Error() string { return string(e) }

// Stats counts the parts of a document.
func Stats(zone []RecordSet) domains.Stats {
	hosts := map[string]bool{}
	types := map[string]int{}
	records := 0
	for i := range zone {
		hosts[zone[i].name] = true
		types[zone[i].typ]++
		records += len(zone[i].data)
	}
	return domains.Stats{Elements: len(zone), Counts: []domains.Count{
		{Name: "Hostnames", Value: strconv.Itoa(len(hosts))},
		{Name: "Record Sets", Value: strconv.Itoa(len(zone))},
		{Name: "Total RRs", Value: strconv.Itoa(records)},
		{Name: "Record Types", Value: strconv.Itoa(len(types))},
		{Name: "Type Distribution", Value: fmt.Sprint(types)},
	}}
}

// SetKey is what record sets are paired by.
type SetKey struct{ Name, Typ string }

func keysOf(zone []RecordSet) []SetKey {
	return lists.Each(zone, func(s *RecordSet) SetKey { return SetKey{strings.ToLower(s.name), s.typ} })
}

// Score is coverage² · rdata · √((ttl + soa) / 2).
func Score(reference, candidate []RecordSet) domains.Reading {
	refKeys, gotKeys := keysOf(reference), keysOf(candidate)
	coverage := sets.Jaccard(refKeys, gotKeys)
	var data, ttls sets.Mean
	for _, pair := range sets.LastPairs(refKeys, gotKeys) {
		ref, got := &reference[pair[0]], &candidate[pair[1]]
		data.Add(sets.Jaccard(plainData(ref.data), plainData(got.data)))
		ttls.Add(share(ref.ttl, got.ttl))
	}
	rdata, ttl, soa := data.Or(0), ttls.Or(0), soaShare(firstSOA(reference), firstSOA(candidate))
	return domains.Reading{
		RS:         coverage * coverage * rdata * math.Sqrt((ttl+soa)/2),
		Components: map[string]float64{"coverage": coverage, "rdata": rdata, "ttl": ttl, "soa": soa},
		Elements:   domains.Elements{Reference: len(reference), Candidate: len(candidate)},
	}
}

// plainData are the texts without letter case and final dots.
func plainData(data []string) []string {
	return lists.Map(data, func(text string) string { return withoutDots(pytext.Strip(strings.ToLower(text))) })
}

func withoutDots(text string) string { return strings.TrimRight(text, ".") }

// share is how much of a number of seconds is kept.
func share(a, b uint32) float64 {
	switch {
	case a == b:
		return 1
	case a == 0 || b == 0:
		return 0
	}
	return float64(min(a, b)) / float64(max(a, b))
}

func firstSOA(zone []RecordSet) []string {
	for i := range zone {
		if zone[i].typ == "SOA" {
			return strings.Fields(strings.ToLower(zone[i].data[0]))
		}
	}
	return nil
}

// soaFields are the name server, the mailbox, the serial and four timers.
const soaFields = 7

func soaShare(ref, got []string) float64 {
	switch {
	case ref == nil && got == nil:
		return 1
	case len(ref) != soaFields || len(got) != soaFields:
		return 0
	}
	sum := 0.0
	for i := range ref {
		const timers = 3
		if i >= timers {
			was, _ := strconv.ParseUint(ref[i], 10, 32)
			is, _ := strconv.ParseUint(got[i], 10, 32)
			sum += share(uint32(was), uint32(is))
		} else if withoutDots(ref[i]) == withoutDots(got[i]) {
			sum++
		}
	}
	return sum / soaFields
}

func (e *zoneError) Error() string {
	if e.line == 0 {
		return e.text
	}
	return "line " + strconv.Itoa(e.line) + ": " + e.text
}
