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
		s.head, s.name = turnedName(s.head, s.name), turnedName(s.name, s.name)
		for k := range s.lines {
			l := &s.lines[k]
			if l.kind != entry {
				continue
			}
			switch s.name {
			case "WEAVING":
				l.rename(turnedCount(l.key))
			case "CONTENTS":
				l.rename(turnedName(l.key, strings.ToUpper(l.key)))
			}
		}
	}
	return nil
}

func (l *line) rename(key string) {
	l.before = strings.Replace(l.before, l.key, key, 1)
	l.key = key
}

// turnedName is a section's name as it is written, for the other side of the
// cloth.
func turnedName(written, name string) string {
	first, _, _ := strings.Cut(name, " ")
	switch first {
	case "WARP":
		return replacedIn(written, "Warp", "Weft")
	case "WEFT":
		return replacedIn(written, "Weft", "Warp")
	}
	switch name {
	case "THREADING":
		return replacedIn(written, "Threading", "Treadling")
	case "TREADLING":
		return replacedIn(written, "Treadling", "Threading")
	}
	return written
}

func turnedCount(key string) string {
	switch strings.ToUpper(key) {
	case "SHAFTS":
		return replacedIn(key, "Shafts", "Treadles")
	case "TREADLES":
		return replacedIn(key, "Treadles", "Shafts")
	}
	return key
}

// replacedIn replaces a word once, in lower or upper case or as it is given.
func replacedIn(text, word, by string) string {
	for _, inCase := range []func(string) string{strings.ToUpper, strings.ToLower, func(s string) string { return s }} {
		if strings.Contains(text, inCase(word)) {
			return strings.Replace(text, inCase(word), inCase(by), 1)
		}
	}
	return text
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
