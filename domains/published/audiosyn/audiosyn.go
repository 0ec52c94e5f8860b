// Package audiosyn is the published reading and score of the domain audiosyn.
//
// Instruments: by id, last definition wins. Both sides empty (1,1); one empty (0,0). icov = Jaccard of ids. iacc = mean
// over shared ids of R on bodies with white-space runs collapsed to one space (comments included); 0 when nothing is
// shared.
//
// Events: fingerprint instr|start|dur|p4,p5,.... Both empty (1,1,1); one empty (0,0,0). ecov = Jaccard of fingerprint
// sets. eacc: let U be the reference events (with repeats) whose fingerprint is not shared and V likewise for the
// candidate. If both U and V are non-empty: x = shared/(distinct reference fingerprints), eacc = x + (1-x) * mean over
// U of max over V of R(fingerprints as characters). Else 1 if anything is shared, else 0. eseq = R on the two lists of
// fingerprints.
//
// Tables: by number, last wins. Both empty (1,1); one empty (0,0). tcov = Jaccard of numbers. tacc = mean over shared
// numbers of 0.3*[GEN equal] + 0.2*(min size/max size) + 0.5*R(arguments as characters); 0 when none shared.
//
// Settings: both empty 1; one empty 0; else equal text values / union of keys.
//
// Comments: each stripped of leading ; and space, white space collapsed, lower-cased, empties dropped. No comment lines
// on either side 1, on one side 0; after dropping empties the same rule; else R on the two lists.
//
// Text: R on the whole joined normalised text with white space collapsed.
//
//   - ig = icov^2.5 * iacc, eg = ecov^2.5 * eacc
//   - aux = 0.25*tcov*tacc + 0.15*settings + 0.25*comments + 0.25*eseq + 0.10*text
//   - score = sqrt(max(ig,1e-4)) * sqrt(max(eg,1e-4)) * sqrt(max(aux,0.001)), rounded to 6 decimals
//
// The floors mean that foreign text scores about 3e-6 and never exactly 0.
//
// R, or ratio, is that of package ratio, with the reference first.
package audiosyn

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/internal/lazyregexp"
	"agentd/vfs"
)

// Piece is a document as the published evaluator reads it.
type Piece struct {
	text        string // all files, with their scores normalised
	settings    map[string]string
	instruments []instrument
	opcodes     int // user-defined
	macros      int
	tables      []table
	events      []event
	comments    []string
}

type instrument struct{ id, body string }

type table struct{ number, size, generator, arguments string }

// event is an i statement with its p-fields: instrument, start, duration and the rest. print is all of them.
type event struct {
	fields []string
	print  string
}

// Patterns are the patterns of the names of its files.
var Patterns = []string{"*.csd", "*.orc", "*.sco"}

var errNothing = errors.New("no text in a .csd, .orc or .sco file")

// Parse joins the files. Of their sections the first of each kind counts.
func Parse(files vfs.Files) (Piece, error) {
	var all strings.Builder
	read := files.Match(Patterns)
	for _, name := range read.Names() {
		text, err := normalizedScore(read[name])
		if err != nil {
			return Piece{}, err
		}
		all.WriteString(text)
		all.WriteByte('\n')
	}
	p := Piece{text: all.String()}
	if pytext.Strip(p.text) == "" {
		return Piece{}, errNothing
	}
	p.readOrchestra(sectionOf(p.text, "CsInstruments"))
	p.readScore(sectionOf(p.text, "CsScore"))
	return p, nil
}

func sectionOf(text, tag string) string {
	start, end, _ := sectionBounds(text, tag)
	return pytext.Strip(text[start:end])
}

// sectionBounds finds what stands between the first opening tag of a section and the next closing one.
func sectionBounds(text, tag string) (start, end int, found bool) {
	start = afterTag(text, 0, "<"+tag+">")
	if start < 0 {
		return 0, 0, false
	}
	closing := "</" + tag + ">"
	end = afterTag(text, start, closing)
	if end < 0 {
		return 0, 0, false
	}
	return start, end - len(closing), true
}

// afterTag is the place after a tag in any letter case, or less than 0.
func afterTag(text string, from int, tag string) int {
	for {
		n := strings.IndexByte(text[from:], '<')
		if n < 0 || len(text)-from-n < len(tag) {
			return -1
		}
		from += n
		if strings.EqualFold(text[from:from+len(tag)], tag) {
			return from + len(tag)
		}
		from++
	}
}

// What is found in the orchestra: settings with their values, which may stand on a later line than the equals sign, user-defined
// opcodes and macros.
var (
	assignments = pytext.Pattern(`(?m)^\s*(sr|ksmps|nchnls|0dbfs)\s*=\s*(\S+)`)
	opcodes     = lazyregexp.New(`opcode[ \t][^\n]*,[^\n]*,[^\n]*\n(?s:.*?)endop`)
	macros      = lazyregexp.New(`(?m)^[ \t]*#define[ \t]+\S+[ \t]+#.*#`)
)

