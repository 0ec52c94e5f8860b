// Package libcatalog is the published reading and score of the domain libcatalog.
//
// Let R and G be the reference and candidate record lists; ids(R), ids(G) the sets of identifiers. When a list holds
// several records with one identifier, the last wins for comparisons. Records without identifier are never compared.
//
// score = coverage * (0.05 * leader + 0.05 * control + 0.90 * data), not rounded.
//
//   - coverage: 1 if R and G are both empty; 0 if one is. If neither has an identifier, min(|R|,|G|) / max(|R|,|G|).
//     Otherwise |ids(R) ∩ ids(G)| / |ids(R) ∪ ids(G)|.
//   - leader, control, data: arithmetic means over the common identifiers; 0 when there is none. So two documents that
//     are both empty, or have no identifiers at all, score 0.
//   - leader of one pair: 1 if equal; else the number of positions with the same character (over the shorter length)
//     divided by the longer length.
//   - control of one pair: build a map tag to trimmed data over EVERY field of the record. Data fields enter with the
//     empty string. A later field of the same tag overwrites an earlier one. Average over the union of tags: 1 if both
//     have the tag and the strings are equal; 0.5 * ratio if both have it and they differ; 0 if only one has it. This
//     means missing or invented data tags also lower this component.
//   - data of one pair: take EVERY field, control fields included (a control field enters with both indicators as a
//     space and no subfields, so its content is not compared here). If both lists are empty 1, if one is 0. Group by
//     tag. For each tag in the union: weight = max(n_ref, n_gen); score 0 if one side lacks the tag, else greedy
//     matching in reference order: each reference field takes the unused candidate field with the strictly highest
//     similarity (first one on a tie; none if all are 0); tag score = sum of the similarities / max(n_ref, n_gen). The
//     record score is the weighted mean of tag scores.
//   - similarity of two fields = (0.5 if ind1 equal + 0.5 if ind2 equal + 2 * s) / 3, where s is 1 if neither has
//     subfields, 0 if only one has, else the difflib ratio over the two sequences of strings code=value (elements are
//     whole strings, compared for equality; autojunk default, which matters only from 200 subfields in one field).
//   - ratio for control data is the difflib ratio over characters, with autojunk on (long control data of 200
//     characters or more is not realistic).
//   - A changed subfield therefore costs the full subfield: no partial credit for close strings.
//   - Any internal exception gives score 0 with an error entry.
//
// Version note. In pymarc before 5.2 data fields had no data attribute and control fields no subfields attribute, so
// control looked at 001 to 009 only and data at 010 and up only. Under the current release every field has both
// attributes and the formulas above hold. The difference is below 0.01 for small edits but reaches 0.03 when many
// fields vanish.
//
// R, or ratio, is that of package ratio, with the reference first.
package libcatalog

import (
	"cmp"
	"errors"
	"fmt"
	"path"
	"strings"
	"unicode"

	"agentd/domains/internal/pytext"
	"agentd/domains/internal/xml"
	"agentd/internal/lazyregexp"
	"agentd/vfs"
)

// Record is a bibliographic record.
type Record struct {
	Kind   string // the attribute type, mostly none
	Leader string
	Fields []Field
}

// Field is a control field, which has data, or a data field.
type Field struct {
	Tag       string
	Control   bool
	Data      string // of a data field, what stands outside its subfields
	Indicator [2]string
	Subfields []Subfield
}

// Subfield is a subfield as it is written.
type Subfield struct{ Code, Value string }

// Collection is a document as the published evaluator reads it.
type Collection struct {
	records []Record
	faults  []error // of files that could not be read
}

// errNested says that a record or field ends in another one. The published program then keeps nothing in its
// place, on which it fails when it comes to it, whatever other files hold.
var errNested = errors.New("it ends in another one")

// Parse reads a document as the published evaluator does. A file that cannot be read
// has no records; of errors only errNested is returned.
func Parse(files vfs.Files) (Collection, error) {
	var all Collection
	for _, name := range files.Names() {
		if path.Ext(name) != ".xml" {
			continue
		}
		records, err := parseFile(files[name])
		if errors.Is(err, errNested) {
			return Collection{}, fmt.Errorf("%s: %w", name, err)
		}
		if err != nil {
			all.faults = append(all.faults, fmt.Errorf("%s: %w", name, err))
			continue
		}
		all.records = append(all.records, records...)
	}
	return all, nil
}

func parseFile(text string) ([]Record, error) {
	text = pytext.UniversalNewlines(strings.TrimPrefix(repaired(text), "\ufeff"))
	if xml.DeclaredEncoding(text) == "us-ascii" && strings.ContainsFunc(text, func(r rune) bool { return r > unicode.MaxASCII }) {
		return nil, errors.New("the text is not in ASCII")
	}
	var h handler
	if x := xml.VisitStrictly(text, xml.Expat, &h); x.Broken != "" {
		return nil, fmt.Errorf("line %d: %s", x.Line, x.Broken)
	}
	if err := cmp.Or(h.err, h.nested); err != nil {
		return nil, err
	}
	return h.records, nil
}

// repaired is the text as the evaluator hands it to its parser.
func repaired(text string) string {
	const end = "</collection>"
	if at := strings.LastIndex(text, end); at >= 0 {
		text = text[:at+len(end)]
	}
	return comment.ReplaceAllStringFunc(text, func(whole string) string {
		body := whole[len("<!--") : len(whole)-len("-->")]
		return "<!--" + strings.ReplaceAll(body, "--", "- -") + "-->"
	})
}

var comment = lazyregexp.New(`(?s)<!--.*?-->`)

// handler makes records of tags as pymarc 5.3 does: whatever the nesting, by what began last. Where a part
// ends in no record or field, reading the file fails.
type handler struct {
	records []Record
	record  *Record
	field   *Field
	code    string
	text    []string // since the last tag
	err     error    // the first
	nested  error    // of errNested, if any
}
