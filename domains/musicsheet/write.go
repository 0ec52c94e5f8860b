package musicsheet

import (
	"strings"

	"agentd/vfs"

	published "agentd/domains/published/musicsheet"
)

// rewrite prints a token again after its name, octave or duration changed.
func (k *token) rewrite() {
	if k.text = k.tone.name + k.tone.marks + k.tone.rest + k.length; k.kind == chordCloseToken {
		k.text = ">" + k.length
	}
}

// inSequence writes the tokens that are kept so that they mean the same without the
// others: with durations and octaves where these came from what is left out.
type inSequence struct {
	running string                  // as the source has it
	written string                  // as what is kept has it
	last    map[int]published.Pitch // that the next note of a scope is relative to
	changed map[int]bool            // scopes in which a note was left out
	first   *tone                   // of the chord that is open
	inChord bool
	named   tone // the last one written with its name, for durations alone
	dropped bool // that was left out
}

func newSequence() *inSequence {
	return &inSequence{running: "4", written: "4", last: map[int]published.Pitch{}, changed: map[int]bool{}}
}

// leave notes that a token is left out.
func (s *inSequence) leave(k *token) {
	if k.length != "" {
		s.running = k.length
	}
	if k.kind != noteToken {
		return
	}
	if k.tone.name != "" {
		s.named, s.dropped = k.tone, true
	}
	if scope := k.tone.scope; scope != 0 {
		if _, known := s.last[scope]; !known {
			s.last[scope] = k.tone.from
		}
		s.changed[scope] = true
	}
}

// keep writes a token that stays.
func (s *inSequence) keep(k *token) {
	switch k.kind {
	case chordOpenToken:
		s.inChord, s.first = true, nil
	case noteToken, restToken:
		s.note(k)
	}
	if isEvent(k.kind) && !s.inChord || k.kind == chordCloseToken {
		if k.length == "" && s.running != s.written {
			k.length = s.running
			k.rewrite()
			s.written = s.running
		}
	}
	if k.kind == chordCloseToken {
		s.inChord = false
		if s.first != nil && s.first.scope != 0 {
			s.last[s.first.scope] = s.first.pitch
		}
	}
	if k.length != "" {
		s.running, s.written = k.length, k.length
	}
}

func (s *inSequence) note(k *token) {
	if k.tone.name == "" && s.dropped { // a duration alone
		p := k.tone.pitch
		k.tone = s.named
		k.tone.pitch = p
		k.rewrite()
	}
	if k.tone.name != "" {
		s.named, s.dropped = k.tone, false
	}
	if s.inChord && s.first == nil {
		s.first = &k.tone
	}
	scope := k.tone.scope
	if scope == 0 {
		return
	}
	if before, known := s.last[scope]; known && s.changed[scope] {
		if marks := marksAfter(k.tone.pitch, before); marks != k.tone.marks {
			k.tone.marks = marks
			k.rewrite()
		}
	}
	s.last[scope] = k.tone.pitch
}

// isEvent reports whether a token of the kind has a duration.
func isEvent(kind tokenKind) bool {
	return kind == noteToken || kind == restToken || kind == chordCloseToken || kind == repeatToken
}

// without leaves out notes; a chord goes with its last note.
func without(files vfs.Files, leave func() bool) vfs.Files {
	left := vfs.Files{}
	c := newContext()
	for _, name := range files.Names() {
		tokens := tokenize(files[name], c)
		drop := make([]bool, len(tokens))
		some := false
		for i := range tokens {
			if tokens[i].kind == noteToken {
				drop[i] = leave()
				some = some || drop[i]
			}
		}
		left[name] = files[name]
		if some {
			left[name] = printed(withoutMarked(tokens, drop))
		}
	}
	return left
}

// withoutMarked leaves out the marked notes, with what belongs to them.
func withoutMarked(tokens []token, drop []bool) []token {
	emptyChords(tokens, drop)
	s := newSequence()
	kept := make([]token, 0, len(tokens))
	space, following := "", false
	inChord := false
	for i := range tokens {
		k := &tokens[i]
		switch k.kind {
		case chordOpenToken:
			inChord = true
		case chordCloseToken:
			inChord = false
		}
		following = drop[i] || following && k.kind == postToken
		if following {
			if drop[i] && k.kind != postToken {
				kept = withoutPrefixes(kept)
			}
			s.leave(k)
			if strings.Contains(k.space, "\n") && !inChord {
				space = k.space
			}
			continue
		}
		if space != "" && !strings.Contains(k.space, "\n") {
			k.space = space
		}
		space = ""
		s.keep(k)
		kept = append(kept, *k)
	}
	return kept
}

// withoutPrefixes leaves out the commands at the end that apply to what comes next,
// which is left out. A variable that had nothing else gets empty braces.
func withoutPrefixes(kept []token) []token {
	n := len(kept)
	for n > 0 && kept[n-1].kind == markToken && isPrefix[commandName(kept[n-1].text)] {
		n--
	}
	kept = kept[:n]
	if n > 0 && kept[n-1].kind == nameToken {
		kept = append(kept, token{kind: openToken, space: " ", text: "{"}, token{kind: closeToken, text: "}"})
	}
	return kept
}

// emptyChords marks chords of which all notes are marked.
func emptyChords(tokens []token, drop []bool) {
	open, notes, left := -1, 0, 0
	for i := range tokens {
		switch tokens[i].kind {
		case chordOpenToken:
			open, notes, left = i, 0, 0
		case noteToken:
			notes++
			if !drop[i] {
				left++
			}
		case chordCloseToken:
			if open >= 0 && notes > 0 && left == 0 {
				for n := open; n <= i; n++ {
					drop[n] = true
				}
			}
			open = -1
		}
	}
}

// countNotes is the number of notes of the files.
func countNotes(files vfs.Files) int {
	n := 0
	without(files, func() bool {
		n++
		return false
	})
	return n
}
