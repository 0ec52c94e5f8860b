// Package properties measures what kind of text a document is (paper, Appendix G, which
// compares the properties with how much of the document survives). Properties with a name from
// the paper are computed as by its code.
package properties

import (
	"bytes"
	"compress/flate"
	"fmt"
	"io"
	"math"
	"strings"
	"sync"
	"unicode"

	"agentd/environments/tokens"
	"agentd/vfs"
)

// Properties describe the text of a document, its files joined by a blank in name order. All
// but Tokens are within 0 and 1. A word is a longest run of the letters a to z, in lower case; a
// token is what stands between white space.
type Properties struct {
	// Tokens in the vocabulary o200k_base.
	Tokens int `json:"tokens"`
	// Naturalness is the share of words that are function words of English, over 0.45, at
	// most 1.
	Naturalness float64 `json:"naturalness"`
	// Numerical is the share of tokens that hold a digit, which superscripts and digits of any
	// script are too.
	Numerical float64 `json:"numerical"`
	// Richness is the number of different words over the number of words.
	Richness float64 `json:"richness"`
	// Repetitiveness is 1 less the share of different ones among all runs of five tokens.
	Repetitiveness float64 `json:"repetitiveness"`
	// Structure is the share of characters that are neither letters nor white space.
	Structure float64 `json:"structure"`

	// MATTR is the moving-average type-token ratio of the words, with windows of 50
	// (Covington and McFall 2010): unlike Richness it does not fall with the length of the
	// text. It is not the paper's.
	MATTR float64 `json:"mattr"`
	// Deflate is the share of bytes that DEFLATE at its best level saves (the redundancy of
	// Shannon 1948, estimated by a universal compressor after Ziv and Lempel 1977). It is
	// not the paper's.
	Deflate float64 `json:"deflate"`
}

const (
	natural = 0.45 // share of function words from which a text is wholly natural
	run     = 5    // tokens of a run that may be repeated
	window  = 50   // words of which the types are counted at a time
)

// Of measures a document.
func Of(files vfs.Files) (Properties, error) {
	size, err := tokens.Count(files)
	if err != nil {
		return Properties{}, err
	}
	parts := make([]string, 0, len(files))
	for _, name := range files.Names() {
		parts = append(parts, files[name])
	}
	text := strings.Join(parts, " ")
	words, separated := words(text), strings.FieldsFunc(text, isSpace)
	saved, err := saving([]byte(text))
	return Properties{
		Tokens:         size,
		Naturalness:    math.Min(1, share(counted(words, isFunctionWord), len(words))/natural),
		Numerical:      share(counted(separated, hasDigit), len(separated)),
		Richness:       share(distinct(words), len(words)),
		Repetitiveness: repetitiveness(separated),
		Structure:      structure(text),
		MATTR:          mattr(words),
		Deflate:        saved,
	}, err
}

// words are those of a text.
func words(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return r < 'a' || r > 'z' })
}

func isFunctionWord(word string) bool { return functionWords[word] }

func counted(all []string, is func(string) bool) int {
	n := 0
	for _, one := range all {
		if is(one) {
			n++
		}
	}
	return n
}

func distinct(all []string) int {
	met := make(map[string]struct{}, len(all))
	for _, one := range all {
		met[one] = struct{}{}
	}
	return len(met)
}

func repetitiveness(tokens []string) float64 {
	if len(tokens) < run {
		return 0
	}
	runs := make([]string, 0, len(tokens)-run+1)
	for i := 0; i+run <= len(tokens); i++ {
		runs = append(runs, strings.Join(tokens[i:i+run], " "))
	}
	return 1 - share(distinct(runs), len(runs))
}

func structure(text string) float64 {
	marks, all := 0, 0
	for _, r := range text {
		all++
		if !unicode.IsLetter(r) && !isSpace(r) {
			marks++
		}
	}
	return share(marks, all)
}

// mattr moves a window over the words, one word at a time. A text that is shorter is a window
// by itself.
func mattr(words []string) float64 {
	if len(words) == 0 {
		return 0
	}
	width := min(window, len(words))
	seen := map[string]int{}
	sum, windows := 0.0, 0
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
			sum += float64(len(seen)) / float64(width)
			windows++
		}
	}
	return sum / float64(windows)
}

// functionWords are the commonest English determiners, pronouns, prepositions,
// conjunctions, auxiliaries and adverbs of degree. The parts of a contraction, as don and t of
// don't, are none: alone they are units, chemical symbols, variables and call signs.
var functionWords = func() map[string]bool {
	all := map[string]bool{}
	for _, word := range strings.Fields(`
	a an the this that these those some any no every each all both either neither
	i you he she it we they me him her us them my your his its our their who whom whose which what
	there here where when why how
	of in on at by for from to into onto with without within about above below over under between
	among after before during since until through across along against behind beside off out up down as than like
	and or but nor so if because while although though unless whether not
	be am is are was were been being have has had having do does did will would shall should can could may might must
	very too also only just then now more most much many such other`) {
		all[word] = true
	}
	return all
}()

// compressors are large and can be used again.
var compressors = sync.Pool{New: func() any {
	w, _ := flate.NewWriter(io.Discard, flate.BestCompression) // the level is a valid one
	return w
}}

// saving is the share of bytes that compression saves; none of a text that does not get
// shorter.
func saving(text []byte) (float64, error) {
	if len(text) == 0 {
		return 0, nil
	}
	var packed bytes.Buffer
	w := compressors.Get().(*flate.Writer)
	defer compressors.Put(w)
	w.Reset(&packed)
	if _, err := w.Write(text); err != nil {
		return 0, fmt.Errorf("compressing the text: %w", err)
	}
	if err := w.Close(); err != nil {
		return 0, fmt.Errorf("compressing the text: %w", err)
	}
	return math.Max(0, 1-float64(packed.Len())/float64(len(text))), nil
}

func share(part, whole int) float64 {
	if whole == 0 {
		return 0
	}
	return float64(part) / float64(whole)
}
