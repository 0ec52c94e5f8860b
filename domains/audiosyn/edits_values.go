package audiosyn

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"agentd/domains/internal/plain"
	"agentd/vfs"
)

const (
	midiFile  = "midi.csd"
	pitchFile = "pitch.csv"

	pitchCall = "cpspch(p5)"
	midiCall  = "cpsmidinn(p5)"
)

// pitched are the instruments in whose code a call stands.
func (s *source) pitched(call string) map[string]bool {
	names := map[string]bool{}
	o := readOrchestra(s.lines)
	for i := range o.statements {
		st := &o.statements[i]
		b := &o.blocks[st.block]
		if st.kind == codeLine && b.isInstrument() && strings.Contains(st.code, call) {
			for _, name := range instrumentNames(b.head) {
				names[strings.TrimLeft(name, "+")] = true
			}
		}
	}
	return names
}

// exchangeCall replaces a call in the code of instruments.
func (s *source) exchangeCall(was, is string) {
	o := readOrchestra(s.lines)
	inside := make([]bool, len(s.lines))
	for i := range o.statements {
		st := &o.statements[i]
		for k := st.first; k <= st.last && st.kind == codeLine && o.blocks[st.block].isInstrument(); k++ {
			inside[k] = true
		}
	}
	var scan scanner
	for i := range s.lines {
		l := &s.lines[i]
		if l.section != orchestraSection || l.tag {
			continue
		}
		if code, _ := scan.scan(l.text); inside[i] {
			// The code is the line up to its comment, or has blanks for one.
			l.text = spliced(l.text, occurrences(code, was, is))
		}
	}
}

func occurrences(text, was, is string) []splice {
	var all []splice
	for at := 0; ; {
		n := strings.Index(text[at:], was)
		if n < 0 {
			return all
		}
		start := at + n
		at = start + len(was)
		all = append(all, splice{span{int32(start), int32(at)}, is})
	}
}

// midiNote is the MIDI note of a pitch in octaves and hundredths of semitones.
func midiNote(pitch string) (decimal, bool) {
	d, ok := readDecimal(pitch)
	if !ok || d.units < 0 {
		return d, false
	}
	d = d.plus(decimal{0, 2})
	octave := int64(1)
	for range d.places {
		octave *= 10
	}
	semitones := decimal{d.units % octave, d.places - 2}
	return semitones.plus(decimal{12 * (d.units/octave - 3), 0}), true
}

// pitchToMIDI writes the pitches of notes as MIDI note numbers.
func pitchToMIDI(files vfs.Files) (vfs.Files, error) {
	s, notes, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	pitched := s.pitched(pitchCall)
	if len(pitched) == 0 || len(s.pitched(midiCall)) > 0 {
		return nil, fmt.Errorf("no instrument with %s, or one with %s", pitchCall, midiCall)
	}
	table := [][]string{{"event", "pch", "midi"}}
	for k := range notes {
		n := &notes[k]
		midi, ok := midiNote(n.field(5))
		if !ok || !pitched[n.instrument()] {
			continue
		}
		table = append(table, []string{decimalText(k + 1), n.field(5), midi.String()})
		s.lines[n.line].text = spliced(s.lines[n.line].text, []splice{{n.words[5], midi.String()}})
	}
	s.exchangeCall(pitchCall, midiCall)
	return vfs.Files{midiFile: s.print(), pitchFile: plain.WriteCSV(table)}, nil
}

func pitchFromMIDI(files vfs.Files) (vfs.Files, error) {
	s, notes, err := readNamed(files, midiFile)
	if err != nil {
		return nil, err
	}
	table, err := plain.Table(files, pitchFile, "event", "pch")
	if err != nil {
		return nil, err
	}
	for _, row := range table {
		k := plain.LineNumber(row[0])
		if k < 1 || k > len(notes) || len(notes[k-1].words) < 6 {
			return nil, fmt.Errorf("%s: no event %s with a pitch", pitchFile, row[0])
		}
		n := &notes[k-1]
		s.lines[n.line].text = spliced(s.lines[n.line].text, []splice{{n.words[5], row[1]}})
		n.words = nil // a second row is an error
	}
	s.exchangeCall(midiCall, pitchCall)
	return asDocument(&s), nil
}

const (
	beatsFile   = "beats.csd"
	secondsFile = "seconds.csv"
	tempoLine   = "t 0 90"
)

// beats are seconds at 90 beats a minute.
func beats(seconds string) (string, bool) {
	d, ok := readDecimal(seconds)
	if !ok || d.units < 0 {
		return "", false
	}
	d.units, d.places = d.units*15, d.places+1
	return d.String(), true
}

var errTempo = errors.New("a statement that the tempo would change, other than i statements and tables at time 0")

