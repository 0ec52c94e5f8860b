package latex

import (
	"slices"
	"strconv"
	"strings"

	"agentd/domains/edit"
	"agentd/internal/lazyregexp"
)

// entryKey is the key of an entry in a bibliography.
const entryKey = `@[A-Za-z]+\s*[{(]\s*([^,\s]+)`

// vocabulary makes parts of the paragraphs of a text, or of its lines if it has few, and of the
// entries of a bibliography that has no text with it.
func vocabulary() edit.Format {
	text := edit.Format{
		Document: "paper", Part: "paragraph", Parts: "paragraphs", Cut: paragraphs,
		Remark: "% {}",
		Tree:   edit.Nested(`^\s*(?:\\begin\{|@[A-Za-z]+\s*[{(][^{}]*$)`, `^\s*(?:\\end\{|[})]\s*$)`),
		Attributes: []edit.Attribute{
			edit.Has("section title", "section titles", `\\(?:sub)*section\*?(?:\[[^\]\n]*\])?\{([^}\n]+)\}`),
			edit.Has("environment", "environments", `\\begin\{([^}\n]+)\}`),
			edit.Has("first word", "first words", `\A\s*([\pL][\pL\d'-]*)`),
			edit.HasEach("citation key", "citation keys", `\\[A-Za-z]*cite[A-Za-z]*\*?(?:\[[^\]]*\])*\{([^}]+)\}`, `[^,\s]+`),
			edit.Has("emphasised text", "emphasised texts", `\\(?:emph|textit|textbf)\{([^{}]+)\}`),
			edit.Has("formula", "formulas", `\$([^$\n]+)\$`),
			edit.Has("quantity", "quantities", `\\(?:SI|qty|SIrange|qtyrange|ang|num)(?:\[[^\]\n]*\])?(?:\{[^{}\n]*\})+`),
			edit.ComputedNumber("words", "words", words),
			edit.ComputedNumber("citations", "citations", citations),
		},
	}
	sections := text
	sections.Part, sections.Parts, sections.Cut = "section", "sections", edit.Starting(`^\s*\\section\b`, `^\s*\\(?:bibliography|end\{document\})`)
	text.Named = func(parts string) (edit.Format, bool) { return sections, parts == sections.Parts }
	lines := text
	lines.Attributes = append(slices.Clip(lines.Attributes), edit.Has("entry key", "entry keys", entryKey))
	lines.Part, lines.Parts, lines.Cut = "line", "lines", edit.Either(body(edit.Lines()), edit.Lines())
	text.Finer = &edit.Format{
		Document: "bibliography", Part: "reference", Parts: "references",
		Cut: edit.Headed(`^%`, edit.Starting(`^\s*@[A-Za-z]+\s*[{(]`, "")),
		Attributes: []edit.Attribute{
			edit.Has("key", "keys", entryKey),
			edit.Key("entry type", "entry types", `@([A-Za-z]+)\s*[{(]`),
			edit.Has("year", "years", `(?i)\byear\s*=\s*[{"]*(\d{4})`),
			edit.Has("journal", "journals", `(?i)\bjournal\s*=\s*[{"]*([^{}"\n,]+)`),
			edit.Has("title", "titles", `(?i)\btitle\s*=\s*[{"]+([^{}"\n]+)`),
			edit.Has("publisher", "publishers", `(?i)\bpublisher\s*=\s*[{"]*([^{}"\n,]+)`),
		},
		Finer: &lines,
	}
	return text
}

// body cuts what stands between the beginning and the end of a document.
func body(cut edit.Cutter) edit.Cutter {
	return edit.Within(`^[^%]*\\begin\{document\}`, `^[^%]*\\end\{document\}`, cut)
}

var reference = lazyregexp.New(`(?m)^\s*@[A-Za-z]+\s*[{(]`)

// paragraphs are apart by blank lines. A bibliography has none.
func paragraphs(text string) edit.Pieces {
	if reference.MatchString(text) {
		return edit.Pieces{Before: text}
	}
	return edit.Either(body(edit.Blocks("")), edit.Blocks(""))(text)
}

// words are what is apart by white space, as `wc -w` counts.
func words(part string) string { return strconv.Itoa(len(strings.Fields(part))) }

// citations is the number of keys that a part cites. Comments cite none.
func citations(part string) string {
	s := scan("", part)
	n := 0
	for i := range s.tokens {
		if s.tokens[i].kind != commandToken || !isCitation(s.of(i)[1:]) {
			continue
		}
		if _, keys, _, ok := s.citation(i); ok {
			n += 1 + strings.Count(keys, ",")
		}
	}
	return strconv.Itoa(n)
}
