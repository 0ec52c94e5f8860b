package viewer

import (
	"context"
	"fmt"
	"html/template"
	"net/http"
	"slices"
	"strings"

	"agentd/report"
	"agentd/results"
)

// overview holds the curves and critical failures of all relays of an experiment.
type overview struct {
	matrix matrixTable
	ends
	// drops are the critical failures in the order of the relays.
	drops []drop
}

// drop is a backward step that lost much of the document.
type drop struct {
	relay  int64
	number int
	size   float64 // of RS, above 0
}

func (d drop) Address() string { return interactionAddress(d.relay, d.number) }
func (d drop) Size() string    { return fmt.Sprintf("%.1f", 100*d.size) }
func (d drop) Relay() int64    { return d.relay }
func (d drop) Number() int     { return d.number }

// changes returns the change of the score in each round trip; nil where it is not known.
// Before the first round trip the score is 1.
func changes(curve []*float64) []*float64 {
	all, before := make([]*float64, len(curve)), 1.0
	for k, score := range curve {
		if score != nil {
			change := *score - before
			all[k], before = &change, *score
		}
	}
	return all
}

// dropsOf returns a relay's critical failures.
func dropsOf(relay int64, curve []*float64) []drop {
	var all []drop
	for k, change := range changes(curve) {
		if change != nil && report.IsCritical(-*change) {
			all = append(all, drop{relay, 2 * (k + 1), -*change})
		}
	}
	return all
}

// after returns the first drop after an interaction, nil if there is none. Drops
// are in the order of relays and numbers.
func after(drops []drop, relay int64, number int) *drop {
	at := slices.IndexFunc(drops, func(d drop) bool { return d.relay > relay || d.relay == relay && d.number > number })
	if at < 0 {
		return nil
	}
	return &drops[at]
}

// matrixPage is the content of the page of the matrix.
type matrixPage struct {
	progress
	Drops   []drop
	Filter  matrixFilter
	Arms    []string // their names
	Domains []string
	Reasons []string // that occur, and their kinds
	Table   matrixTable
}

// matrix makes the page with every relay of an experiment, or those that a filter selects.
func (v *Viewer) matrix(r *http.Request) (view, error) {
	p, err := v.named(r)
	if err != nil {
		return view{}, err
	}
	o, err := v.overviews.get(r.Context(), p.Experiment, p.Stored)
	if err != nil {
		return view{}, err
	}
	page := matrixPage{progress: p, Drops: o.drops}
	if page.Filter, err = filterOf(r.URL.Query()); err != nil {
		return view{}, err
	}
	for _, a := range o.matrix.Arms {
		page.Arms = append(page.Arms, arm(a.Model, a.Policy))
	}
	for _, row := range o.matrix.Rows {
		if !slices.Contains(page.Domains, row.Domain) {
			page.Domains = append(page.Domains, row.Domain)
		}
	}
	slices.Sort(page.Domains)
	reasons, err := v.reasons.get(r.Context(), p.Experiment, p.Stored)
	if err != nil {
		return view{}, err
	}
	page.Reasons, page.Table = reasonChoices(reasons), filtered(o.matrix, reasons, page.Filter)
	return view{
		Template: "matrix", Title: "Matrix of " + p.Name, Trail: []link{experimentsLink, {experimentAddress(p.Name), p.Name}}, Data: page,
	}, nil
}

// matrixTable is the matrix. A row has a cell for each arm.
type matrixTable struct {
	Arms []results.Arm
	Rows []matrixRow
}

// matrixRow is an environment with a cell for each arm.
type matrixRow struct {
	Environment, Domain string
	Judged              bool            // some of its scores are a judge's opinion
	Cells               [][]matrixRelay // its repeats
}

