// Package screenplay is the published reading and score of the domain screenplay.
//
// score = 0.45 D + 0.20 C + 0.20 S + 0.15 T, not rounded.
//
//   - fold(s): lower-case; delete every character that is not a letter, a number, _ or white space (Unicode: combining
//     marks go); then runs of white space to one blank; trim.
//
//   - D dialogue: both lists empty 1, one empty 0; otherwise ratio over the two lists of pairs (upper-cased speaker,
//     first 80 characters of fold(text)), a pair being one token. Autojunk is on (it acts from 200 speeches in the
//     candidate).
//
//   - C characters: Jaccard of the two sets of upper-cased names; both empty 1, one empty 0. Descriptions are not used.
//
//   - S directions: both empty 1, one empty 0; otherwise ratio over the characters of the folded directions joined with
//     one blank. Autojunk off.
//
//   - T text: ratio over the characters of fold(raw text of all files joined), without the forgiving pass of step 1.
//     Autojunk off. Both empty 1.
//
//     |b| div 100 + 1 times in b cannot start a block, but a found block still grows over them to both sides.
//
// R, or ratio, is that of package ratio, with the reference first.
package screenplay

import (
	"strings"
	"unicode/utf8"

	"agentd/domains"
	"agentd/domains/internal/notes"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/ratio"
	"agentd/domains/internal/sets"
	"agentd/vfs"
)

// Published is a play as the published evaluator reads it.
type Published struct {
	characters []string // names, each once
	speeches   []utterance
	directions []string // folded, without their parentheses
	whole      string   // the text of all files, folded
}

// utterance is the first line of a speech: so many characters of it, folded.
type utterance struct{ speaker, text string }

const compared = 80 // characters

const (
	charactersHeading = "# CHARACTERS"
	sceneHeading      = "# SCENE"
	dialogueHeading   = "# DIALOGUE"
)

// Parse reads a document as the published evaluator does.
func Parse(files vfs.Files) (Published, error) {
	var p Published
	var whole strings.Builder
	known := map[string]bool{}
	heading := "" // of the section in hand
	for _, name := range files.Names() {
		whole.WriteString(files[name])
		whole.WriteByte('\n')
		repaired := false // lines are repaired below a dialogue heading of the file
		for line := range strings.SplitSeq(files[name], "\n") {
			line = pytext.Strip(line)
			switch {
			case line == "":
				continue
			case strings.HasPrefix(line, dialogueHeading):
				repaired = true
			case endsRepairs(line):
				repaired = false
			}
			if repaired {
				line = repair(line)
			}
			if h := sectionHeading(line); h != "" {
				heading = h
				continue
			}
			switch heading {
			case charactersHeading:
				if name := listedName(line); name != "" && !known[name] {
					known[name] = true
					p.characters = append(p.characters, name)
				}
			case dialogueHeading:
				p.addLine(line)
			}
		}
	}
	p.whole = fold(whole.String())
	return p, nil
}

// sectionHeading is the heading with which a line begins; "" if with none.
func sectionHeading(line string) string {
	if line[0] != '#' {
		return ""
	}
	for _, heading := range []string{charactersHeading, sceneHeading, dialogueHeading} {
		if strings.HasPrefix(line, heading) {
			return heading
		}
	}
	return ""
}

// endsRepairs reports whether a line begins with "#", blanks and a capital.
func endsRepairs(line string) bool {
	rest, found := strings.CutPrefix(line, "#")
	text := pytext.StripLeft(rest)
	return found && text != "" && len(text) < len(rest) && isCapital(text[0])
}

// repair rewrites other ways to write a stage direction.
func repair(line string) string {
	if inner, ok := CutNumbered(line); ok {
		return inner
	}
	const label = "(stage direction:"
	if len(line) > len(label) && strings.EqualFold(line[:len(label)], label) && strings.HasSuffix(line, ")") {
		return "(" + pytext.Strip(line[len(label):])
	}
	if len(line) > 2 && line[0] == '[' && line[len(line)-1] == ']' {
		return "(" + line[1:len(line)-1] + ")"
	}
	return line
}

var (
	numberedForm = pytext.Pattern(`^(?:SD\d+:\s*(\(.*\))|\(SD\d+:\s*(\(.*\))\))$`)
	// speakerForm begins a speech with its speaker and a parenthetical that is not kept.
	speakerForm = pytext.Pattern(`^(` + name + `)(?:\([^)]*\))?:`)
	listedForm  = pytext.Pattern(`^-\s*(` + name + `):.`)
	aside       = pytext.Pattern(`\([^)]*\)\s*`)
)

