package catalog_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"agentd/domains"
	"agentd/domains/catalog"
	"agentd/domains/edit"
	"agentd/environments"
	"agentd/environments/checks"
	"agentd/vfs"
	"agentd/vfs/fenced"
)

// fewest is how many edits a document must have at least.
const fewest = 6

// TestDerivedEdits has edits derived of every seed: each leads there and back.
func TestDerivedEdits(t *testing.T) {
	t.Parallel()
	envs, err := environments.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	eachDerived(t, envs)
}

// TestDerivedEditsOfReleasedSeeds does so of documents that others wrote.
func TestDerivedEditsOfReleasedSeeds(t *testing.T) {
	t.Parallel()
	envs, err := environments.Load(filepath.Join(releasedDir(t), "excerpts.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	eachDerived(t, envs)
}

// TestDerivedEditsOfAwkwardDocuments does so of documents in legal styles that few write.
func TestDerivedEditsOfAwkwardDocuments(t *testing.T) {
	t.Parallel()
	folders, err := os.ReadDir("testdata/awkward")
	if err != nil {
		t.Fatal(err)
	}
	for _, folder := range folders {
		t.Run(folder.Name(), func(t *testing.T) {
			t.Parallel()
			d, ok := catalog.Lookup(folder.Name())
			if !ok {
				t.Fatalf("there is no domain %s", folder.Name())
			}
			names, err := filepath.Glob(filepath.Join("testdata/awkward", folder.Name(), "*"))
			if err != nil {
				t.Fatal(err)
			}
			document := vfs.Files{}
			for _, name := range names {
				text, err := os.ReadFile(name)
				if err != nil {
					t.Fatal(err)
				}
				document[filepath.Base(name)] = string(text)
			}
			derived(t, d, document)
		})
	}
}

// TestVocabulariesNameWhatTheyAreOf holds that no two attributes share a name, and none has that of
// a column that every table has.
func TestVocabulariesNameWhatTheyAreOf(t *testing.T) {
	t.Parallel()
	for _, d := range catalog.All() {
		parts := map[string]bool{}
		for f := d.Vocabulary(); f != nil; f = f.Finer {
			names := map[string]bool{"text": true, "row": true}
			for _, a := range f.Attributes {
				if names[a.Name] || a.Plural == "" {
					t.Errorf("%s: the attribute %q", d.Info().Name, a.Name)
				}
				names[a.Name] = true
			}
			if parts[f.Parts] || f.Document == "" || f.Part == "" || f.Parts == "" {
				t.Errorf("%s: %s, %s, %s", d.Info().Name, f.Document, f.Part, f.Parts)
			}
			parts[f.Parts] = true
		}
	}
}

// quoted is a word or value that an instruction takes from the document.
var quoted = regexp.MustCompile("`[^`]*`|\"[^\"]*\"")

// articled is an indefinite article with the word after it.
var articled = regexp.MustCompile(`\b([Aa]n?) ([A-Za-z][A-Za-z0-9]*)`)

// heardAs are words that do not begin with the sound of their first letter: whether an stands before them.
var heardAs = map[string]bool{"one": false, "unit": false, "user": false, "uid": false, "used": false, "UTC": false, "hour": true, "hourly": true, "LRI": true, "MMSI": true, "MW": true}

// TestInstructionsHaveTheRightArticles looks at everything that is proposed for the built-in documents, also with another name for the
// result, and at each word that a vocabulary has.
func TestInstructionsHaveTheRightArticles(t *testing.T) {
	t.Parallel()
	right := func(article, word string) bool {
		an, known := heardAs[word]
		if !known {
			an = strings.ContainsRune("aeiouAEIOU", rune(word[0]))
		}
		return an == (strings.ToLower(article) == "an")
	}
	envs, err := environments.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, env := range envs {
		d, ok := catalog.Lookup(env.Domain)
		if !ok || d.Vocabulary() == nil {
			continue
		}
		for f := d.Vocabulary(); f != nil; f = f.Finer {
			words := []string{f.Part, f.Document}
			for _, a := range f.Attributes {
				words = append(words, a.Name)
			}
			for _, word := range words {
				if match := articled.FindStringSubmatch(edit.WithArticle(word)); match == nil || !right(match[1], match[2]) {
					t.Errorf("%s: %s", env.Domain, edit.WithArticle(word))
				}
			}
		}
		proposals, err := d.Vocabulary().Proposals(env.Seed, 1)
		if err != nil {
			t.Errorf("%s: %v", env.Name, err)
			continue
		}
		for p := range proposals {
			for _, one := range []*edit.Proposal{&p, p.Renamed} {
				if one == nil {
					continue
				}
				for _, match := range articled.FindAllStringSubmatch(quoted.ReplaceAllString(one.Forward+" "+one.Backward, "…"), -1) {
					seen[match[0]] = true
					if !right(match[1], match[2]) {
						t.Errorf("%s, %s: %q", env.Name, p.Verb, match[0])
					}
				}
			}
		}
	}
	if !seen["an account"] || len(seen) < 20 {
		t.Errorf("articles were found before %d words only", len(seen))
	}
}

// eachDerived derives edits of the seeds.
func eachDerived(t *testing.T, envs []environments.Environment) {
	t.Helper()
	for _, env := range envs {
		d, ok := catalog.Lookup(env.Domain)
		if !ok || d.Vocabulary() == nil {
			continue
		}
		t.Run(env.Name, func(t *testing.T) {
			t.Parallel()
			derived(t, d, env.Seed)
		})
	}
}

// unfilled is a place of an instruction that a word belongs in. A value of the document may have braces too.
var unfilled = regexp.MustCompile(`\{[a-z ]*\}`)

// derived checks the edits that are derived of a document, and that they are enough.
func derived(t *testing.T, d domains.Domain, document vfs.Files) {
	t.Helper()
	env, err := environments.Own{Name: "own1", Documents: document, Edits: 12, Seed: 1}.Environment(d)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, edit := range env.Edits {
		names = append(names, edit.Name)
		for _, instruction := range []string{edit.Forward, edit.Backward} {
			if n := len(strings.Fields(instruction)); n > 60 || unfilled.MatchString(instruction) {
				t.Errorf("%s: %d words: %s", edit.Name, n, instruction)
			}
		}
		if os.Getenv("AGENTD_SHOW") != "" {
			fmt.Printf("%s\n  %s\n  %s\n", edit.Name, edit.Forward, edit.Backward)
		}
	}
	if err := env.CheckSeed(catalog.Lookup); err != nil || env.Unscorable() != "" {
		t.Errorf("no score can be had: %v, %s", err, env.Unscorable())
	}
	for _, edit := range env.Edits {
		if err := survivesCarrying(env.Apply(d), document, edit); err != nil {
			t.Errorf("%s: %v", edit.Name, err)
		}
	}
	draft := environments.Draft{Environment: env, Sample: env.Sample()}
	for _, failure := range checks.Run([]environments.Draft{draft}, catalog.Lookup) {
		if failure.Weight != checks.Incomparable {
			t.Errorf("%+v", failure)
		}
	}
	if len(env.Edits) < fewest {
		t.Errorf("%d edits: %s", len(env.Edits), strings.Join(names, ", "))
	}
}

// survivesCarrying goes back from what the published protocol carries on of a forward step, where
// that differs from what the step made.
func survivesCarrying(d domains.Domain, document vfs.Files, edit environments.Edit) error {
	program, err := d.Vocabulary().Program(edit.Oracle.Verb)
	if err != nil {
		return err
	}
	there, err := program.Forward(document)
	if err != nil {
		return err
	}
	carried := fenced.Parse(fenced.Format(there, there.Names()))
	if carried.Equal(there) {
		return nil
	}
	back, err := program.Backward(carried)
	if err != nil {
		return err
	}
	if score := d.Against(document).Compare(back); score.RS != 1 || score.Strict != 1 {
		return fmt.Errorf("after the published protocol there and back scores %v, strict %v", score.RS, score.Strict)
	}
	return nil
}
