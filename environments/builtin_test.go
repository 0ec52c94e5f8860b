package environments_test

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/tiktoken-go/tokenizer"

	"agentd/domains"
	"agentd/domains/catalog"
	"agentd/environments"
	"agentd/vfs"
)

// operations are the names the paper tags edits with.
var operations = []string{
	"numerical reasoning", "constraint satisfaction", "split and merge", "topic modeling", "classification",
	"domain knowledge", "format knowledge", "string manipulation", "sorting", "context expansion", "referencing",
}

// revealing words tell a model that a step will be or is being undone.
var revealing = regexp.MustCompile(`(?i)\b(original(ly)?|restor\w*|revers\w*|revert\w*|undo\w*|undone|back|again|previous(ly)?|round[- ]trip|later)\b`)

func builtin(t *testing.T) []environments.Environment {
	t.Helper()
	envs, err := environments.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	return envs
}

func tokens(t *testing.T, codec tokenizer.Codec, files vfs.Files) int {
	t.Helper()
	total := 0
	for _, content := range files {
		n, err := codec.Count(content)
		if err != nil {
			t.Fatal(err)
		}
		total += n
	}
	return total
}

func TestSizesOfBuiltInEnvironments(t *testing.T) {
	t.Parallel()
	codec, err := tokenizer.Get(tokenizer.O200kBase)
	if err != nil {
		t.Fatal(err)
	}
	for _, env := range builtin(t) {
		if n := tokens(t, codec, env.Seed); n < 2_000 || n > 5_000 {
			t.Errorf("%s: the seed has %d tokens, want 2,000 to 5,000", env.Name, n)
		}
		if n := tokens(t, codec, env.Distractors); n < 8_000 || n > 12_000 {
			t.Errorf("%s: the distractors have %d tokens, want 8,000 to 12,000", env.Name, n)
		}
		formats := map[string]bool{}
		for name := range env.Distractors {
			formats[path.Ext(name)] = true
		}
		if n := len(env.Distractors); n < 3 || n > 5 || len(formats) < 2 {
			t.Errorf("%s: %d distractors in %d formats, want 3 to 5 in at least 2", env.Name, n, len(formats))
		}
	}
}

func TestEditsOfBuiltInEnvironments(t *testing.T) {
	t.Parallel()
	for _, env := range builtin(t) {
		d, ok := catalog.Lookup(env.Domain)
		if !ok {
			t.Errorf("%s: domain %s is not built", env.Name, env.Domain)
			continue
		}
		checkEdits(t, &env, d)
	}
}

func checkEdits(t *testing.T, env *environments.Environment, d domains.Domain) {
	t.Helper()
	used := map[string]bool{}
	instructions := map[string]bool{}
	several := false
	for _, edit := range env.Edits {
		for _, op := range edit.Operations {
			used[op] = true
			if !slices.Contains(operations, op) {
				t.Errorf("%s, %s: unknown operation %q", env.Name, edit.Name, op)
			}
		}
		for _, text := range []string{edit.Forward, edit.Backward} {
			if instructions[text] {
				t.Errorf("%s, %s: an instruction repeats", env.Name, edit.Name)
			}
			instructions[text] = true
			if word := revealing.FindString(text); word != "" {
				t.Errorf("%s, %s: %q reveals the round trip", env.Name, edit.Name, word)
			}
		}
		for name := range env.Distractors {
			if len((vfs.Files{name: ""}).Match(edit.Targets)) > 0 {
				t.Errorf("%s, %s: distractor %s matches a target", env.Name, edit.Name, name)
			}
		}
		oracle, ok := env.OracleFor(edit, d)
		if !ok {
			t.Errorf("%s, %s: no oracle %q", env.Name, edit.Name, edit.Oracle)
			continue
		}
		several = several || checkTargets(t, env, edit, oracle)
	}
	if len(env.Edits) < 6 || len(used) < 5 || !several {
		t.Errorf("%s: %d edits with %d operations, several files: %v", env.Name, len(env.Edits), len(used), several)
	}
	if len(env.Summaries) != len(env.Distractors) {
		t.Errorf("%s: %d of %d distractors have a summary", env.Name, len(env.Summaries), len(env.Distractors))
	}
	for _, s := range env.Summaries {
		if _, ok := env.Distractors[s.File]; !ok || len(strings.Fields(s.Summary)) > 25 {
			t.Errorf("%s: summary of %s: no such file, or more than 25 words", env.Name, s.File)
		}
	}
}

// checkTargets compares an oracle's files with the edit's targets, and reports
// whether there are several.
func checkTargets(t *testing.T, env *environments.Environment, edit environments.Edit, oracle domains.Edit) bool {
	t.Helper()
	forward, err := oracle.Forward(env.Seed)
	if err != nil {
		t.Errorf("%s, %s: %v", env.Name, edit.Name, err)
		return false
	}
	if matched := forward.Match(edit.Targets); len(matched) != len(forward) {
		t.Errorf("%s, %s: of %v only %v match %v", env.Name, edit.Name, forward.Names(), matched.Names(), edit.Targets)
	}
	for _, target := range edit.Targets {
		if len(forward.Match([]string{target})) == 0 {
			t.Errorf("%s, %s: no file matches %s", env.Name, edit.Name, target)
		}
	}
	backward, err := oracle.Backward(forward)
	if err != nil {
		t.Errorf("%s, %s: %v", env.Name, edit.Name, err)
	} else if !slices.Equal(backward.Names(), env.Seed.Names()) {
		t.Errorf("%s, %s: backward gives %v", env.Name, edit.Name, backward.Names())
	}
	return len(forward) > 1
}