// name is a capital and one or more capitals, blanks and apostrophes.
const name = `[A-Z][A-Z'\s]+`

// CutNumbered returns (text) of "SD12: (text)" or "(SD12: (text))".
func CutNumbered(line string) (inner string, ok bool) {
	if !strings.Contains(line, "SD") {
		return "", false // in little time, as most lines are none
	}
	m := numberedForm.FindStringSubmatch(line)
	if m == nil {
		return "", false
	}
	return m[1] + m[2], true
}

// listedName is the name in "- NAME: description", "" if the line is no such entry.
func listedName(line string) string {
	m := listedForm.FindStringSubmatch(line)
	if m == nil {
		return ""
	}
	return pytext.StripRight(m[1])
}

func isCapital(c byte) bool { return c >= 'A' && c <= 'Z' }

// addLine takes a line of the dialogue that is not blank.
func (p *Published) addLine(line string) {
	if line[0] == '(' {
		if text, ok := cutDirection(line); ok {
			p.directions = append(p.directions, fold(text))
		}
		return
	}
	m := speakerForm.FindStringSubmatch(line)
	if m == nil {
		return
	}
	if text := line[len(m[0]):]; text != "" {
		text = pytext.Strip(aside.ReplaceAllString(text, ""))
		p.speeches = plain.Append(p.speeches, utterance{pytext.StripRight(m[1]), pytext.First(fold(text), compared)})
	}
}

// cutDirection returns the text of a line in parentheses that has no colon among its first 20 characters.
func cutDirection(line string) (text string, ok bool) {
	if !strings.HasSuffix(line, ")") {
		return "", false
	}
	const watched = 20
	seen := 0
	for _, r := range line {
		if r == ':' {
			return "", false
		}
		if seen++; seen == watched {
			break
		}
	}
	return line[1 : len(line)-1], true
}

// fold lowers a text and drops all but letters, numbers, "_" and single blanks.
func fold(text string) string {
	text = pytext.Lower(text)
	folded := make([]byte, 0, len(text))
	blank := false
	for _, r := range text {
		switch {
		case pytext.IsSpace(r):
			blank = len(folded) > 0
		case pytext.IsWord(r):
			if blank {
				folded = append(folded, ' ')
			}
			folded, blank = utf8.AppendRune(folded, r), false
		}
	}
	return string(folded)
}

// Score is the published formula: 0.45 dialogue + 0.20 characters + 0.20 directions + 0.15 text.
func Score(reference, candidate Published, noted *notes.Notes) domains.Reading {
	dialogue := sequence(reference.speeches, candidate.speeches, noted)
	characters := sets.Jaccard(reference.characters, candidate.characters)
	directions := together(reference.directions, candidate.directions, noted)
	text := ratio.Plain(reference.whole, candidate.whole, noted)
	return domains.Reading{
		// Conversions keep the compiler from fusing products into the sums.
		RS: float64(0.45*dialogue) + float64(0.20*characters) + float64(0.20*directions) + float64(0.15*text),
		Components: map[string]float64{
			"dialogue": dialogue, "characters": characters, "directions": directions, "text": text,
		},
		Elements: domains.Elements{Reference: len(reference.speeches), Candidate: len(candidate.speeches)},
	}
}

// mostWork is the product of the lengths of two lists of speeches above which
// what they share, in any order, stands for their ratio.
const mostWork = 1 << 30

// sequence is the ratio of two lists of speeches, with the popularity heuristic. They are compared
// by their speakers and the beginnings of their texts.
func sequence(reference, candidate []utterance, noted *notes.Notes) float64 {
	if similarity, empty := sets.EitherEmpty(reference, candidate); empty {
		return similarity
	}
	return ratio.Bounded(reference, candidate, ratio.Limits{Work: mostWork}, noted)
}

// together is the ratio of all directions as one text.
func together(reference, candidate []string, noted *notes.Notes) float64 {
	if similarity, empty := sets.EitherEmpty(reference, candidate); empty {
		return similarity
	}
	return ratio.Plain(strings.Join(reference, " "), strings.Join(candidate, " "), noted)
}

// Stats counts the parts of a document.
func Stats(p Published) domains.Stats {
	return domains.StatsOf(len(p.speeches), "Characters", len(p.characters), "Dialogues", len(p.speeches),
		"Stage Dirs", len(p.directions))
}
