package mathlean

import (
	"slices"

	"agentd/domains"
)

// forgiven returns what Strict compares: the elements of both sides without the
// differences that mean nothing once both are known.
func forgiven(reference, candidate []domains.Element) (ref, got []domains.Element) {
	if slices.EqualFunc(reference, candidate, sameElement) {
		return reference, candidate
	}
	ref, got = inOneOrder(reference, candidate)
	f := forgiver{slices.Clone(ref), slices.Clone(got)}
	f.places()
	f.addedComments()
	f.pairs()
	return f.ref, f.got
}

func sameElement(a, b domains.Element) bool {
	return a.Kind == b.Kind && a.Key == b.Key && a.Position == b.Position && slices.Equal(a.Fields, b.Fields)
}

// forgiver works on copies: what it is given belongs to others.
type forgiver struct{ ref, got []domains.Element }

// addedComments leaves out the comments of the candidate that the reference
// does not have, save as many as were lost before the same declaration, which
// may have been changed.
func (f *forgiver) addedComments() {
	wanted := map[string][]string{} // where the comments of a text stand
	missing := map[string]int{}     // by where they stand
	for i := range f.ref {
		if e := &f.ref[i]; e.Kind == commentElement {
			text := e.Fields[0].Value
			wanted[text] = append(wanted[text], e.Value(above))
			missing[e.Value(above)]++
		}
	}
	added := make([]bool, len(f.got))
	for j := range f.got {
		if e := &f.got[j]; e.Kind == commentElement {
			text := e.Fields[0].Value
			if places := wanted[text]; len(places) > 0 {
				missing[places[0]]--
				wanted[text] = places[1:]
			} else {
				added[j] = true
			}
		}
	}
	kept := f.got[:0]
	for j, e := range f.got {
		if added[j] {
			missing[e.Value(above)]--
		}
		if !added[j] || missing[e.Value(above)] >= 0 {
			kept = append(kept, e)
		}
	}
	f.got = kept
}

// places has everything stand above the next declaration that both sides have,
// so that a declaration that was lost or added is no other change.
func (f *forgiver) places() {
	common := map[string]int{} // how often the reference has it; 0 where the candidate differs
	for i := range f.ref {
		if e := &f.ref[i]; isDeclaration(e) {
			common[identity(e)]++
		}
	}
	found := map[string]int{}
	for j := range f.got {
		if e := &f.got[j]; isDeclaration(e) {
			found[identity(e)]++
		}
	}
	for name, n := range common {
		if found[name] != n {
			common[name] = 0
		}
	}
	isCommon := func(name string) bool { return common[name] > 0 }
	setAbove(f.ref, isCommon)
	setAbove(f.got, isCommon)
}

// setField sets a field in a copy of an element's fields, an empty value taking
// it away.
func setField(e *domains.Element, name, value string) {
	fields := make([]domains.Field, 0, len(e.Fields)+1)
	for _, f := range e.Fields {
		if f.Name != name {
			fields = append(fields, f)
		}
	}
	if value != "" {
		fields = append(fields, domains.Field{Name: name, Value: value})
	}
	e.Fields = fields
}

// pairs forgives what means nothing between elements of one key.
func (f *forgiver) pairs() {
	queues := map[string][]int{}
	for j := range f.got {
		if e := &f.got[j]; e.Kind != commentElement && e.Kind != lineElement {
			queues[e.Key] = append(queues[e.Key], j)
		}
	}
	for i := range f.ref {
		e := &f.ref[i]
		queue := queues[e.Key]
		if len(queue) == 0 || e.Kind == commentElement || e.Kind == lineElement {
			continue
		}
		queues[e.Key] = queue[1:]
		if g := &f.got[queue[0]]; e.Kind != g.Kind || !slices.Equal(e.Fields, g.Fields) {
			f.pair(e, g)
		}
	}
}

func (f *forgiver) pair(ref, got *domains.Element) {
	if isDeclaration(ref) && isDeclaration(got) {
		f.sameKind(ref, got)
		renamedAsIn(ref, got)
	}
	// Their order counts where the parts are the same; another part changes it.
	if ref.Kind == got.Kind && !sameOrdered(ref, got) {
		setField(ref, order, "")
		setField(got, order, "")
	}
}

// sameKind has a declaration be of the kind it is in the reference: a modifier
// that was lost or added does not make it another.
func (f *forgiver) sameKind(ref, got *domains.Element) {
	if ref.Kind == got.Kind {
		return
	}
	if ref.Kind == counted {
		setField(got, above, "")
	} else {
		setField(got, above, ref.Value(above))
	}
	got.Kind = ref.Kind
}

// sameOrdered reports whether two elements have the same parts that stand in an
// order.
func sameOrdered(ref, got *domains.Element) bool {
	of := func(e *domains.Element) []string {
		var values []string
		for _, f := range e.Fields {
			if isOrdered[f.Name] {
				values = append(values, f.Name+" "+f.Value)
			}
		}
		slices.Sort(values)
		return values
	}
	return slices.Equal(of(ref), of(got))
}
