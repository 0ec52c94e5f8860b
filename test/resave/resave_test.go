// Package resave has tools of the formats, by other people, read and write documents of the domains. What a tool writes in
// another way is no difference of content, and what it refuses to read has lost its form.
package resave_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"agentd/domains"
	"agentd/domains/catalog"
	"agentd/domains/domaintest/dialects"
	"agentd/environments"
	"agentd/internal/charset"
	"agentd/vfs"
)

// document is one file that a tool gets, in the document that it belongs to.
type document struct {
	title  string
	name   string // of the file, as people have it
	as     string // its name in files
	files  vfs.Files
	domain domains.Domain
	// encoding is that of the file; a tool that writes a file writes it in the same.
	encoding charset.Encoding
}

func (d document) with(text string) vfs.Files {
	files := d.files.Clone()
	files[d.as] = text
	return files
}

// exchanged is a document as the tools get and return it.
type exchanged struct {
	Name    string `json:"name,omitempty"`
	Text    []byte `json:"text,omitempty"`
	Refused string `json:"refused,omitempty"`
}

// Each tool writes documents without a difference of content or a slip of form, but for what it loses; and what it refuses
// of damaged ones is what we call broken.
func TestResave(t *testing.T) {
	t.Parallel()
	for _, folder := range []string{".venv/bin/python", "node_modules/prettier"} {
		if _, err := os.Stat(folder); err != nil && os.Getenv("CI") != "" {
			t.Fatal("the tools are not installed; make test installs them (make packages)")
		} else if err != nil {
			t.Skip("the tools are not installed; make packages installs them")
		}
	}
	for _, tool := range tools {
		for _, name := range tool.domains {
			if !slices.Contains(strings.Split(catalog.DialectsOf(name).Resaved, ", "), tool.name) {
				t.Errorf("the catalogue does not say that %s resaves %s", tool.name, name)
			}
		}
		t.Run(tool.name, func(t *testing.T) {
			t.Parallel()
			tool.run(t)
		})
	}
}

// run has a tool read all its documents, as they are and damaged.
func (w tool) run(t *testing.T) {
	documents := w.documents(t)
	if len(documents) == 0 {
		t.Fatal("there is no document for it")
	}
	type one struct {
		document
		damage string // none for the document as it is
		text   string
	}
	var all []one
	for _, d := range documents {
		text := d.files[d.as]
		all = append(all, one{d, "", text})
		if w.lenient != "" {
			continue
		}
		damaged := damages(text)
		for _, label := range slices.Sorted(maps.Keys(damaged)) {
			if strings.TrimSpace(damaged[label]) == "" {
				continue // whether anything is there is a question of content
			}
			all = append(all, one{d, label, damaged[label]})
		}
	}
	given := make([]exchanged, len(all))
	for i, o := range all {
		bytes, err := o.encoding.Encode(o.text)
		if err != nil {
			t.Fatal(err)
		}
		given[i] = exchanged{Name: o.name, Text: []byte(bytes)}
	}
	answers := w.answers(t, given)
	var reference domains.Reference
	for i, o := range all {
		if o.damage == "" {
			reference = o.domain.Against(o.files)
			w.resaved(t, o.document, reference, answers[i])
			continue
		}
		broken := reference.Broken(o.with(o.text))
		refused := answers[i].Refused
		switch {
		case refused != "" && len(broken) == 0 && w.looser[o.damage] == "":
			t.Errorf("%s, %s: it refuses, and nothing is broken: %s", o.title, o.damage, refused)
		case refused == "" && len(broken) > 0 && w.stricter[o.damage] == "" && !slices.Contains(around, o.damage):
			t.Errorf("%s, %s: it reads, and we say %v", o.title, o.damage, broken[:min(2, len(broken))])
		}
	}
}

// resaved checks what a tool made of a whole document.
func (w tool) resaved(t *testing.T, d document, reference domains.Reference, answer exchanged) {
	if answer.Refused != "" {
		t.Errorf("%s: it is refused: %s", d.title, answer.Refused)
		return
	}
	if w.reads {
		return
	}
	candidate := d.with(string(answer.Text))
	review := reference.Review(candidate)
	if loses := w.loses[d.title]; (review.Strict < 1) != (loses != "") {
		t.Errorf("%s: strict %.4f, should lose %q: %s", d.title, review.Strict, loses, first(review.Differences))
	}
	if broken := reference.Broken(candidate); len(broken) > 0 {
		t.Errorf("%s: its form is said to be lost: %v", d.title, broken[:min(3, len(broken))])
	}
}

