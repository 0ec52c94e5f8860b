package results

// Trip is a round trip of a relay, as far as it is stored: an edit is made, and undone.
type Trip struct {
	Relay             int64
	Number            int          // in its relay, from 1
	Forward, Backward *Interaction // nil if the step is not stored
}

// Trips returns the round trips of interactions, which come relay by relay and in order, as
// Summaries and Interactions return them. The steps of a trip are those given, not copies.
func Trips(interactions []Interaction) []Trip {
	var trips []Trip
	for i := range interactions {
		in := &interactions[i]
		number := (in.Number + 1) / 2
		if n := len(trips); n == 0 || trips[n-1].Relay != in.Relay || trips[n-1].Number != number {
			trips = append(trips, Trip{Relay: in.Relay, Number: number})
		}
		t := &trips[len(trips)-1]
		if in.Number%2 == 0 {
			t.Backward = in
		} else {
			t.Forward = in
		}
	}
	return trips
}

// Steps returns the steps that are stored, in order.
func (t Trip) Steps() []*Interaction {
	var steps []*Interaction
	for _, in := range []*Interaction{t.Forward, t.Backward} {
		if in != nil {
			steps = append(steps, in)
		}
	}
	return steps
}

// Executed says whether the forward step was carried out; nil if that was not recorded.
func (t Trip) Executed() *bool {
	if t.Forward == nil {
		return nil
	}
	return t.Forward.Executed
}

// Scores returns RS and Strict; nil if there is no score. unscoredZero counts a round trip that the
// protocol leaves unscored as 0.
func (t Trip) Scores(unscoredZero bool) (rs, strict *float64) {
	switch in := t.Backward; {
	case in == nil, in.Unscored == ServiceFault:
	case in.Unscored != "":
		if unscoredZero {
			return new(float64), new(float64)
		}
	case in.Score != nil:
		return &in.Score.RS, &in.Score.Strict
	}
	return nil, nil
}

// NoOpsZero returns what RS and Strict count where no-ops count as 0: the Scores if the forward
// step was carried out or that is not recorded, else 0. So after a step that was not carried out a
// relay scores 0 until one is. The 0 is also that of round trips which the protocol leaves
// unscored. Both are nil where there is no score because a service was unavailable, or nothing scores
// such documents.
func (t Trip) NoOpsZero(unscoredZero bool) (rs, strict *float64) {
	rs, strict = t.Scores(unscoredZero)
	done, in := t.Executed(), t.Backward
	if in == nil || done == nil || *done || in.Unscored == ServiceFault || rs == nil && in.Unscored == "" {
		return rs, strict
	}
	return new(float64), new(float64)
}

// Curve has a relay's published scores by round trip, from 0. A round trip without a score
// is nil; those after the last score are left out.
type Curve struct {
	Scores []*float64
	// Strict are the strict scores, and the others both with no-ops as 0 (Trip.NoOpsZero), likewise.
	Strict, NoOpsZero, StrictNoOpsZero []*float64
	Judged                             bool // some are a judge's opinion
	// Unreadable says that the last document that has a score could not be read (Score.NotRead).
	Unreadable bool
	Work       Work
}

// CurveOf returns the curve of a relay's round trips. unscoredZero counts those that the protocol
// leaves unscored as 0.
func CurveOf(trips []Trip, unscoredZero bool) Curve {
	var c Curve
	for _, t := range trips {
		c.Work.Add(t.Executed())
		rs, strict := t.Scores(unscoredZero)
		put(&c.Scores, t.Number, rs)
		put(&c.Strict, t.Number, strict)
		rs, strict = t.NoOpsZero(unscoredZero)
		put(&c.NoOpsZero, t.Number, rs)
		put(&c.StrictNoOpsZero, t.Number, strict)
		if in := t.Backward; in != nil && in.Score != nil {
			c.Judged, c.Unreadable = c.Judged || in.Score.Judge != "", in.Score.NotRead()
		}
	}
	return c
}

// RoundTrips are the round trips up to the last one that has a score, with no-ops as 0 or not.
func (c Curve) RoundTrips() int { return max(len(c.Scores), len(c.NoOpsZero)) }

// put notes a score of a round trip, numbered from 1, if there is one.
func put(scores *[]*float64, trip int, score *float64) {
	if score == nil {
		return
	}
	for len(*scores) < trip {
		*scores = append(*scores, nil)
	}
	(*scores)[trip-1] = score
}
