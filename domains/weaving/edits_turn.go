package weaving

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/exact"
	"agentd/vfs"
)

// turnDraft makes the warp the weft.
func turnDraft(p struct{ Document, To string }) exact.Steps {
	return drafts.Rewrite(p.Document, p.To,
		func(f *file) (vfs.Files, error) { return nil, f.turn() },
		func(f *file, _ vfs.Files) error { return f.turn() })
}

// turn exchanges warp and weft. Twice, it changes nothing.
func (f *file) turn() error {
	if f.section("LIFTPLAN") != nil {
		return errors.New("a liftplan cannot be turned")
	}
	if err := f.transposeTies(); err != nil {
		return err
	}
	for i := range f.sections {
		s := &f.sections[i]
		s.head, s.name = sides.in(s.head, s.name), sides.in(s.name, s.name)
		words := map[string]exchange{"WEAVING": counts, "CONTENTS": sides}[s.name]
		for _, l := range s.entries() {
			key := words.in(l.key, strings.ToUpper(l.key))
			l.before = strings.Replace(l.before, l.key, key, 1)
			l.key = key
		}
	}
	return nil
}

// exchange has for a name the word in it that is replaced, and the other one.
type exchange map[string][2]string

var (
	sides = exchange{
		"WARP": {"Warp", "Weft"}, "WEFT": {"Weft", "Warp"},
		"THREADING": {"Threading", "Treadling"}, "TREADLING": {"Treadling", "Threading"},
	}
	counts = exchange{"SHAFTS": {"Shafts", "Treadles"}, "TREADLES": {"Treadles", "Shafts"}}
)

// in replaces a word, in upper or lower case or as it is given, in what is written
// for a name. Names such as WARP COLORS begin with the side of the cloth.
func (e exchange) in(written, name string) string {
	first, _, more := strings.Cut(name, " ")
	words, known := e[first]
	if !known || more && first != "WARP" && first != "WEFT" {
		return written
	}
	for _, inCase := range []func(string) string{strings.ToUpper, strings.ToLower, strings.Clone} {
		if strings.Contains(written, inCase(words[0])) {
			return strings.Replace(written, inCase(words[0]), inCase(words[1]), 1)
		}
	}
	return written
}

// transposeTies lists the treadles of each shaft under its number.
func (f *file) transposeTies() error {
	ties, _, err := f.lists("TIEUP")
	if err != nil || len(ties) == 0 {
		return err
	}
	turned := map[int][]int{}
	for _, treadle := range slices.Sorted(maps.Keys(ties)) {
		for _, shaft := range ties[treadle] {
			if slices.Contains(turned[shaft], treadle) || shaft == 0 || treadle == 0 {
				return fmt.Errorf("treadle %d is tied to shaft %d twice, or to none", treadle, shaft)
			}
			turned[shaft] = append(turned[shaft], treadle)
		}
	}
	if _, err := f.section("TIEUP").take(); err != nil {
		return err
	}
	var entries []pair
	for _, shaft := range slices.Sorted(maps.Keys(turned)) {
		entries = append(entries, pair{strconv.Itoa(shaft), joined(turned[shaft])})
	}
	f.put("TIEUP", entries)
	return nil
}
