package properties

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"
)

// The rules of Numerical and of words as regular expressions, which say them best.
var (
	token = regexp.MustCompile(`[\pL\pM]+|\d+(?:[.,:\-/]\d+)*|[^\s]`)
	word  = regexp.MustCompile(`\pL[\pL\pM]*(?:['’]\pL+)?`)
)

func TestTextsAreDividedByTheRules(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.SliceOf(rapid.SampledFrom([]string{
			"a", "Élan", "e\u0301", "\u0301", "it's", "o’", "’", "'", "12", "3", ".", ",", ":", "-", "/", " ", "\n", "\t", "\v", "\u00a0", "٣", "日本", "\xff", "$", "𝛼",
		})).Draw(t, "parts")
		text := strings.Join(parts, "")
		var c counts
		c.addTokens(text)
		tokens, numbers := 0, 0
		for _, found := range token.FindAllString(text, -1) {
			tokens++
			if strings.ContainsFunc(found, unicode.IsDigit) {
				numbers++
			}
		}
		if c.tokens != tokens || c.numbers != numbers {
			t.Fatalf("%q: %d tokens, %d numbers; want %d and %d", text, c.tokens, c.numbers, tokens, numbers)
		}
		if got, want := words(text), word.FindAllString(strings.ToLower(text), -1); !slices.Equal(got, want) {
			t.Fatalf("%q: %q, want %q", text, got, want)
		}
	})
}
