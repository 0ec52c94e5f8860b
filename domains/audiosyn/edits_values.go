package audiosyn

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"regexp"
	"strconv"
	"strings"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// pitchCalls are the calls that take a p-field for a pitch and for a MIDI note.
func pitchCalls(field int) (pitch, midi string) {
	return fmt.Sprintf("cpspch(p%d)", field), fmt.Sprintf("cpsmidinn(p%d)", field)
}

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
		if !l.inOrchestra() {
			continue
		}
		if code, _ := scan.scan(l.text); inside[i] {
			// The code is the line up to its comment, or has blanks for one.
			l.text = spliced(l.text, occurrences(code, was, is))
		}
	}
}

func occurrences(text, was, is string) (all []splice) {
	for _, at := range regexp.MustCompile(regexp.QuoteMeta(was)).FindAllStringIndex(text, -1) {
		all = append(all, splice{span{int32(at[0]), int32(at[1])}, is})
	}
	return all
}

// midiNote is the MIDI note of a pitch in octaves and hundredths of semitones.
func midiNote(pitch string) (*big.Rat, bool) {
	note, ok := readDecimal(pitch)
	if !ok || note.Sign() < 0 {
		return nil, false
	}
	octave := new(big.Int).Quo(note.Num(), note.Denom())
	semitones := note.Sub(note, new(big.Rat).SetInt(octave))
	semitones.Mul(semitones, big.NewRat(100, 1))
	return semitones.Add(semitones, big.NewRat(12*(octave.Int64()-3), 1)), true
}

// midiPitch writes the pitches in a p-field as MIDI note numbers.
func midiPitch(p struct {
	Document, To string
	Field        int // its number
	Table        string
}) exact.Steps {
	if p.Field < 1 {
		return exact.Refuse("field must be at least 1")
	}
	pitchCall, midiCall := pitchCalls(p.Field)
	change := func(s *source, notes []note) (vfs.Files, error) {
		pitched := s.pitched(pitchCall)
		if len(pitched) == 0 || len(s.pitched(midiCall)) > 0 {
			return nil, fmt.Errorf("no instrument with %s, or one with %s", pitchCall, midiCall)
		}
		table := [][]string{{"event", "pch", "midi"}}
		for k := range notes {
			n := &notes[k]
			midi, ok := midiNote(n.field(p.Field))
			if !ok || !pitched[n.instrument()] {
				continue
			}
			table = append(table, []string{strconv.Itoa(k + 1), n.field(p.Field), decimal(midi)})
			s.change(n, []splice{{n.words[p.Field], decimal(midi)}})
		}
		s.exchangeCall(pitchCall, midiCall)
		return vfs.Files{p.Table: plain.WriteCSV(table)}, nil
	}
	return rewrite(p.Document, p.To, change, func(s *source, notes []note, files vfs.Files) error {
		table, err := plain.Table(files, p.Table, "event", "pch")
		if err != nil {
			return err
		}
		for _, row := range table {
			k := plain.LineNumber(row[0])
			if k < 1 || k > len(notes) || len(notes[k-1].words) <= p.Field {
				return fmt.Errorf("%s: no event %s with a pitch", p.Table, row[0])
			}
			n := &notes[k-1]
			s.change(n, []splice{{n.words[p.Field], row[1]}})
			n.words = nil // a second row is an error
		}
		s.exchangeCall(midiCall, pitchCall)
		return nil
	})
}

