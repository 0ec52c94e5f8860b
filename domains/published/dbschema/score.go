package dbschema

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/sets"
)

// columns counts those of all tables.
func (s Schema) columns() int {
	n := 0
	for _, t := range s {
		n += len(t.columns)
	}
	return n
}

func (s Schema) indexes() int {
	n := 0
	for _, t := range s {
		n += len(t.indexes)
	}
	return n
}

// primaryKey is the sorted names of its columns.
func (t *table) primaryKey() []string {
	var names []string
	for name, c := range t.columns {
		if c.primary {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// Stats counts the parts of a document.
func Stats(s Schema) domains.Stats {
	counts := []domains.Count{{Name: "Tables", Value: strconv.Itoa(len(s))}}
	if len(s) > 0 {
		counts = append(counts,
			domains.Count{Name: "Columns", Value: strconv.Itoa(s.columns())},
			domains.Count{Name: "Indexes", Value: strconv.Itoa(s.indexes())},
		)
	}
	return domains.Stats{Elements: s.columns(), Counts: counts}
}

// Score is a quarter the tables, two fifths their columns, a fifth their indexes and the rest their primary keys. It
// sums what is lost, so that a document has exactly 1 against itself.
func Score(reference, candidate Schema) domains.Reading {
	common, lost := 0, losses{}
	for _, name := range slices.Sorted(maps.Keys(reference)) { // so that sums are the same in every run
		ref, got := reference[name], candidate[name]
		if got == nil {
			continue
		}
		common++
		lost.columns += columnsLost(ref, got)
		lost.indexes += indexesLost(ref.indexes, got.indexes)
		if !slices.Equal(ref.primaryKey(), got.primaryKey()) {
			lost.primaryKeys++
		}
	}
	shares := losses{1, 1, 1}
	if common > 0 {
		n := float64(common)
		shares = losses{lost.columns / n, lost.indexes / n, lost.primaryKeys / n}
	}
	tables := 0.0
	if union := len(reference) + len(candidate) - common; union > 0 {
		tables = float64(union-common) / float64(union)
	}
	return domains.Reading{
		RS: 1 - float64(0.25*tables) -
			float64(0.40*shares.columns) - float64(0.20*shares.indexes) - float64(0.15*shares.primaryKeys),
		Components: map[string]float64{
			"table_presence_score": 1 - tables, "column_score": 1 - shares.columns,
			"index_score": 1 - shares.indexes, "pk_score": 1 - shares.primaryKeys,
		},
		Elements: domains.Elements{Reference: reference.columns(), Candidate: candidate.columns()},
	}
}

// losses are what tables that both sides have do not share, 0 to 1 each.
type losses struct{ columns, indexes, primaryKeys float64 }

// columnsLost is the share of a table's columns that is lost; those that only the candidate has count three tenths.
func columnsLost(ref, got *table) float64 {
	if len(ref.columns) == 0 {
		return min(float64(len(got.columns)), 1)
	}
	common, lost := 0, 0.0
	for _, name := range slices.Sorted(maps.Keys(ref.columns)) { // so that sums are the same in every run
		is, has := got.columns[name]
		if !has {
			lost++
			continue
		}
		common++
		lost += columnLost(ref.columns[name], is)
	}
	added := 0.3 * float64(len(got.columns)-common)
	return (lost + added) / (float64(len(ref.columns)) + added)
}

func columnLost(was, is column) float64 {
	lost := 0.0
	if was.kind != is.kind {
		lost += 0.20
	}
	if was.notNull != is.notNull {
		lost += 0.06
	}
	if was.primary != is.primary {
		lost += 0.15
	}
	if was.hasDefault != is.hasDefault {
		lost += 0.02
	}
	return lost
}

// indexesLost compares the sets of column sets.
func indexesLost(ref, got []index) float64 {
	common, was, is := sets.Common(lists.Map(ref, columnSet), lists.Map(got, columnSet))
	union := was + is - common
	if union == 0 {
		return 0
	}
	return float64(union-common) / float64(union)
}

// columnSet is equal for indexes of the same columns.
func columnSet(columns index) string {
	sorted := slices.Sorted(slices.Values(columns))
	return strings.Join(slices.Compact(sorted), "\x00")
}
