package musicsheet

import (
	"errors"
	"iter"
	"strconv"

	"agentd/domains"
	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
)

// scores says how scores, which are lists of tokens, are taken apart and put together.
var scores = exact.Format[[]token, token]{
	Patterns: patterns,
	Read:     func(text string) []token { return tokenize(text, newContext()) },
	Print:    printed,
	Parts:    func(tokens *[]token) *[]token { return tokens },
	Join: func(all [][]token) (joined []token) {
		c := newContext() // a file goes on in the language of the one before
		for _, tokens := range all {
			joined = append(joined, tokenize(printed(tokens), c)...)
		}
		return joined
	},
	Empty:  errors.New("the files have no notes"),
	Counts: func(k *token) bool { return k.kind == noteToken },
}

func edits() []domains.Edit {
	return []domains.Edit{
		domains.Taking("transpose", transposed),
		domains.Taking("split_by_variable", splitByVariable),
		domains.Taking("absolute_octaves", absoluteOctaves),
		domains.Taking("write_durations", writeDurations),
		domains.Taking("rename_notes", renameNotes),
		domains.Taking("take_lyrics", takeLyrics),
		domains.Taking("take_dynamics", takeDynamics),
		domains.Taking("note_ranges", noteRanges),
	}
}

// readPitch reads a pitch in Dutch, such as fis,.
func readPitch(text string) (pitch, bool) {
	t := tokenizer{scanner: scanner{text: text}, context: newContext()}
	p, ok := t.pitchArgument()
	return p, ok && t.atEnd()
}

// event is the place of a note, rest or chord in its variable, counted from 1. All
// tokens of a chord have its place, and so have the marks after it.
type event struct {
	variable string
	n        int
}

// cells are those of a table.
func (e event) cells() []string { return []string{e.variable, strconv.Itoa(e.n)} }

func eventOf(row []string) event { return event{row[0], plain.LineNumber(row[1])} }

// eventsOf gives each token the event that it belongs to; n is 0 for what belongs to
// none. Music outside of variables has the variable "score".
func eventsOf(tokens []token) []event {
	all := make([]event, len(tokens))
	counts := map[string]int{}
	variable, inChord := outside, false
	var last event
	for i := range tokens {
		k := &tokens[i]
		switch {
		case k.kind == nameToken:
			variable = variableName(k.text)
		case k.depth == 0 && k.kind == markToken && isOutput[commandName(k.text)]:
			variable = outside
		}
		switch {
		case k.kind == chordOpenToken || isEvent(k.kind) && !inChord && k.kind != chordCloseToken:
			counts[variable]++
			last = event{variable, counts[variable]}
			inChord = k.kind == chordOpenToken
		case k.kind == chordCloseToken:
			inChord = false
		case !inChord && k.kind != postToken && k.kind != commentToken:
			last = event{}
		}
		all[i] = last
	}
	return all
}

// outside is what music outside of variables is listed under.
const outside = "score"

// lasting are the tokens that say how long an event is: notes, rests and the ends of chords.
func lasting(tokens []token) iter.Seq2[int, *token] {
	return func(yield func(int, *token) bool) {
		inChord := false
		for i := range tokens {
			k := &tokens[i]
			inChord = k.kind == chordOpenToken || inChord && k.kind != chordCloseToken
			if isEvent(k.kind) && !inChord && !yield(i, k) {
				return
			}
		}
	}
}

// definitions takes tokens apart into those that define a variable, and single ones.
func definitions(tokens []token) iter.Seq[[]token] {
	return func(yield func([]token) bool) {
		for len(tokens) > 0 {
			n := max(definition(tokens), 1)
			if !yield(tokens[:n:n]) {
				return
			}
			tokens = tokens[n:]
		}
	}
}

// definition is how many tokens at the beginning define a variable: its name and one
// expression.
func definition(tokens []token) int {
	if len(tokens) == 0 || tokens[0].kind != nameToken {
		return 0
	}
	for n := 1; n < len(tokens); n++ {
		switch k := &tokens[n]; {
		case k.depth > 0:
		case k.kind == closeToken:
			return n + 1 + alternatives(tokens[n+1:])
		case k.kind == nameToken || isOutput[commandName(k.text)] || k.kind == endToken:
			return n
		}
	}
	return len(tokens)
}

// alternatives is how many tokens are \alternative with its braces.
func alternatives(tokens []token) int {
	if len(tokens) == 0 || commandName(tokens[0].text) != `\alternative` {
		return 0
	}
	for n := 1; n < len(tokens); n++ {
		if tokens[n].depth == 0 && tokens[n].kind == closeToken {
			return n + 1
		}
	}
	return len(tokens)
}
