package domains

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"agentd/vfs"
)

// Sampling says how a document is made smaller by leaving entries out. The
// zero value fits a document that is a list of its counted elements.
type Sampling struct {
	// Entry is the kind of the element with which an entry begins, where the counted elements are only parts of one, as
	// the words of a sentence are. It is empty where each counted element is an entry.
	Entry string
	// Category names the main category of an entry by that element, such as the band of a contact. If it is nil the
	// entries are grouped by the field that divides them best (see mainField).
	Category func(Element) string
	// Not says why the document is no list of entries; empty if it is one.
	Not string
}

// Entry is a part of a document that can be left out as a whole.
type Entry struct {
	Category string
	Elements []int // the numbers of its counted elements, as Without has them
}

// ByField makes a Sampling.Category of the first field of that name.
func ByField(name string) func(Element) string {
	return func(e Element) string { return e.Value(name) }
}

// ErrNoEntries marks a domain whose documents cannot be made smaller.
var ErrNoEntries = errors.New("no list of entries")

func (d domain[T]) Entries(files vfs.Files) ([]Entry, error) {
	s := d.spec.Sampling
	if s.Not != "" {
		return nil, fmt.Errorf("%w: %s", ErrNoEntries, s.Not)
	}
	var entries []Entry
	var heads []Element
	counted := 0
	// Without counts through the files in name order, which is not always the
	// order of the elements of all files together.
	for _, name := range files.Names() {
		begun := false
		for _, e := range d.spec.Elements(vfs.Files{name: files[name]}) {
			isCounted := e.Kind == d.spec.Info.Element
			if e.Kind == s.Entry || isCounted && (s.Entry == "" || !begun) {
				begun = true
				heads = append(heads, e)
				entries = append(entries, Entry{})
			}
			if isCounted {
				last := &entries[len(entries)-1]
				last.Elements = append(last.Elements, counted)
				counted++
			}
		}
	}
	category := s.Category
	if category == nil {
		category = mainField(heads)
	}
	for i := range entries {
		if category != nil {
			entries[i].Category = category(heads[i])
		} else {
			entries[i].Category = stretch(i, len(entries))
		}
	}
	return entries, nil
}

// stretch is the tenth of the document that an entry stands in: the category of entries that no field divides.
func stretch(i, of int) string {
	const stretches = 10
	return fmt.Sprintf("stretch %d", i*stretches/of+1)
}

// mainField returns the category by the field that divides the elements best, nil if none does. It has one value in
// most elements and at most √n different ones in n, as a category has and a name or an amount has not; of several such
// fields it is the one with the largest entropy.
func mainField(elements []Element) func(Element) string {
	const most = 0.9 // of the elements must have the field, once
	once, values := map[string]int{}, map[string]map[string]int{}
	for i := range elements {
		seen := map[string]int{}
		for _, f := range elements[i].Fields {
			seen[f.Name]++
		}
		for name, times := range seen {
			if times != 1 {
				continue
			}
			once[name]++
			if values[name] == nil {
				values[name] = map[string]int{}
			}
			values[name][elements[i].Value(name)]++
		}
	}
	n := float64(len(elements))
	best, largest := "", 0.0
	for _, name := range slices.Sorted(maps.Keys(once)) {
		if float64(once[name]) < most*n || float64(len(values[name])) > math.Sqrt(n) {
			continue
		}
		if h := entropy(values[name]); h > largest {
			best, largest = name, h
		}
	}
	if largest == 0 {
		return nil
	}
	return ByField(best)
}

// entropy is Shannon's, in bits.
func entropy(counts map[string]int) float64 {
	total := 0
	var all []int // in one order: sums of floats depend on it
	for _, n := range counts {
		total += n
		all = append(all, n)
	}
	slices.Sort(all)
	h := 0.0
	for _, n := range all {
		p := float64(n) / float64(total)
		h -= float64(p * math.Log2(p))
	}
	return h
}