// first are the first of some differences.
func first(differences []domains.Difference) string {
	var out strings.Builder
	for _, d := range differences[:min(4, len(differences))] {
		fmt.Fprintf(&out, "\n%+v", d)
	}
	return out.String()
}

// documents are those of the seeds of the domains and of their dialects.
func (w tool) documents(t *testing.T) []document {
	names := regexp.MustCompile(w.names)
	var all []document
	for _, name := range w.domains {
		for _, n := range []string{"1", "2"} {
			found, err := environments.Load(filepath.Join("..", "..", "environments", "builtin", name+n))
			if err != nil {
				if n == "2" {
					continue
				}
				t.Fatal(err)
			}
			d, _ := catalog.Lookup(found[0].Domain)
			for _, file := range found[0].Seed.Names() {
				if names.MatchString(file) {
					all = append(all, document{name + n + " " + file, file, file, found[0].Seed, d, charset.Encoding{}})
				}
			}
		}
		for _, title := range slices.Sorted(maps.Keys(dialects.All())) {
			dialect := dialects.All()[title]
			if dialect.Domain != name || !names.MatchString(dialect.Name) {
				continue
			}
			encoding, _ := charset.Detect(dialect.Text, "")
			text, _ := encoding.Decode(dialect.Text)
			found := catalog.Recognise(vfs.Files{dialect.Name: text})
			files := found[0].Files
			all = append(all, document{title, dialect.Name, files.Names()[0], files, found[0].Domain.With(domains.Metadata{domains.RSOption: domains.RSStrict}), encoding})
		}
	}
	return slices.DeleteFunc(all, func(d document) bool { return w.skips[d.title] != "" })
}

// answers are what a tool makes of documents. It runs once for all of them.
func (w tool) answers(t *testing.T, given []exchanged) []exchanged {
	input, err := json.Marshal(given)
	if err != nil {
		t.Fatal(err)
	}
	var out, stderr bytes.Buffer
	program, script := ".venv/bin/python", "resave.py"
	if w.node {
		program, script = "node", "resave.mjs"
	}
	cmd := exec.CommandContext(t.Context(), program, script, w.name)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(input), &out, &stderr
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v: %s", err, stderr.String())
	}
	var answers []exchanged
	if err := json.Unmarshal(out.Bytes(), &answers); err != nil {
		t.Fatal(err)
	}
	return answers
}

// around are damages that leave an answer's words around a file. They break it in every format, also for readers that skip
// what they do not know.
var around = []string{"a code fence", "a remark on top", "a remark at the end"}

// damages are ways in which an answer of a model breaks a file, as far as the text has what they take away.
func damages(text string) map[string]string {
	lines := strings.SplitAfter(strings.TrimRight(text, "\n")+"\n", "\n")
	lines = lines[:len(lines)-1]
	half := len(lines) / 2
	all := map[string]string{
		"a code fence":              "```\n" + text + "```\n",
		"a remark on top":           "Here is the updated file:\n\n" + text,
		"a remark at the end":       text + "\nLet me know if you would like any other changes.\n",
		"cut in the middle":         text[:len(text)/2],
		"the first line twice":      lines[0] + text,
		"the last line lost":        strings.Join(lines[:len(lines)-1], ""),
		"a line in the middle lost": strings.Join(slices.Concat(lines[:half], lines[half+1:]), ""),
	}
	for _, token := range strings.Split(", : ; = \" } ] ) >", " ") {
		places := regexp.MustCompile(regexp.QuoteMeta(token)).FindAllStringIndex(text, -1)
		if len(places) == 0 {
			continue
		}
		at, last := places[len(places)/2][0], places[len(places)-1][0]
		all["a "+token+" lost"] = text[:at] + text[at+1:]
		if strings.Contains("\"}])", token) {
			all["the last "+token+" lost"] = text[:last] + text[last+1:]
		}
	}
	return all
}
