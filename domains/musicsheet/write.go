package musicsheet

import (
	"strings"

	published "agentd/domains/published/musicsheet"
	"agentd/vfs"
)

// without leaves out notes; a chord goes with its last note.
func without(files vfs.Files, leave func() bool) vfs.Files {
	left := files.Clone()
	c := newContext()
	for _, name := range files.Names() {
		tokens := tokenize(files[name], c)
		drop := make([]bool, len(tokens))
		some := false
		for i := range tokens {
			drop[i] = tokens[i].kind == noteToken && leave()
			some = some || drop[i]
		}
		if some {
			left[name] = printed(withoutMarked(tokens, drop))
		}
	}
	return left
}

// withoutMarked leaves out the marked notes, with what belongs to them.
func withoutMarked(tokens []token, drop []bool) []token {
	emptyChords(tokens, drop)
	s := sequence{running: "4", written: "4", last: map[int]published.Pitch{}}
	kept := make([]token, 0, len(tokens))
	space, following := "", false
	for i := range tokens {
		k := &tokens[i]
		switch k.kind {
		case chordOpenToken:
			s.inChord, s.first = true, nil
		case chordCloseToken:
			s.inChord = false
		}
		following = drop[i] || following && k.kind == postToken
		if following {
			if drop[i] && k.kind != postToken {
				kept = withoutPrefixes(kept)
			}
			s.leave(k)
			if strings.Contains(k.space, "\n") && !s.inChord {
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

// sequence writes the tokens that are kept so that they mean the same without the
// others: with durations and octaves where these came from what is left out.
type sequence struct {
	running string                  // the duration that holds in the source
	written string                  // the one that holds in what is kept
	last    map[int]published.Pitch // that the next note of a scope is relative to
	inChord bool
	first   *tone // that is kept of the chord at hand
	named   tone  // the last one with its name, for durations alone
	dropped bool  // that was left out
}

// leave notes that a token is left out.
func (s *sequence) leave(k *token) {
	if k.length != "" {
		s.running = k.length
	}
	if k.kind != noteToken {
		return
	}
	if k.tone.name != "" {
		s.named, s.dropped = k.tone, true
	}
	if _, known := s.last[k.tone.scope]; !known {
		s.last[k.tone.scope] = k.tone.from
	}
}

// keep writes a token that stays.
func (s *sequence) keep(k *token) {
	switch {
	case k.kind == noteToken || k.kind == restToken:
		s.note(k)
	case k.kind == chordCloseToken && s.first != nil:
		s.last[s.first.scope] = s.first.pitch
	}
	if k.isEvent() && !s.inChord && k.length == "" && s.running != s.written {
		k.length = s.running
		k.rewrite()
	}
	if k.length != "" {
		s.running, s.written = k.length, k.length
	}
}

// note gives a note its name, if it had that from one that is left out, and the octave marks after the last that is kept.
func (s *sequence) note(k *token) {
	t := &k.tone
	if t.name == "" && s.dropped { // a duration alone
		p := t.pitch
		*t = s.named
		t.pitch = p
		k.rewrite()
	}
	if t.name != "" {
		s.named, s.dropped = *t, false
	}
	if s.inChord && s.first == nil {
		s.first = t
	}
	if before, known := s.last[t.scope]; known && t.scope != 0 {
		if octaves := t.pitch.Octave - after(t.pitch, before).Octave; octaves != octaveOf(t.marks) {
			t.marks = octaveMarks(octaves)
			k.rewrite()
		}
	}
	s.last[t.scope] = t.pitch
}

// isEvent reports whether a token has a duration.
func (k *token) isEvent() bool {
	return k.kind == noteToken || k.kind == restToken || k.kind == chordCloseToken || k.kind == repeatToken
}

// rewrite prints a token again after its name, octave or duration changed.
func (k *token) rewrite() {
	if k.text = k.tone.name + k.tone.marks + k.tone.rest + k.length; k.kind == chordCloseToken {
		k.text = ">" + k.length
	}
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
			for n := open; open >= 0 && notes > 0 && left == 0 && n <= i; n++ {
				drop[n] = true
			}
			open = -1
		}
	}
}
