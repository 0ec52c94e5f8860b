// Package musicsheet is the published reading and score of the domain musicsheet.
//
// score = 0.35 N + 0.25 D + 0.15 Y + 0.15 L + 0.10 S, not rounded.
//
//   - N and D: the larger of two values, over pitches without their octaves and over durations. The first is the ratio
//     over all notes in text order. The second, if both sides have voices, is the mean of the ratios of the voices,
//     weighted by the longer of each two: voices go together by name where the sets of names agree; otherwise each of the
//     candidate goes to the voice of the reference with the highest ratio of pitches, the first of several, and those
//     that go to one are joined in order.
//   - Y: ratio over the dynamics of all voices. L: ratio over the words of all lyrics.
//   - S: the share that agrees of key and time of the variable global, title, composer and arranger, trimmed and in
//     lower case, and the numbers of voices, of which the smaller by the larger counts. What neither side has is left
//     out; 1 if nothing is left.
//   - Neither side has any: 1. One side has none: 0.
//
// Only music, words and headers in variables are read, as python-ly 0.9.7 reads them: a variable with a note is a voice,
// a chord's notes and the pitch of a key signature are notes of a quarter, and a duration holds until the next one in the
// whole text. Ratios are those of package ratio, with the reference first; in 200 values and more, popular ones are no
// anchors.
package musicsheet

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"

	"agentd/domains"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/sets"
	"agentd/vfs"
)

// Patterns are the names of files that are read.
var Patterns = []string{"*.ly"}

// Sheet is what the published reading makes of a document.
type Sheet struct {
	voices   []voice // by name, in the order of the first definitions
	pitches  []uint8 // of all notes, in quarter tones within the octave
	lengths  []float64
	dynamics []string
	words    []string // of all lyrics
	header   map[string]string
	key      string // empty if there is none
	time     string
}

// voice is a variable with at least one note, or with words.
type voice struct {
	name    string
	pitches []uint8
	lengths []float64
	words   []string
}

func (v *voice) named() string { return v.name }

var (
	errKey    = fmt.Errorf("%w: a key signature of global has no known pitch", domains.ErrCrash)
	errFactor = fmt.Errorf("%w: a duration divides by zero", domains.ErrCrash)
)

// Parse reads the files as one text, as the published evaluator does: only music
// and lyrics in variables, and the header.
func Parse(files vfs.Files) (*Sheet, error) {
	files = files.Match(Patterns)
	var text strings.Builder
	for _, name := range files.Names() {
		text.WriteString(files[name])
		text.WriteByte('\n')
	}
	r := reader{
		lexer:    lexer{text: text.String(), modes: []mode{{kind: topMode}}},
		sheet:    &Sheet{header: map[string]string{}},
		language: Languages()[DefaultLanguage], running: quarter,
	}
	if isLilyPond(r.text) {
		r.document()
	}
	if r.err != nil {
		return nil, r.err
	}
	r.sheet.voices = sets.LastByName(r.sheet.voices, (*voice).named)
	for _, v := range sets.LastByName(r.lyrics, (*voice).named) {
		r.sheet.words = append(r.sheet.words, v.words...)
	}
	return r.sheet, nil
}

// isLilyPond reports whether the published reading takes a text for LilyPond, which it guesses by how it begins.
func isLilyPond(text string) bool {
	text = pytext.Strip(text)
	switch {
	case strings.HasPrefix(text, "%"), strings.HasPrefix(text, `\`):
		return strings.Contains(text, `\version`) || strings.Contains(text, `\relative`) || strings.Contains(text, `\score`) ||
			!strings.Contains(text, `\documentclass`) && !strings.Contains(text, `\begin{document}`)
	case strings.HasPrefix(text, "<<"):
		return true
	}
	for _, begin := range []string{"<", "#!", ";", "(", "@", "//"} {
		if strings.HasPrefix(text, begin) {
			return false
		}
	}
	first, _, _ := strings.Cut(text, "\n")
	if words := strings.Fields(first); len(words) > 0 {
		return words[0] != "include" && words[0] != "score" && words[0] != "music"
	}
	return true
}

// document reads the text at its outermost level.
func (r *reader) document() {
	for r.err == nil {
		r.read = reading{}
		found, ok := r.item(nil)
		if !ok {
			return
		}
		switch found.kind {
		case headerItem:
			maps.Copy(r.sheet.header, found.fields)
		case assignmentItem:
			r.assigned(found)
		}
	}
}

// assigned takes what was read in the value of a variable.
func (r *reader) assigned(found item) {
	if found.value == nil {
		return
	}
	if found.value.kind == lyricsItem {
		r.lyrics = plain.Append(r.lyrics, voice{name: found.name, words: r.read.words})
	}
	if found.name == "global" {
		r.globals(found.value.text)
	}
	r.endVoice(found.name)
}

// globals takes the last key and time of the variable global.
func (r *reader) globals(whole string) {
	keys := r.read.keys
	if whole == `\key` {
		keys = keys[1:] // one that is the whole value is passed over
	}
	for _, k := range keys {
		if !k.known {
			r.err = errKey
			return
		}
		r.sheet.key = string(rune('0'+k.pitch.Step)) + string(rune('m'+k.pitch.Alter)) + k.mode
	}
	if r.read.time != "" && whole != `\time` {
		r.sheet.time = r.read.time
	}
}

func (r *reader) endVoice(name string) {
	if len(r.read.pitches) == 0 {
		return
	}
	s := r.sheet
	s.pitches = join(s.pitches, r.read.pitches)
	s.lengths = join(s.lengths, r.read.lengths)
	s.dynamics = join(s.dynamics, r.read.dynamics)
	s.voices = plain.Append(s.voices, voice{name: name, pitches: r.read.pitches, lengths: r.read.lengths})
}

// join appends; the first list is shared, as it is often the only one.
func join[T any](all, more []T) []T {
	if all == nil {
		return slices.Clip(more)
	}
	return append(all, more...)
}

// noWord is what a quoted syllable and a markup count as.
const noWord = "None"

// lyricLength is that of a word: it ends at white space, digits, quotes and
// backslashes only, so an attached brace belongs to it.
func lyricLength(text string) int {
	for i, c := range text {
		if c == '"' || c == '\\' || pytext.IsSpace(c) || unicode.IsDigit(c) {
			return i
		}
	}
	return len(text)
}
