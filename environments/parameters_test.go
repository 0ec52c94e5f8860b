package environments_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"agentd/environments"
)

// ofTheFormat are words of the built-in environments that a domain may know: they are its format's.
var ofTheFormat = map[string][]string{
	"docker":      {"Dockerfile"},
	"fonteng":     {"Text"},
	"libcatalog":  {"Reading"}, // a subject in an example of a field
	"makefile":    {"Makefile"},
	"markdown":    {"Markdown"},
	"mathlean":    {"Lean"},
	"robotics":    {"Gazebo"},
	"starcatalog": {"phot.mag", "phys.magAbs"},
	"transit":     {"agency.txt", "frequencies.txt", "routes.txt", "stop_times.txt", "stops.txt", "transfers.txt", "trips.txt"},
	"vector":      {"Inkscape"},
}

// Edits do for any document what they do for the built-in one: what they know of that is in the environment alone. So
// no file name of an environment, no parameter of its edits, and no proper name that its summary mentions
// stands in the code of its domain.
func TestDomainsKnowNoDocument(t *testing.T) {
	t.Parallel()
	builtin, err := environments.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	for _, env := range builtin {
		code := source(t, filepath.Join("..", "domains", env.Domain))
		allowed := ofTheFormat[env.Domain]
		for _, text := range namesOf(t, &env) {
			if strings.Contains(code, strconv.Quote(text)) && !slices.Contains(allowed, text) {
				t.Errorf("%s: the domain %s knows %q", env.Name, env.Domain, text)
			}
		}
		for _, name := range properName.FindAllString(env.Title+". "+env.Summary, -1) {
			name = name[strings.LastIndexByte(name, ' ')+1:]
			if regexp.MustCompile(`\b`+name+`\b`).MatchString(code) && !slices.Contains(allowed, name) {
				t.Errorf("%s: the domain %s knows %s", env.Name, env.Domain, name)
			}
		}
	}
}

var (
	// properName is a word with a capital letter that does not begin a sentence.
	properName = regexp.MustCompile(`[\pL\d,)] \p{Lu}\p{Ll}{3,}`)
	fileName   = regexp.MustCompile("`([\\w-]+\\.[A-Za-z0-9]{1,6})`")
)

// namesOf are the names of an environment's files, those that its instructions mention too, and the texts among the
// parameters of its edits that are no single words.
func namesOf(t *testing.T, env *environments.Environment) []string {
	t.Helper()
	names := env.Seed.Names()
	if env.Domain == "transit" {
		names = nil // the format says how the files of a feed are called
	}
	for _, edit := range env.Edits {
		if edit.Oracle.Parameters == "" {
			if edit.Oracle.Name != "" {
				t.Errorf("%s, %s: the oracle has no parameters", env.Name, edit.Name)
			}
			continue
		}
		var parameters map[string]any
		if err := json.Unmarshal([]byte(edit.Oracle.Parameters), &parameters); err != nil {
			t.Fatal(err)
		}
		for _, text := range texts(parameters) {
			if strings.ContainsAny(text, ".: ") {
				names = append(names, text)
			}
		}
		for _, found := range fileName.FindAllStringSubmatch(edit.Forward+edit.Backward, -1) {
			names = append(names, found[1])
		}
	}
	return names
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
