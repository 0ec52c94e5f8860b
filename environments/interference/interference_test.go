package interference_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentd/domains/catalog"
	"agentd/environments"
	"agentd/environments/interference"
	"agentd/internal/opinion"
	"agentd/vfs"
)

const (
	first  = "the first line is long enough\n"
	second = "the second line is long, too\n"
	third  = "and so is, of all, the third\n"
)

func environment(distractors vfs.Files) *environments.Environment {
	return &environments.Environment{
		Name: "x1", Domain: "none", Seed: vfs.Files{"Notes.txt": first + second + third + "short\n"}, Targets: []string{"Notes.txt"}, Distractors: distractors,
		Edits: []environments.Edit{{Name: "split", Forward: "Split it.", Backward: "Merge it.", Targets: []string{"part-*.txt", "order.csv"}}},
	}
}

func TestCollisionsAndLeaksAreFoundByRules(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		file, text string
		want       []string
	}{
		"nothing in common":                {"other.md", "hello\n", nil},
		"the document's name":              {"Notes.txt", "hello\n", []string{"file name collision"}},
		"in a folder and in other letters": {"old/NOTES.TXT", "hello\n", []string{"file name collision"}},
		"a name that the edit makes":       {"part-1.txt", "hello\n", []string{"file name collision"}},
		"not quite":                        {"part.txt", "hello\n", nil},
		"three lines of the document":      {"other.md", "  " + third + first + "x\n" + second, []string{"information leak"}},
		"two lines and a short one":        {"other.md", first + second + "short\n", nil},
		"both":                             {"order.csv", first + second + third, []string{"file name collision", "information leak"}},
	} {
		env := environment(vfs.Files{c.file: c.text})
		var got []string
		for _, found := range interference.ByRules(env, env.Edits[0], nil) {
			if found.File != c.file || found.What == "" {
				t.Errorf("%s: %+v", name, found)
			}
			got = append(got, interference.Kinds()[found.Kind].Head)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// What the exact program of an edit makes is known, so that a distractor that holds it leaks it.
func TestWhatAnEditMakesMayNotLie(t *testing.T) {
	t.Parallel()
	envs, err := environments.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	for i := range envs {
		env := &envs[i]
		d, ok := catalog.Lookup(env.Domain)
		if !ok {
			t.Fatal(env.Domain)
		}
		for _, edit := range env.Edits {
			if found := interference.ByRules(env, edit, d); len(found) > 0 {
				t.Errorf("%s, %s: %+v", env.Name, edit.Name, found)
			}
		}
		if env.Name != "accounting1" {
			continue
		}
		oracle, _ := env.OracleFor(env.Edits[1], d)
		made, err := oracle.Forward(env.Seed)
		if err != nil {
			t.Fatal(err)
		}
		leaking := *env
		leaking.Distractors = vfs.Files{"draft.txt": made["journal.csv"]}
		if found := interference.ByRules(&leaking, env.Edits[1], d); len(found) != 1 || found[0].File != "draft.txt" {
			t.Errorf("%+v", found)
		}
	}
}

func TestAJudgeSeesAllOfAnEdit(t *testing.T) {
	t.Parallel()
	env := environment(vfs.Files{"other.md": "hello there\n"})
	var prompt string
	choice, err := interference.Judge(func(asked string, accept func(map[string]any) error) (map[string]any, error) {
		prompt = asked
		answer := map[string]any{"category": 4.0, "justification": "all files"}
		return answer, accept(answer)
	}, env, env.Edits[0])
	if err != nil || choice != (opinion.Choice{Category: 3, Why: "all files"}) {
		t.Error(choice, err)
	}
	for _, part := range []string{"Split it.", "Merge it.", "part-*.txt", third, "hello there", "6: structural interference"} {
		if !strings.Contains(prompt, part) {
			t.Errorf("no %q in\n%s", part, prompt)
		}
	}
	gone := errors.New("gone")
	if _, err := interference.Judge(func(string, func(map[string]any) error) (map[string]any, error) { return nil, gone }, env, env.Edits[0]); !errors.Is(err, gone) {
		t.Error(err)
	}
}

func TestTokensThatStay(t *testing.T) {
	t.Parallel()
	env := environment(vfs.Files{"a": "one two three", "b": "four"})
	if n, err := interference.Without(env, "a"); n != 1 || err != nil {
		t.Error(n, err)
	}
}
