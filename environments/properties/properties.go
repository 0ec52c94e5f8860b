// Package properties measures what kind of text a document is (paper, Appendix
// G.1, which compares the properties with how much of the document survives).
// The paper names the properties; the definitions are well-known ones, given
// with each field.
package properties

import (
	"bytes"
	"compress/flate"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"agentd/environments/tokens"
	"agentd/vfs"
)

// Properties describe the text of a document. All but Tokens are within 0 and 1.
type Properties struct {
	// Tokens in the vocabulary o200k_base.
	Tokens int `json:"tokens"`
	// Naturalness is the share of words that stand in stretches of prose: lines
	// of at least four words of which a quarter or more are function words of
	// English. Running English has about half (the measure of "lexical density",
	// Ure 1971, turned round); names, codes and data have next to none.
	Naturalness float64 `json:"naturalness"`
	// Numerical is the share of tokens that hold a digit. Here and below a token
	// is a longest run of letters and marks, of digits with the points, commas
	// and signs inside them, or a single other character that is no blank.
	Numerical float64 `json:"numerical"`
	// Richness is the moving-average type-token ratio of the words, in lower
	// case, with windows of 50 (MATTR; Covington and McFall 2010): unlike the
	// plain ratio it does not fall with the length of the text.
	Richness float64 `json:"richness"`
	// Repetitiveness is the share of bytes that DEFLATE at its best level saves
	// (the redundancy of Shannon 1948, estimated by a universal compressor after
	// Ziv and Lempel 1977).
	Repetitiveness float64 `json:"repetitiveness"`
	// Structure is the share of characters, blanks apart, that are neither
	// letters nor digits: delimiters, markup and punctuation.
	Structure float64 `json:"structure"`
}

// window is the number of words of which the types are counted at a time.
const window = 50

// Of measures a document. Its files are taken one after the other, in name
// order; lines and windows do not reach from one into the next.
func Of(files vfs.Files) (Properties, error) {
	size, err := tokens.Count(files)
	if err != nil {
		return Properties{}, err
	}
	var c counts
	var whole bytes.Buffer
	for _, name := range files.Names() {
		c.add(files[name])
		whole.WriteString(files[name])
	}
	saved, err := saving(whole.Bytes())
	return Properties{
		Tokens:         size,
		Naturalness:    share(c.inProse, c.words),
		Numerical:      share(c.numbers, c.tokens),
		Richness:       c.richness(),
		Repetitiveness: saved,
		Structure:      share(c.marks, c.characters),
	}, err
}

// counts are the sums over all files.
type counts struct {
	words, inProse    int
	tokens, numbers   int
	characters, marks int
	types             float64 // sum of the windows' type-token ratios
	windows           int
}

func (c *counts) add(text string) {
	for line := range strings.Lines(text) {
		words := words(line)
		c.words += len(words)
		if isProse(words) {
			c.inProse += len(words)
		}
	}
	c.addTokens(text)
	for _, r := range text {
		if unicode.IsSpace(r) {
			continue
		}
		c.characters++
		if !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsDigit(r) {
			c.marks++
		}
	}
	c.addWindows(words(text))
}

// addTokens counts the tokens as Numerical has them.
func (c *counts) addTokens(text string) {
	for len(text) > 0 {
		r, size := utf8.DecodeRuneInString(text)
		switch {
		case isLetter(r):
			size = run(text, isLetter)
		case isDigit(r):
			size = run(text, isDigit)
			for size+1 < len(text) && strings.IndexByte(".,:-/", text[size]) >= 0 && isDigit(rune(text[size+1])) {
				size += 1 + run(text[size+1:], isDigit)
			}
			c.numbers++
		case isBlank(r):
			c.tokens--
		case unicode.IsDigit(r):
			c.numbers++
		}
		c.tokens++
		text = text[size:]
	}
}

