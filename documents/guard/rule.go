package guard

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"agentd/documents/compare"
	"agentd/internal/usage"
)

// Rule says which changes are accepted without asking, and which are never accepted.
type Rule struct {
	allow, deny []pattern
	files       []string // see ForFiles
}

// pattern fits all differences of a kind, or only those of one element or field.
type pattern struct{ kind, what string }

// NewRule reads patterns such as "lost", "changed:amount" and "added:transaction": a kind of
// change, and what it happens to, which is an element or a field in the domain's words (agentd diff
// --format json shows both). "renamed" is a document under another name, and "bytes" is what became of the bytes where nothing
// changed, all of it or one property, as in "bytes:line ends". "broken" is a document that the tools of its format cannot read any
// more, which any pattern of deny denies. Anything else is a usage error.
func NewRule(allow, deny []string) (Rule, error) {
	var r Rule
	for _, list := range []struct {
		texts []string
		into  *[]pattern
	}{{allow, &r.allow}, {deny, &r.deny}} {
		for _, text := range list.texts {
			kind, what, _ := strings.Cut(strings.TrimSpace(text), ":")
			if kinds := append(compare.Kinds(), compare.KindRenamed, compare.KindBytes, compare.KindBroken); !slices.Contains(kinds, kind) {
				return Rule{}, usage.Errorf("%w: a rule is one of these, or such as changed:amount", usage.Unknown("kind of change", kind, kinds))
			}
			*list.into = append(*list.into, pattern{kind, words(what)})
		}
	}
	return r, nil
}

// words are the words of a name in lower case, without numbers and punctuation: "posting 3" is posting.
func words(name string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(name), func(c rune) bool { return !unicode.IsLetter(c) }), " ")
}

// denies reports whether a pattern of --deny fits. The loss of a field is also a change of its element, so "changed" denies
// it too. In --allow, "changed" does not allow it.
func (p pattern) denies(c compare.Difference) bool {
	changed := c
	if c.Kind == "lost" && c.Field != "" {
		changed.Kind = "changed"
	}
	return p.fits(c) || p.fits(changed)
}

func (p pattern) fits(c compare.Difference) bool {
	if p.kind != c.Kind {
		return false
	}
	field := " " + words(c.Field) + " "
	return p.what == "" || p.what == words(c.Element) || strings.Contains(field, " "+p.what+" ")
}

// allows reports whether a pattern of --allow fits. Who allows all that is lost and all that is added allows renaming, too.
func (r Rule) allows(c compare.Difference) bool {
	fits := func(kind string) bool {
		c := c
		c.Kind = kind
		return slices.ContainsFunc(r.allow, func(p pattern) bool { return p.fits(c) })
	}
	return fits(c.Kind) || c.Kind == compare.KindRenamed && fits("lost") && fits("added")
}

func (r Rule) denies(c compare.Difference) bool {
	return slices.ContainsFunc(r.deny, func(p pattern) bool { return p.denies(c) })
}

// Denies reports whether the rule denies what became of a document.
func (r Rule) Denies(d compare.Document) bool { return r.Judge(d) == Denied }

// Verdict is what a rule says of a change to documents.
type Verdict int

// What a rule can say.
const (
	Allowed   Verdict = iota // everything is allowed, or the meaning is the same
	Undecided                // something is neither allowed nor denied
	Denied
)

// Judge applies the rule to a document. What an unreadable document lost is unknown, and what is broken no tool of its
// format reads, so any --deny denies it, and no --allow allows it.
func (r Rule) Judge(d compare.Document) Verdict {
	if slices.ContainsFunc(d.BytesChanges(), r.denies) {
		return Denied
	}
	if d.Status == compare.Same {
		return Allowed
	}
	verdict := Allowed
	if d.Status == compare.Unreadable || len(d.Differences) == 0 {
		verdict = Undecided
		if len(r.deny) > 0 && d.Status == compare.Unreadable {
			return Denied
		}
	}
	for _, c := range d.Differences {
		switch {
		case r.denies(c):
			return Denied
		case !r.allows(c):
			verdict = Undecided
		}
	}
	return verdict
}

// Unattended is the verdict if no user can be asked: undecided changes are accepted if the rule has no --allow, and
// denied otherwise.
func (r Rule) Unattended(v Verdict) Verdict {
	switch {
	case v != Undecided:
		return v
	case len(r.allow) == 0:
		return Allowed
	}
	return Denied
}

// Refused are the differences for which the rule refuses a document.
func (r Rule) Refused(d compare.Document) []compare.Difference {
	var all []compare.Difference
	for _, c := range slices.Concat(d.Differences, d.BytesChanges()) {
		if r.denies(c) || c.Kind != compare.KindBytes && d.Status == compare.Unreadable {
			all = append(all, c)
		}
	}
	if len(all) > 0 {
		return all
	}
	for _, c := range d.Differences {
		if !r.allows(c) {
			all = append(all, c)
		}
	}
	return all
}

// String is the rule as flags write it.
func (r Rule) String() string {
	var parts []string
	for _, list := range []struct {
		flag     string
		patterns []pattern
	}{{"--allow", r.allow}, {"--deny", r.deny}} {
		var texts []string
		for _, p := range list.patterns {
			texts = append(texts, strings.TrimSuffix(p.kind+":"+p.what, ":"))
		}
		if len(texts) > 0 {
			parts = append(parts, list.flag+" "+strings.Join(texts, ","))
		}
	}
	for _, name := range r.files {
		parts = append(parts, "--allow-file "+name)
	}
	return strings.Join(parts, " ")
}

// protectedLines says which files are refused, and how to let them through.
func protectedLines(asked []Protected) string {
	var b strings.Builder
	for _, a := range asked {
		fmt.Fprintf(&b, "%s is applied only with --allow-file %q: %s\n", a.Name, a.Name, a.Why)
	}
	return b.String()
}

// RefusedLines is what people, hooks and clients of MCP read of what a rule refuses: a line for each difference, so that they
// can correct it, without the names of the documents. most bounds the differences of each document.
func (p *Proposal) RefusedLines(r Rule, most int) string {
	var b strings.Builder
	for _, d := range p.Report.Documents {
		if r.Unattended(r.Judge(d)) != Denied {
			continue
		}
		for _, line := range append(d.BrokenLines(), compare.Lines(nil, r.Refused(d), most)...) {
			b.WriteString("  " + line + "\n")
		}
	}
	return b.String()
}
