package fonteng

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/notes"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/ratio"
	"agentd/domains/internal/sets"
	"agentd/vfs"
)

// counted is the kind of element that stands for a part of the file.
const counted = "block"

var patterns = []string{"*.fea"}

func stats(m model) domains.Stats {
	return domains.Stats{Elements: m.size(), Counts: []domains.Count{
		{Name: "Language Systems", Value: strconv.Itoa(len(m.systems))},
		{Name: "Glyph Classes", Value: strconv.Itoa(len(m.classes))},
		{Name: "Features", Value: strconv.Itoa(len(m.features))},
		{Name: "Tables", Value: strconv.Itoa(len(m.tables))},
		{Name: "Parse Error", Value: "false"},
	}}
}

func (m *model) size() int {
	return len(m.systems) + len(m.classes) + len(m.features) + len(m.tables)
}

var errNoContent = errors.New("no .fea file with any content")

// parse reads all files as one. The texts of blocks are normal.
func parse(files vfs.Files) (model, error) {
	files = files.Match(patterns)
	var all strings.Builder
	for _, name := range files.Names() {
		all.WriteString(files[name] + "\n")
	}
	if pytext.Strip(all.String()) == "" {
		return model{}, errNoContent
	}
	m, err := parseText(repaired(all.String()))
	if err != nil {
		return model{}, err
	}
	broken := ""
	for _, blocks := range []map[string]string{m.classes, m.features, m.tables} {
		for name, text := range blocks {
			if why, is := strings.CutPrefix(text, unprintable); is {
				broken = max(broken, name+": "+why)
			}
			blocks[name] = normal(text)
		}
	}
	if broken != "" {
		return model{}, fmt.Errorf("%w: %s", domains.ErrCrash, broken)
	}
	return m, nil
}

// repaired puts slips right that models make: a script in small letters, and comments of another language.
func repaired(text string) string {
	const wrong, right = "\nlanguagesystem dflt ", "\nlanguagesystem DFLT "
	text = strings.ReplaceAll("\n"+text, wrong, right)[1:]
	var b strings.Builder
	for {
		start := strings.Index(text, "/*")
		if start < 0 {
			break
		}
		length := strings.Index(text[start+2:], "*/")
		if length < 0 {
			break
		}
		b.WriteString(text[:start])
		var lines []string
		for _, line := range strings.Split(text[start+2:start+2+length], "\n") {
			if pytext.Strip(line) != "" {
				lines = append(lines, "# "+line)
			}
		}
		b.WriteString(strings.Join(lines, "\n"))
		text = text[start+length+4:]
	}
	b.WriteString(text)
	return b.String()
}

// normal is a text without what follows a number sign, and without blanks at the ends of lines and empty lines.
func normal(text string) string {
	if !strings.ContainsAny(text, "#\n") {
		return pytext.StripRight(text)
	}
	var b strings.Builder
	for line := range strings.SplitSeq(text, "\n") {
		line, _, _ = strings.Cut(line, "#")
		line = pytext.StripRight(line)
		if line == "" {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(line)
	}
	return b.String()
}

// score weighs classes, features, tables and language systems by their numbers
// in the reference. Of each but the last it is coverage² · accuracy.
func score(reference, candidate model, noted *notes.Notes) domains.Reading {
	langsys := sets.Jaccard(reference.systems, candidate.systems)
	components := map[string]float64{
		"class_score":   blockScore(reference.classes, candidate.classes, noted),
		"feature_score": blockScore(reference.features, candidate.features, noted),
		"table_score":   blockScore(reference.tables, candidate.tables, noted),
		"langsys_score": langsys * langsys,
	}
	value, total := 0.0, 0.0
	for _, part := range []struct {
		name  string
		count int
	}{
		{"class_score", len(reference.classes)}, {"feature_score", len(reference.features)},
		{"langsys_score", len(reference.systems)}, {"table_score", len(reference.tables)},
	} {
		weight := float64(max(1, part.count))
		total += weight
		value += float64(weight * components[part.name])
	}
	return domains.Reading{
		RS:         value / total,
		Components: components,
		Elements:   domains.Elements{Reference: reference.size(), Candidate: candidate.size()},
	}
}

// blockScore is 1 where the reference has no such blocks.
func blockScore(reference, candidate map[string]string, noted *notes.Notes) float64 {
	if len(reference) == 0 {
		return 1
	}
	shared, similarity := 0, 0.0
	for _, name := range slices.Sorted(maps.Keys(reference)) {
		if text, has := candidate[name]; has {
			shared++
			similarity += ratio.Share(reference[name], text, noted)
		}
	}
	if shared == 0 {
		return 0
	}
	coverage := float64(shared) / float64(len(reference))
	return float64(coverage*coverage) * (similarity / float64(shared))
}