// run is the length of the longest beginning of a text whose characters are all
// such.
func run(text string, such func(rune) bool) int {
	if end := strings.IndexFunc(text, func(r rune) bool { return !such(r) }); end >= 0 {
		return end
	}
	return len(text)
}

func isLetter(r rune) bool { return unicode.IsLetter(r) || unicode.IsMark(r) }

func isDigit(r rune) bool { return '0' <= r && r <= '9' }

func isBlank(r rune) bool { return r == ' ' || '\t' <= r && r <= '\r' && r != '\v' }

// addWindows moves a window over the words, one word at a time. A text that is
// shorter is a window by itself.
func (c *counts) addWindows(words []string) {
	if len(words) == 0 {
		return
	}
	width := min(window, len(words))
	seen := map[string]int{}
	for i, word := range words {
		seen[word]++
		if i >= width {
			if gone := words[i-width]; seen[gone] == 1 {
				delete(seen, gone)
			} else {
				seen[gone]--
			}
		}
		if i >= width-1 {
			c.types += float64(len(seen)) / float64(width)
			c.windows++
		}
	}
}

func (c *counts) richness() float64 {
	if c.windows == 0 {
		return 0
	}
	return c.types / float64(c.windows)
}

// words are the words of a text, in lower case: letters and the marks after them,
// with an apostrophe before further letters.
func words(text string) []string {
	text = strings.ToLower(text)
	all := make([]string, 0, len(text)/6)
	for {
		begin := strings.IndexFunc(text, unicode.IsLetter)
		if begin < 0 {
			return all
		}
		text = text[begin:]
		end := run(text, isLetter)
		for _, mark := range []string{"'", "’"} {
			if rest, ok := strings.CutPrefix(text[end:], mark); ok {
				if more := run(rest, unicode.IsLetter); more > 0 {
					end += len(mark) + more
				}
				break
			}
		}
		all = append(all, text[:end])
		text = text[end:]
	}
}

const (
	proseWords    = 4    // a shorter line is a label
	functionShare = 0.25 // of the words of a line of prose, at least
)

func isProse(words []string) bool {
	if len(words) < proseWords {
		return false
	}
	function := 0
	for _, w := range words {
		if slices.Contains(functionWords, w) {
			function++
		}
	}
	return float64(function) >= functionShare*float64(len(words))
}

// functionWords are the commonest English determiners, pronouns, prepositions,
// conjunctions, auxiliaries and adverbs of degree.
var functionWords = strings.Fields(`
	a an the this that these those some any no every each all both either neither
	i you he she it we they me him her us them my your his its our their who whom whose which what
	there here where when why how
	of in on at by for from to into onto with without within about above below over under between
	among after before during since until through across along against behind beside off out up down as than like
	and or but nor so if because while although though unless whether not n't
	be am is are was were been being have has had having do does did will would shall should can could may might must
	it's that's don't isn't i'm we're you're they're can't won't didn't
	very too also only just then now more most much many such other`)

// saving is the share of bytes that compression saves; none of a text that
// does not get shorter.
// compressors are large and can be used again.
var compressors = sync.Pool{New: func() any {
	w, _ := flate.NewWriter(io.Discard, flate.BestCompression) // the level is a valid one
	return w
}}

func saving(text []byte) (float64, error) {
	if len(text) == 0 {
		return 0, nil
	}
	var packed bytes.Buffer
	w := compressors.Get().(*flate.Writer)
	defer compressors.Put(w)
	w.Reset(&packed)
	if _, err := w.Write(text); err != nil {
		return 0, fmt.Errorf("measuring repetitiveness: %w", err)
	}
	if err := w.Close(); err != nil {
		return 0, fmt.Errorf("measuring repetitiveness: %w", err)
	}
	return math.Max(0, 1-float64(packed.Len())/float64(len(text))), nil
}

func share(part, whole int) float64 {
	if whole == 0 {
		return 0
	}
	return float64(part) / float64(whole)
}
