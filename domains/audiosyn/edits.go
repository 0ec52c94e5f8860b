package audiosyn

import (
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/exact"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// pieces says how a CSD file, which is a list of lines, is read and printed. Several cannot be
// joined.
var pieces = exact.Format[source, line]{
	Patterns: []string{"*.csd"},
	Read:     func(text string) source { return readFile("piece.csd", text) },
	Print:    func(s source) string { return s.print() },
	Parts:    func(s *source) *[]line { return &s.lines },
	Join: func(all []source) (none source) {
		if len(all) != 1 {
			return none
		}
		return all[0]
	},
	Empty: errors.New("there is not just one CSD file with an i statement"),
}

func edits() []domains.Edit {
	return []domains.Edit{
		domains.Taking("expand_carry", expandCarry),
		domains.Taking("midi_pitch", midiPitch),
		domains.Taking("beats", inBeats),
		domains.Taking("ftgen_tables", ftgenTables),
		domains.Taking("sort_by_start", sortByStart),
		domains.Taking("event_table", eventTable),
		domains.Taking("split_by_opcode", splitByOpcode),
		domains.Taking("limit_voices", limitVoices),
	}
}

// rewrite is an edit that changes a piece into the file to. Both directions are also given the
// notes.
func rewrite(
	document, to string,
	change func(*source, []note) (vfs.Files, error), restore func(*source, []note, vfs.Files) error,
) exact.Steps {
	return pieces.Rewrite(document, to, func(s *source) (files vfs.Files, err error) {
		notes, err := s.events()
		if err == nil {
			files, err = change(s, notes)
		}
		return files, err
	}, func(s *source, files vfs.Files) error {
		notes, err := s.events()
		if err == nil {
			err = restore(s, notes, files)
		}
		return err
	})
}

// rowsBy are the rows of a table by what stands in one of its columns.
func rowsBy(column int, files vfs.Files, name string, columns ...string) (plain.Notes, error) {
	table, err := plain.Table(files, name, columns...)
	return plain.NotesBy(table, func(row []string) string { return strings.TrimSpace(row[column]) }), err
}

// events are the notes, at least one.
func (s *source) events() ([]note, error) {
	notes, err := s.notes()
	if err == nil && len(notes) == 0 {
		err = errors.New("there is no i statement")
	}
	return notes, err
}

// note is an i statement.
type note struct {
	scoreLine
	section int      // of the score, from 1
	values  []string // of the p-fields, carried ones too, in their normal form
}

// value is a p-field's value, empty if it has none.
func (n *note) value(p int) string {
	if p > len(n.values) {
		return ""
	}
	return n.values[p-1]
}

// instrument is the number or name of a note's instrument.
func (n *note) instrument() string { return wholeNumber(strings.Trim(n.values[0], `"`)) }

// notes are the i statements of a source, in order.
func (s *source) notes() ([]note, error) {
	var all []note
	carry := newCarrier()
	section := 1
	for l := range s.score() {
		switch {
		case l.endsSection():
			carry.endSection()
			section++
		case l.kind == eventLine:
			l.words = slices.Clone(l.words)
			n := note{l, section, carry.resolve(l.code, l.words)}
			if len(n.values) < len(l.words)-1 {
				return nil, fmt.Errorf("an i statement whose p-fields cannot be told: %.60q", s.lines[l.line].text)
			}
			all = append(all, n)
		}
	}
	return all, nil
}

// interval is when a note sounds.
func (n *note) interval() (start, end *big.Rat, err error) {
	start, known := readDecimal(n.value(2))
	length, too := readDecimal(n.value(3))
	if !known || !too || length.Sign() < 0 {
		return nil, nil, fmt.Errorf("no start and duration in numbers: %.60q", n.code)
	}
	return start, length.Add(start, length), nil
}

// splice is a text in place of a word.
type splice struct {
	word span
	text string
}

// spliced is a text with others in place of some of its words, given in order.
func spliced(text string, changes []splice) string {
	return plain.Splice(text, changes, func(c splice) (start, end int, with string) {
		return int(c.word.start), int(c.word.end), c.text
	})
}

// change makes changes in a note's line.
func (s *source) change(n *note, changes []splice) {
	s.lines[n.line].text = spliced(s.lines[n.line].text, changes)
}

// numbers are the lines of the file on which the lines of a source stand, from 1.
func (s *source) numbers() []int {
	all := make([]int, len(s.lines))
	number := 0
	for i := range s.lines {
		if !s.lines[i].glued {
			number++
		}
		all[i] = number
	}
	return all
}

var errShared = errors.New("a statement on the line of a tag")

// goesOn reports whether something follows a part on its line.
func (s *source) goesOn(i int) bool { return i+1 < len(s.lines) && s.lines[i+1].glued }

// takeOut takes lines out of a source.
func (s *source) takeOut(takes func(i int) bool) (taken []string, err error) {
	rest := make([]line, 0, len(s.lines))
	for i, l := range s.lines {
		if !takes(i) {
			rest = append(rest, l)
			continue
		}
		if l.glued || s.goesOn(i) {
			return nil, errShared
		}
		taken = append(taken, l.text)
	}
	s.lines = rest
	return taken, nil
}

// placed are lines that go to a place in a document.
type placed struct {
	number int // of the first line, 0 if it is not known
	lines  string
}

// putIn puts lines back.
func (s *source) putIn(taken []placed) {
	place := func(p placed) (int, string) { return p.number, p.lines }
	count := func(lines string) int { return 1 + strings.Count(lines, "\n") }
	*s = pieces.Read(plain.Text(plain.PutIn(taken, plain.Lines(s.print()), place, count)))
}

// afterSettings adds lines to the orchestra, after the last of its settings.
func (s *source) afterSettings(added []string) error {
	at := -1
	for i := range s.lines {
		if s.lines[i].tag && tagName(s.lines[i].text) == "csinstruments" && s.lines[i].text[1] != '/' {
			at = i
		}
	}
	o := readOrchestra(s.lines)
	for i := range o.statements {
		if o.statements[i].kind == settingLine {
			at = int(o.statements[i].last)
		}
	}
	if at < 0 {
		return errors.New("no orchestra")
	}
	if s.goesOn(at) {
		return errShared
	}
	lines := lists.Map(added, func(text string) line { return line{text: text, section: orchestraSection} })
	s.lines = slices.Insert(s.lines, at+1, lines...)
	return nil
}