type matrixRelay struct {
	ID int64
	// Score and Strict are the last ones, nil if the arm did too little.
	Score, Strict *float64
	// NoOpsZero is the last one with no-ops as 0, if not all forward steps were carried out.
	NoOpsZero *float64
	Void      *results.Work // of an arm that did too little: what the relay did; nil else
	Spark     template.HTML
	// Done is the share of forward steps that were carried out, if not all were; nil
	// else. Unreadable says that RS is 0 because the last document could not be read.
	Done       *float64
	Unreadable bool
}

func (v *Viewer) buildOverview(ctx context.Context, e results.Experiment) (*overview, error) {
	// Relays are stored before their interactions.
	curves, err := v.store.Curves(ctx, e.ID, false)
	if err != nil {
		return nil, err
	}
	relays, err := v.store.Relays(ctx, e.ID)
	if err != nil {
		return nil, err
	}
	arms, err := v.store.Arms(ctx, e.ID)
	if err != nil {
		return nil, err
	}
	columns := make(map[[2]string]int, len(arms))
	for i, a := range arms {
		columns[[2]string{a.Model, a.Policy}] = i
	}
	standing, err := report.ReadEnds(ctx, v.store, e, report.Options{Category: v.category})
	if err != nil {
		return nil, err
	}
	o := &overview{ends: endsOf(arms, standing.Of(curves))}
	var rows []matrixRow
	places := map[string]int{}
	for _, r := range relays {
		at, known := places[r.Environment]
		if !known {
			at = len(rows)
			places[r.Environment] = at
			rows = append(rows, matrixRow{Environment: r.Environment, Domain: r.Domain, Cells: make([][]matrixRelay, len(arms))})
		}
		curve := curves[r.ID].Scores
		rows[at].Judged = rows[at].Judged || curves[r.ID].Judged
		column, known := columns[[2]string{r.Model, r.Policy}]
		if !known {
			return nil, fmt.Errorf("%w: relay %d belongs to no arm", results.ErrDamaged, r.ID)
		}
		shown := matrixCell(r, curves[r.ID], arms[column].Work())
		rows[at].Cells[column] = append(rows[at].Cells[column], shown)
		o.drops = append(o.drops, dropsOf(r.ID, curve)...)
	}
	o.matrix = matrixTable{arms, rows}
	return o, nil
}

// matrixCell returns the cell of a relay, given the work of its arm.
func matrixCell(r results.Relay, of results.Curve, arm results.Work) matrixRelay {
	shown := matrixRelay{ID: r.ID}
	shown.NoOpsZero = noOpsOf(of)
	if arm.TooLittle() {
		shown.Void = &of.Work
		return shown
	}
	shown.Spark = spark(of.Scores, len(r.Schedule))
	if n := len(of.Scores); n > 0 {
		shown.Score, shown.Unreadable = of.Scores[n-1], of.Unreadable
	}
	if n := len(of.Strict); n > 0 {
		shown.Strict = of.Strict[n-1]
	}
	if of.Work.Done < of.Work.Edits {
		shown.Done = new(float64(of.Work.Done) / float64(of.Work.Edits))
	}
	return shown
}

// spark draws a small curve of scores. It begins at the top left with a score of 1, and its
// right edge is the last planned round trip.
func spark(curve []*float64, planned int) template.HTML {
	const width, height = 60, 18
	var b strings.Builder
	fmt.Fprintf(&b, `<svg class="spark" viewBox="0 0 %d %d" aria-hidden="true"><line x1="1" x2="%d" y1="1" y2="1"/><line x1="1" x2="%d" y1="%d" y2="%d"/><polyline points="1,1`,
		width, height, width-1, width-1, height-1, height-1)
	for k, score := range curve {
		if score != nil {
			x := 1 + float64((width-2)*(k+1))/float64(max(planned, len(curve)))
			fmt.Fprintf(&b, " %.3g,%.3g", x, 1+(height-2)*(1-*score))
		}
	}
	b.WriteString(`"/></svg>`)
	return template.HTML(b.String())
}