// secondsToBeats gives the score a tempo.
func secondsToBeats(files vfs.Files) (vfs.Files, error) {
	s, notes, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	table := [][]string{{"event", "start", "duration"}}
	for k := range notes {
		n := &notes[k]
		row := []string{decimalText(k + 1), "", ""}
		var changes []splice
		for p := 2; p <= 3; p++ {
			if b, ok := beats(n.field(p)); ok && p < len(n.words) {
				row[p-1] = n.field(p)
				changes = append(changes, splice{n.words[p], b})
			}
		}
		table = append(table, row)
		s.lines[n.line].text = spliced(s.lines[n.line].text, changes)
	}
	if err := s.addTempo(); err != nil {
		return nil, err
	}
	return vfs.Files{beatsFile: s.print(), secondsFile: plain.WriteCSV(table)}, nil
}

// addTempo begins every section of the score with the tempo.
func (s *source) addTempo() error {
	var lines []line
	var scan scanner
	tempo := line{text: tempoLine, section: scoreSection}
	for i, l := range s.lines {
		lines = append(lines, l)
		begins := false
		switch {
		case l.tag:
			begins = tagName(l.text) == "csscore" && l.text[1] != '/'
		case l.section == scoreSection:
			code, _ := scan.scan(l.text)
			words := scoreWords(code)
			switch scoreKind(code, words) {
			case tableLine:
				if pField(code, words, 2) != "0" {
					return errTempo
				}
			case controlLine:
				letter := words[0].of(code)
				if letter != "s" && letter != "e" || len(words) > 1 {
					return errTempo
				}
				begins = letter == "s"
			}
		}
		if begins {
			if i+1 < len(s.lines) && s.lines[i+1].glued {
				return errShared
			}
			lines = append(lines, tempo)
		}
	}
	s.lines = lines
	return nil
}

func beatsToSeconds(files vfs.Files) (vfs.Files, error) {
	s, notes, err := readNamed(files, beatsFile)
	if err != nil {
		return nil, err
	}
	table, err := plain.Table(files, secondsFile, "event", "start", "duration")
	if err != nil {
		return nil, err
	}
	rows := plain.NotesBy(table, func(row []string) string { return strings.TrimSpace(row[0]) })
	for k := range notes {
		n := &notes[k]
		row := rows.Take(decimalText(k + 1))
		var changes []splice
		for p := 2; row != nil && p <= 3 && p < len(n.words); p++ {
			if row[p-1] != "" {
				changes = append(changes, splice{n.words[p], row[p-1]})
			}
		}
		s.lines[n.line].text = spliced(s.lines[n.line].text, changes)
	}
	_, rest, err := s.takeOut(func(i int) bool {
		return s.lines[i].section == scoreSection && strings.Join(strings.Fields(s.lines[i].text), " ") == tempoLine
	})
	if err != nil {
		return nil, err
	}
	return asDocument(&rest), nil
}

const (
	withoutEvents = "without_events.csd"
	eventsFile    = "events.csv"
)

// hertz is the frequency of a pitch, to two decimals.
func hertz(pitch string) string {
	midi, ok := midiNote(pitch)
	if !ok {
		return ""
	}
	const a4, note = 440, 69
	return strconv.FormatFloat(a4*math.Pow(2, (midi.float()-note)/12), 'f', 2, 64)
}

// level is the band of an amplitude, with 1 for full scale.
func level(amplitude string) string {
	const soft, loud = 0.1, 0.3
	d, ok := readDecimal(amplitude)
	switch a := d.float(); {
	case !ok:
		return ""
	case a < soft:
		return "soft"
	case a < loud:
		return "medium"
	}
	return "loud"
}

// toTable moves the notes to a table.
func toTable(files vfs.Files) (vfs.Files, error) {
	s, notes, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	pitched := s.pitched(pitchCall)
	numbers := s.numbers()
	isNote := map[int]bool{}
	table := [][]string{{"line", "instrument", "start", "end", "hertz", "level", "statement", "comment"}}
	for k := range notes {
		n := &notes[k]
		start, end, err := n.interval()
		if err != nil {
			return nil, err
		}
		tone := ""
		if pitched[n.instrument()] {
			tone = hertz(n.value(5))
		}
		table = append(table, []string{
			decimalText(numbers[n.line]), n.value(1), start.String(), end.String(), tone, level(n.value(4)),
			strings.Join(strings.Fields(n.text), " "), strings.TrimSpace(n.comment),
		})
		isNote[n.line] = true
	}
	_, rest, err := s.takeOut(func(i int) bool { return isNote[i] })
	if err != nil {
		return nil, err
	}
	return vfs.Files{withoutEvents: rest.print(), eventsFile: plain.WriteCSV(table)}, nil
}

func fromTable(files vfs.Files) (vfs.Files, error) {
	text, err := plain.File(files, withoutEvents)
	if err != nil {
		return nil, err
	}
	table, err := plain.Table(files, eventsFile, "line", "statement", "comment")
	if err != nil {
		return nil, err
	}
	if len(table) == 0 {
		return nil, errNoEvent
	}
	taken := make([]placed, len(table))
	for k, row := range table {
		taken[k] = placed{plain.LineNumber(row[0]), strings.TrimSpace(row[1] + " " + row[2])}
	}
	s := readFile(withoutEvents, text)
	return s.putIn(taken), nil
}
