package mathlean

import (
	"strings"

	"agentd/domains/internal/pytext"
)

// symbols are the ways to write a symbol in ASCII, and ↦ and λ, which are
// written => and fun as well.
var symbols = map[string]string{
	"->": "→", "<-": "←", "<->": "↔", "!=": "≠", "<=": "≤", ">=": "≥", "/\\": "∧", "\\/": "∨", "↦": "=>", "λ": "fun",
	"forall": "∀", "Exists": "∃", "Not": "¬", "Nat": "ℕ", "Int": "ℤ", "Rat": "ℚ", "Real": "ℝ", "Complex": "ℂ",
	"alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε", "sigma": "σ", "phi": "φ", "psi": "ψ",
}

// spelled is the text of a token in the one way it is compared.
func spelled(token string) string {
	if same, ok := symbols[token]; ok {
		return same
	}
	return token
}

var replaceSigns = strings.NewReplacer(
	"<->", "↔", "->", "→", "<-", "←", "!=", "≠", "<=", "≤", ">=", "≥", "/\\", "∧", "\\/", "∨", "↦", "=>", "λ", "fun")

// prose is the text of a comment with its white space folded and its symbols
// spelled as in code.
func prose(text string) string {
	words := pytext.Fields(text)
	for i, w := range words {
		words[i] = spelledIn(w)
	}
	return strings.Join(words, " ")
}

// spelledIn spells the symbols and names in a word, regardless of what
// stands around them.
func spelledIn(w string) string {
	if strings.ContainsAny(w, `-<>!\/↦λ`) {
		w = replaceSigns.Replace(w)
	}
	bare := strings.Trim(w, "`'\"*_()[]{},.;:!?")
	if same := spelled(bare); same != bare {
		w = strings.Replace(w, bare, same, 1)
	}
	return w
}

// inside is the text of a comment without its marks.
func inside(text string) string {
	if rest, ok := strings.CutPrefix(text, "--"); ok {
		return rest
	}
	text = strings.TrimPrefix(text, "/-")
	text = strings.TrimSuffix(text, "-/")
	if text != "" && (text[0] == '-' || text[0] == '!') {
		text = text[1:]
	}
	return text
}

// printed joins tokens as they are compared, with blanks where people put them.
func (f *file) printed(tokens []token) string {
	var b strings.Builder
	tight := true
	for _, t := range tokens {
		text := f.of(t)
		switch {
		case t.kind == docText || t.kind == comment:
			text = "/-- " + prose(inside(text)) + " -/"
		case t.kind != quoted:
			text = spelled(text)
		}
		if !tight && bracket(text) >= 0 && text != "," && text != ";" {
			b.WriteByte(' ')
		}
		b.WriteString(text)
		tight = bracket(text) > 0
	}
	return b.String()
}
