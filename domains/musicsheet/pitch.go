package musicsheet

import "strings"

// pitch is a written pitch: spelling matters, so cis and des are two.
type pitch struct {
	step   int // 0 is c, 6 is b
	alter  int // in quarter tones: cis is 2, ces -2
	octave int // 0 is the octave of c, 1 that of c'
}

// quarterTones of the steps above c.
var quarterTones = [7]int{0, 4, 8, 10, 14, 18, 22}

const octaveQuarters = 24

// class is the sounding pitch within the octave, in quarter tones.
func (p pitch) class() int {
	return ((quarterTones[p.step]+p.alter)%octaveQuarters + octaveQuarters) % octaveQuarters
}

// height orders pitches as they sound, in quarter tones above c.
func (p pitch) height() int { return p.octave*octaveQuarters + quarterTones[p.step] + p.alter }

// place counts steps, regardless of their alteration.
func (p pitch) place() int { return p.octave*7 + p.step }

// octaveMarks are those of an absolute octave, or of a jump in relative notation.
func octaveMarks(octave int) string {
	if octave < 0 {
		return strings.Repeat(",", -octave)
	}
	return strings.Repeat("'", octave)
}

func octaveOf(marks string) int { return strings.Count(marks, "'") - strings.Count(marks, ",") }

// after is the pitch in the octave that relative notation gives a name after
// another pitch: the nearest, before its own octave marks.
func (p pitch) after(before pitch) pitch {
	p.octave = before.octave
	switch d := p.place() - before.place(); {
	case d > 3:
		p.octave--
	case d < -3:
		p.octave++
	}
	return p
}

// language is a set of note names.
type language struct {
	known map[string]pitch // of octave 0
	print func(p pitch) string
}

func (l *language) lookup(word string) (pitch, bool) {
	p, ok := l.known[word]
	return p, ok
}

// suffix is the ending of a note name for an alteration.
type suffix struct {
	text  string
	alter int
}

var (
	dutchSuffixes = []suffix{{"", 0}, {"is", 2}, {"es", -2}, {"isis", 4}, {"eses", -4}, {"ih", 1}, {"eh", -1}, {"isih", 3}, {"eseh", -3}}
	dutchSteps    = []string{"c", "d", "e", "f", "g", "a", "b"}
	germanSteps   = []string{"c", "d", "e", "f", "g", "a", "h"}
	romanceSteps  = []string{"do", "re", "mi", "fa", "sol", "la", "si"}

	nordicSuffixes = []suffix{
		{"", 0}, {"iss", 2}, {"ess", -2}, {"ississ", 4}, {"essess", -4},
		{"is", 2}, {"es", -2}, {"isis", 4}, {"eses", -4}, {"ih", 1}, {"eh", -1}, {"issih", 3}, {"esseh", -3},
	}
	spanishSuffixes = []suffix{
		{"", 0}, {"s", 2}, {"b", -2}, {"ss", 4}, {"bb", -4}, {"x", 4}, {"cs", 1}, {"cb", -1}, {"tcs", 3}, {"tcb", -3},
	}
)

const defaultLanguage = "nederlands"

var languages = map[string]*language{
	"nederlands": newLanguage(dutchSteps, dutchSuffixes, "es=ees as=aes eses=eeses ases=aeses asas=aeses eseh=eeseh aseh=aeseh"),
	"english": newLanguage(dutchSteps, []suffix{
		{"", 0}, {"s", 2}, {"f", -2}, {"ss", 4}, {"ff", -4}, {"x", 4}, {"qs", 1}, {"qf", -1}, {"tqs", 3}, {"tqf", -3},
		{"sharp", 2}, {"flat", -2}, {"sharpsharp", 4}, {"flatflat", -4},
		{"-sharp", 2}, {"-flat", -2}, {"-sharpsharp", 4}, {"-flatflat", -4},
	}, ""),
	"deutsch": newLanguage(germanSteps, dutchSuffixes, germanNames),
	"norsk":   newLanguage(germanSteps, nordicSuffixes, germanNames),
	"suomi":   newLanguage(germanSteps, dutchSuffixes, germanNames),
	"svenska": newLanguage(germanSteps, nordicSuffixes[:5], germanNames),
	"italiano": newLanguage(romanceSteps, []suffix{
		{"", 0}, {"d", 2}, {"b", -2}, {"dd", 4}, {"bb", -4}, {"sd", 1}, {"sb", -1}, {"dsd", 3}, {"bsb", -3},
	}, ""),
	"catalan": newLanguage(romanceSteps, []suffix{{"", 0}, {"d", 2}, {"b", -2}, {"dd", 4}, {"bb", -4}, {"s", 2}, {"ss", 4}}, ""),
	"espanol": newLanguage(romanceSteps, spanishSuffixes, ""),
	"español": newLanguage(romanceSteps, spanishSuffixes, ""),
	"français": newLanguage([]string{"do", "ré", "mi", "fa", "sol", "la", "si"}, []suffix{
		{"", 0}, {"d", 2}, {"b", -2}, {"dd", 4}, {"bb", -4}, {"x", 4}, {"sd", 1}, {"sb", -1},
	}, "re=ré red=réd reb=réb redd=rédd rebb=rébb rex=réx resd=résd resb=résb"),
	"portugues": newLanguage(romanceSteps, []suffix{
		{"", 0}, {"s", 2}, {"b", -2}, {"ss", 4}, {"bb", -4}, {"sqt", 1}, {"bqt", -1}, {"stqt", 3}, {"btqt", -3},
	}, ""),
	"vlaams": newLanguage(romanceSteps, []suffix{{"", 0}, {"k", 2}, {"b", -2}, {"kk", 4}, {"bb", -4}}, ""),
}

// germanNames has b for h with a flat, and es and as.
const germanNames = `es=ees as=aes eses=eeses ases=aeses asas=aeses b=hess b=hes bb=heses ess=eess ass=aess essess=eessess
assess=aessess`

// newLanguage makes the names of all steps. The first suffix for an alteration is
// the one to print. others are further names, each with the one that it stands for, of which
// those count that the language has.
func newLanguage(steps []string, suffixes []suffix, others string) *language {
	l := &language{known: map[string]pitch{}}
	printed := map[pitch]string{}
	for step, name := range steps {
		for _, s := range suffixes {
			p := pitch{step: step, alter: s.alter}
			l.known[name+s.text] = p
			if _, has := printed[p]; !has {
				printed[p] = name + s.text
			}
		}
	}
	for _, other := range strings.Fields(others) {
		short, long, _ := strings.Cut(other, "=")
		if p, ok := l.known[long]; ok {
			l.known[short] = p
		}
	}
	for long, short := range map[string]string{"ees": "es", "aes": "as", "eeses": "eses", "aeses": "ases", "hes": "b", "hess": "b"} {
		if p, ok := l.known[long]; ok {
			printed[p] = short
		}
	}
	l.print = func(p pitch) string { return printed[pitch{step: p.step, alter: p.alter}] }
	return l
}