func (p *Piece) readOrchestra(text string) {
	p.settings = map[string]string{}
	for _, m := range assignments.FindAllStringSubmatch(text, -1) {
		if _, known := p.settings[m[1]]; !known {
			p.settings[m[1]] = m[2]
		}
	}
	p.instruments = readInstruments(text)
	p.opcodes = len(opcodes.FindAllStringIndex(text, -1))
	if strings.Contains(text, "#define") {
		p.macros = len(macros.FindAllStringIndex(text, -1))
	}
}

const (
	instrumentStart = "instr"
	instrumentEnd   = "endin"
)

// readInstruments finds every "instr" with the next "endin", also in comments and inside of words.
func readInstruments(text string) []instrument {
	var all []instrument
	for {
		n := strings.Index(text, instrumentStart)
		if n < 0 {
			return all
		}
		text = text[n+len(instrumentStart):]
		rest := pytext.StripLeft(text)
		if len(rest) == len(text) || rest == "" {
			continue
		}
		name := strings.IndexFunc(rest, pytext.IsSpace)
		if name < 0 {
			name = len(rest)
		}
		body, after, closed := strings.Cut(rest[name:], instrumentEnd)
		if !closed {
			// The name may end where the last word of its run begins.
			name = strings.LastIndex(rest[:name], instrumentEnd)
			if name < 1 {
				return all
			}
			body, after = "", rest[name+len(instrumentEnd):]
		}
		all = append(all, instrument{strings.TrimRight(rest[:name], ","), pytext.Strip(body)})
		text = after
	}
}

func (p *Piece) readScore(text string) {
	var remembered []string
	for line := range strings.SplitSeq(text, "\n") {
		line = pytext.Strip(line)
		if line == "" {
			continue
		}
		switch line[0] {
		case ';':
			p.comments = append(p.comments, line)
		case 'f':
			if t, ok := readTable(line); ok {
				p.tables = append(p.tables, t)
			}
		case 'i':
			code, _, _ := strings.Cut(line, ";")
			if words := pytext.Fields(code); len(words) > 2 {
				words[0] = words[0][1:]
				p.events = plain.Append(p.events, newEvent(words, &remembered))
			}
		}
	}
}

// newEvent resolves the dots of an event after its instrument, in whichever instrument's event the value stands.
func newEvent(fields []string, remembered *[]string) event {
	for n, value := range fields {
		if n == len(*remembered) {
			*remembered = append(*remembered, value)
		} else if n > 0 && value == "." {
			fields[n] = (*remembered)[n]
		}
		(*remembered)[n] = fields[n]
	}
	return event{fields, strings.Join(fields, " ")}
}

// tableStatement is an f statement whose number follows its letter.
var tableStatement = pytext.Pattern(`^f([0-9]+)\s+[0-9.]+\s+([0-9]+)\s+(-?[0-9]+)([^;]*)`)

func readTable(line string) (table, bool) {
	m := tableStatement.FindStringSubmatch(line)
	if m == nil {
		return table{}, false
	}
	return table{number: m[1], size: m[2], generator: m[3], arguments: pytext.Strip(m[4])}, true
}

// IsDigit reports whether a character is an ASCII digit.
func IsDigit(c byte) bool { return '0' <= c && c <= '9' }

// normalizedScore writes the numbers of a file's first score in one way.
func normalizedScore(text string) (string, error) {
	start, end, found := sectionBounds(text, "CsScore")
	if !found {
		return text, nil
	}
	lines := strings.Split(text[start:end], "\n")
	for i, line := range lines {
		var err error
		if lines[i], err = normalizedLine(line); err != nil {
			return "", err
		}
	}
	return text[:start] + strings.Join(lines, "\n") + text[end:], nil
}

// normalizedLine writes the words of a table or event with one blank between two.
func normalizedLine(line string) (string, error) {
	statement := pytext.Strip(line)
	code, comment, commented := strings.Cut(statement, ";")
	words := pytext.Fields(code)
	if len(words) < 2 || words[0][0] != 'i' && words[0][0] != 'f' {
		return line, nil
	}
	letter := words[0][:1]
	words[0] = words[0][1:]
	for i, word := range words {
		var err error
		if words[i], err = normalizedNumber(word); err != nil {
			return "", err
		}
	}
	normal := letter + strings.Join(words, " ")
	if commented {
		normal += " ;" + comment
	}
	return normal, nil
}

// normalizedNumber writes a whole number without a point, another with at most 15 digits, and leaves other words alone.
func normalizedNumber(word string) (string, error) {
	if IsShortWhole(word) {
		return word, nil
	}
	value, ok := pytext.Float(word)
	switch {
	case !ok:
		return word, nil
	case math.IsNaN(value) || math.IsInf(value, 0):
		return "", fmt.Errorf("%w: it takes the word %.40q for a number", domains.ErrCrash, word)
	case value == 0 && !strings.ContainsAny(word, "eE"):
		return "0", nil
	case value == math.Trunc(value) && !strings.ContainsAny(word, "eE"):
		return strconv.FormatFloat(value, 'f', 0, 64), nil
	}
	return fmt.Sprintf("%.15g", value), nil
}

// IsShortWhole reports whether a word is a whole number as it would be written.
func IsShortWhole(word string) bool {
	const most = 15 // digits that a float holds
	return len(word) <= most && plain.IsDigits(word) && (word[0] != '0' || word == "0")
}
