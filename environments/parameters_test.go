package environments_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"agentd/environments"
)

// naming are the domains whose formats say how the files of a document are called.
var naming = []string{"transit"}

// Edits with parameters do for any document what they do for the built-in one. What they know
// of that is in the environment alone: its files, and the words and names of the parameters.
func TestEditsWithParametersKnowNoDocument(t *testing.T) {
	t.Parallel()
	builtin, err := environments.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	looked := 0
	for _, env := range builtin {
		if slices.ContainsFunc(env.Edits, func(e environments.Edit) bool { return e.Oracle.Parameters == "" }) {
			continue
		}
		looked++
		var own []string
		if !slices.Contains(naming, env.Domain) {
			own = env.Seed.Names()
		}
		for _, edit := range env.Edits {
			var parameters map[string]any
			if err := json.Unmarshal([]byte(edit.Oracle.Parameters), &parameters); err != nil {
				t.Fatal(err)
			}
			own = append(own, texts(parameters)...)
		}
		code := source(t, filepath.Join("..", "domains", env.Domain))
		for _, text := range own {
			if strings.ContainsAny(text, ".: ") && strings.Contains(code, strconv.Quote(text)) {
				t.Errorf("%s: the domain %s knows %q", env.Name, env.Domain, text)
			}
		}
	}
	if looked < 8 {
		t.Errorf("looked at %d environments, want at least 8", looked)
	}
}

// texts are the strings in a value of JSON.
func texts(value any) (all []string) {
	switch value := value.(type) {
	case string:
		return []string{value}
	case []any:
		for _, v := range value {
			all = append(all, texts(v)...)
		}
	case map[string]any:
		for _, v := range value {
			all = append(all, texts(v)...)
		}
	}
	return all
}

// source is the text of a package without its tests.
func source(t *testing.T, folder string) string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, name := range names {
		if !strings.HasSuffix(name, "_test.go") {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			b.Write(text)
		}
	}
	if b.Len() == 0 {
		t.Fatalf("no code in %s", folder)
	}
	return b.String()
}