// inBeats writes starts and durations in beats, and gives the score a tempo.
func inBeats(p struct {
	Document, To string
	Tempo        int64 // in beats a minute, with which a second has beats of few decimals
	Table        string
}) exact.Steps {
	const most = 3000
	if p.Tempo < 3 || p.Tempo > most || p.Tempo%3 != 0 {
		return exact.Refuse("tempo must be a multiple of 3 from 3 to 3000")
	}
	tempo := fmt.Sprintf("t 0 %d", p.Tempo)
	change := func(s *source, notes []note) (vfs.Files, error) {
		table := [][]string{{"event", "start", "duration"}}
		for k := range notes {
			n := &notes[k]
			row := []string{strconv.Itoa(k + 1), "", ""}
			var changes []splice
			for field := 2; field <= 3 && field < len(n.words); field++ {
				if d, ok := readDecimal(n.field(field)); ok && d.Sign() >= 0 {
					row[field-1] = n.field(field)
					beats := d.Mul(d, big.NewRat(p.Tempo, 60))
					changes = append(changes, splice{n.words[field], decimal(beats)})
				}
			}
			table = append(table, row)
			s.change(n, changes)
		}
		return vfs.Files{p.Table: plain.WriteCSV(table)}, s.addTempo(tempo)
	}
	return rewrite(p.Document, p.To, change, func(s *source, notes []note, files vfs.Files) error {
		rows, err := rowsBy(0, files, p.Table, "event", "start", "duration")
		if err != nil {
			return err
		}
		for k := range notes {
			n := &notes[k]
			row := rows.Take(strconv.Itoa(k + 1))
			var changes []splice
			for field := 2; row != nil && field <= 3 && field < len(n.words); field++ {
				if row[field-1] != "" {
					changes = append(changes, splice{n.words[field], row[field-1]})
				}
			}
			s.change(n, changes)
		}
		_, err = s.takeOut(func(i int) bool {
			return s.lines[i].section == scoreSection && strings.Join(strings.Fields(s.lines[i].text), " ") == tempo
		})
		return err
	})
}

var errTempo = errors.New("a statement that the tempo would change, other than i statements and tables at time 0")

// addTempo begins every section of the score with the tempo.
func (s *source) addTempo(text string) error {
	begins := map[int]bool{}
	for i, l := range s.lines {
		begins[i] = l.tag && tagName(l.text) == "csscore" && l.text[1] != '/'
	}
	for l := range s.score() {
		switch l.kind {
		case tableLine:
			if normal(l.field(2)) != "0" {
				return errTempo
			}
		case controlLine:
			if letter := l.letter(); letter != "s" && letter != "e" || len(l.words) > 1 {
				return errTempo
			}
			begins[l.line] = l.endsSection()
		}
	}
	var lines []line
	for i, l := range s.lines {
		lines = append(lines, l)
		if !begins[i] {
			continue
		}
		if s.goesOn(i) {
			return errShared
		}
		lines = append(lines, line{text: text, section: scoreSection})
	}
	s.lines = lines
	return nil
}

// hertz is the frequency of a pitch, to two decimals.
func hertz(pitch string) string {
	midi, ok := midiNote(pitch)
	if !ok {
		return ""
	}
	const a4, note = 440, 69
	return strconv.FormatFloat(a4*math.Pow(2, (float(midi)-note)/12), 'f', 2, 64)
}

// levels are bands of amplitudes, from the softest.
type levels []struct {
	Name  string
	Below float64
}

// of is the band of an amplitude: loudest above all, and empty for what is no number.
func (l levels) of(amplitude, loudest string) string {
	d, ok := readDecimal(amplitude)
	if !ok {
		return ""
	}
	for _, level := range l {
		if float(d) < level.Below {
			return level.Name
		}
	}
	return loudest
}

// eventTable moves the notes to a table.
func eventTable(p struct {
	Document, To     string
	Amplitude, Pitch int // numbers of p-fields
	Levels           levels
	Loudest, Table   string
}) exact.Steps {
	pitchCall, _ := pitchCalls(p.Pitch)
	if min(p.Amplitude, p.Pitch) < 1 {
		return exact.Refuse("amplitude and pitch must be at least 1")
	}
	forward := func(s source) (vfs.Files, error) {
		notes, err := s.events()
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
				tone = hertz(n.value(p.Pitch))
			}
			table = append(table, []string{
				strconv.Itoa(numbers[n.line]), n.value(1), decimal(start), decimal(end), tone,
				p.Levels.of(n.value(p.Amplitude), p.Loudest),
				strings.Join(strings.Fields(n.code), " "), strings.TrimSpace(strings.Join(n.comments, " ")),
			})
			isNote[n.line] = true
		}
		_, err = s.takeOut(func(i int) bool { return isNote[i] })
		return vfs.Files{p.To: s.print(), p.Table: plain.WriteCSV(table)}, err
	}
	return pieces.Whole(p.Document, forward, func(files vfs.Files) (source, error) {
		s, err := pieces.Named(files, p.To)
		if err != nil {
			return s, err
		}
		table, err := plain.Table(files, p.Table, "line", "statement", "comment")
		s.putIn(lists.Map(table, func(row []string) placed {
			return placed{plain.LineNumber(row[0]), strings.TrimSpace(row[1] + " " + row[2])}
		}))
		return s, err
	})
}
