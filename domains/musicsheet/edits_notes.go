package musicsheet

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// writeDurations gives every note, rest and chord its duration, and lists those that had none.
func writeDurations(p struct{ Document, To, Table string }) exact.Steps {
	columns := []string{"variable", "n"}
	return scores.Rewrite(p.Document, p.To, func(tokens *[]token) (vfs.Files, error) {
		events, table, running := eventsOf(*tokens), [][]string{columns}, "4"
		for i, k := range lasting(*tokens) {
			if k.length != "" {
				running = k.length
				continue
			}
			table = append(table, events[i].cells())
			k.length = running
			k.rewrite()
		}
		return vfs.Files{p.Table: plain.WriteCSV(table)}, nil
	}, func(tokens *[]token, files vfs.Files) error {
		rows, err := plain.Table(files, p.Table, columns...)
		implicit, events := map[event]bool{}, eventsOf(*tokens)
		for _, row := range rows {
			implicit[eventOf(row)] = true
		}
		for i := range *tokens {
			if k := &(*tokens)[i]; isEvent(k.kind) && k.length != "" && implicit[events[i]] {
				k.length = ""
				k.rewrite()
			}
		}
		return err
	})
}

// takeDynamics moves the dynamics of the music to a list.
func takeDynamics(p struct{ Document, To, Table string }) exact.Steps {
	columns := []string{"variable", "n", "dynamics"}
	return scores.Rewrite(p.Document, p.To, func(tokens *[]token) (vfs.Files, error) {
		events, table := eventsOf(*tokens), [][]string{columns}
		var kept []token
		var last event
		for i, k := range *tokens {
			switch {
			case events[i].n == 0 || !k.isDynamic():
				kept = append(kept, k)
			case events[i] == last:
				table[len(table)-1][2] += " " + k.text
			default:
				last = events[i]
				table = append(table, append(last.cells(), k.text))
			}
		}
		*tokens = kept
		return vfs.Files{p.Table: plain.WriteCSV(table)}, nil
	}, func(tokens *[]token, files vfs.Files) error {
		rows, err := plain.Table(files, p.Table, columns...)
		dynamics, events := map[event][]string{}, eventsOf(*tokens)
		for _, row := range rows {
			e := eventOf(row)
			dynamics[e] = append(dynamics[e], strings.Fields(row[2])...)
		}
		var all []token
		from := 0
		for i := range lasting(*tokens) {
			all = append(all, (*tokens)[from:i+1]...)
			for _, mark := range dynamics[events[i]] {
				all = append(all, token{kind: postToken, text: mark})
			}
			delete(dynamics, events[i])
			from = i + 1
		}
		*tokens = append(all, (*tokens)[from:]...)
		return err
	})
}

// isDynamic reports whether a token is a dynamic mark, with or without direction.
func (k *token) isDynamic() bool {
	return k.kind == postToken && postKind(strings.TrimPrefix(k.text, "-")) == "dynamic"
}

// singer is a voice that can sing from a pitch up to another.
type singer struct {
	name            string
	lowest, highest pitch
}

// noteRanges writes above each variable the range of its notes and the first voice that can sing
// it.
func noteRanges(p struct {
	Document, To string
	Label        string
	Voices       []struct{ Name, Lowest, Highest string } // pitches in Dutch
	Others       string                                   // for what no voice can sing
	Table        string
}) exact.Steps {
	label := "% " + p.Label + " "
	var voices []singer
	for _, v := range p.Voices {
		lowest, ok := readPitch(v.Lowest)
		highest, too := readPitch(v.Highest)
		if !ok || !too {
			return exact.Refuse(v.Name + " needs pitches such as c'")
		}
		voices = append(voices, singer{v.Name, lowest, highest})
	}
	return scores.Rewrite(p.Document, p.To, func(tokens *[]token) (vfs.Files, error) {
		table := [][]string{{"variable", "notes", "lowest", "highest", "semitones", "voice"}}
		var all []token
		for part := range definitions(*tokens) {
			row, ok := rangeOf(part, voices, p.Others)
			if ok {
				table = append(table, row)
				text := label + row[2] + " - " + row[3] + ", " + row[5]
				all = append(all, token{kind: commentToken, space: part[0].space, text: text})
				part[0].space = "\n"
			}
			all = append(all, part...)
		}
		if len(table) == 1 {
			return nil, scores.Empty
		}
		*tokens = all
		return vfs.Files{p.Table: plain.WriteCSV(table)}, nil
	}, func(tokens *[]token, _ vfs.Files) error {
		var kept []token
		for i, k := range *tokens {
			if k.kind == commentToken && strings.HasPrefix(k.text, label) && i+1 < len(*tokens) {
				(*tokens)[i+1].space = k.space
				continue
			}
			kept = append(kept, k)
		}
		*tokens = kept
		return nil
	})
}

// rangeOf is the row of a variable; there is none without notes.
func rangeOf(definition []token, voices []singer, others string) (row []string, ok bool) {
	var pitches []pitch
	for i := range definition {
		if definition[i].kind == noteToken {
			pitches = append(pitches, definition[i].tone.sounding())
		}
	}
	if len(pitches) == 0 || definition[0].kind != nameToken {
		return nil, false
	}
	byHeight := func(a, b pitch) int { return cmp.Compare(a.height(), b.height()) }
	lowest, highest := slices.MinFunc(pitches, byHeight), slices.MaxFunc(pitches, byHeight)
	able := others
	for _, v := range voices {
		if lowest.height() >= v.lowest.height() && highest.height() <= v.highest.height() {
			able = v.name
			break
		}
	}
	semitones := float64(highest.height()-lowest.height()) / 2
	return []string{
		variableName(definition[0].text), strconv.Itoa(len(pitches)), lowest.absolute(), highest.absolute(),
		strconv.FormatFloat(semitones, 'f', -1, 64), able,
	}, true
}

// absolute is the Dutch name with octave marks.
func (p pitch) absolute() string {
	return languages[defaultLanguage].print(p) + octaveMarks(p.octave)
}
