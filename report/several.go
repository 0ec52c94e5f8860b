package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"agentd/internal/usage"
)

// Together combines the reports of several experiments, at least one: tables and figures have the
// rows of all. If the protocols differ, the scores are not comparable and the error is a usage.Error.
func Together(reports []*Report) (*Report, error) {
	first := reports[0]
	for _, other := range reports[1:] {
		if err := first.sameProtocol(other); err != nil {
			return nil, usage.Wrap(err)
		}
	}
	if len(reports) == 1 {
		return first, nil
	}
	all := *first
	all.together = reports
	return &all, nil
}

// sameProtocol returns an error if the relays of two experiments follow different protocols.
func (r *Report) sameProtocol(other *Report) error {
	if mine, theirs := r.Protocol(), other.Protocol(); mine != theirs {
		return fmt.Errorf("experiment %s follows the %s protocol, %s the %s one: their scores mean different things (docs/fidelity.md)",
			r.Experiment.Name, mine, other.Experiment.Name, theirs)
	}
	return nil
}

// each returns the reports of single experiments that this one consists of.
func (r *Report) each() []*Report {
	if len(r.together) == 0 {
		return []*Report{r}
	}
	return r.together
}

// Names returns the names of the experiments, separated by commas.
func (r *Report) Names() string {
	var names []string
	for _, of := range r.each() {
		names = append(names, of.Experiment.Name)
	}
	return strings.Join(names, ", ")
}

// experimentLabel is the head of the label that names a row's experiment.
const experimentLabel = "experiment"

// namedTable is a table of an experiment.
type namedTable struct {
	Table
	experiment string
}

// joinedSections returns the sections of all experiments, each table with the rows of all.
func (r *Report) joinedSections(names []string) ([]Section, error) {
	of := map[string][]namedTable{} // by section and table
	tables := map[string][]string{} // names, by section
	for _, one := range r.together {
		sections, err := one.Sections(names...)
		if err != nil {
			return nil, err
		}
		for _, s := range sections {
			for _, t := range s.Tables {
				key := s.Name + "/" + t.Name
				if of[key] == nil {
					tables[s.Name] = append(tables[s.Name], t.Name)
				}
				of[key] = append(of[key], namedTable{t, one.Experiment.Name})
			}
		}
	}
	var all []Section
	for _, name := range SectionNames {
		s := Section{Name: name}
		for _, table := range tables[name] {
			s.Tables = append(s.Tables, joinTables(of[name+"/"+table]))
		}
		if len(s.Tables) > 0 {
			all = append(all, s)
		}
	}
	return all, nil
}

// joinTables joins the rows of all tables and adds a label for the experiment. If tables have a
// column for each arm, it joins their columns.
func joinTables(all []namedTable) Table {
	t := all[0].Table
	t.Rows, t.Notes, t.Plot, t.Gallery = nil, nil, nil, nil
	for _, one := range all {
		for _, note := range one.Notes {
			if !slices.Contains(t.Notes, note) {
				t.Notes = append(t.Notes, note)
			}
		}
	}
	if t.Wide {
		joinColumns(&t, all)
		return t
	}
	at := len(t.Labels)
	if at > len(armLabels) && slices.Equal(t.Labels[:len(armLabels)], armLabels) {
		at = len(armLabels)
	}
	t.Labels = slices.Insert(slices.Clone(t.Labels), at, experimentLabel)
	t.Measures = slices.MaxFunc(all, func(a, b namedTable) int { return cmp.Compare(len(a.Measures), len(b.Measures)) }).Measures
	for _, one := range all {
		for _, row := range one.Rows {
			row.Labels = slices.Insert(slices.Clone(row.Labels), at, one.experiment)
			row.Cells = one.cellsOf(row, t.Measures)
			t.Rows = append(t.Rows, row)
		}
	}
	return t
}

// cellsOf returns the cells of a row for some measures; a cell is empty if the table lacks the measure.
func (t *namedTable) cellsOf(row Row, measures []Measure) []Cell {
	cells := make([]Cell, len(measures))
	for i, m := range measures {
		if at := slices.IndexFunc(t.Measures, func(own Measure) bool { return own.Name == m.Name }); at >= 0 {
			cells[i] = row.Cells[at]
		}
	}
	return cells
}

// joinColumns gives a table the columns of all, each named for its experiment.
func joinColumns(t *Table, all []namedTable) {
	t.Measures = nil
	at := map[string]int{}
	for _, one := range all {
		before := len(t.Measures)
		for _, m := range one.Measures {
			m.Name, m.Head = one.experiment+"/"+m.Name, one.experiment+"\n"+m.Head
			t.Measures = append(t.Measures, m)
		}
		for _, row := range one.Rows {
			key := strings.Join(row.Labels, "\n")
			if _, met := at[key]; !met {
				at[key] = len(t.Rows)
				t.Rows = append(t.Rows, Row{Labels: row.Labels})
			}
			to := &t.Rows[at[key]]
			to.Judged = to.Judged || row.Judged
			to.Cells = append(append(to.Cells, make([]Cell, before-len(to.Cells))...), row.Cells...)
		}
	}
	for i := range t.Rows {
		t.Rows[i].Cells = append(t.Rows[i].Cells, make([]Cell, len(t.Measures)-len(t.Rows[i].Cells))...)
	}
}
