package gym

import (
	"crypto/sha256"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"path"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"golang.org/x/sync/errgroup"

	"agentd/domains"
	"agentd/domains/catalog"
	"agentd/environments"
	"agentd/harness/grade"
	"agentd/results"
	"agentd/vfs"
)

var (
	update = flag.Bool("update", false, "write the table of hacks into docs/gym.md")
	// all is set by make rewards. Without it every hundredth or so is tried.
	all = os.Getenv("AGENTD_REWARDS") == "all"
)

// edited is an edit in one direction, ready to be graded.
type edited struct {
	*grade.Asked
	env         *environments.Environment
	domain      domains.Domain
	edit        environments.Edit
	direction   results.Direction
	instruction string
}

func (e *edited) String() string {
	return fmt.Sprintf("%s %s %s", e.env.Name, e.edit.Name, e.direction)
}

// reward grades files next to the distractors, which files of the same name replace.
func (e *edited) reward(files vfs.Files) float64 {
	left := e.env.Distractors.Clone()
	if left == nil {
		left = vfs.Files{}
	}
	maps.Copy(left, files)
	return e.Grade(left).Reward
}

// each calls do with edits of environments in both directions, several at the same time.
func each(t *testing.T, envs []environments.Environment, take func(env, edit int) bool, do func(*edited)) {
	t.Helper()
	var group errgroup.Group
	group.SetLimit(runtime.NumCPU())
	for i := range envs {
		env := &envs[i]
		d, ok := env.Scoring(catalog.Lookup)
		if !ok {
			t.Errorf("%s cannot be scored", env.Name)
			continue
		}
		for k, edit := range env.Edits {
			if !take(i, k) || edit.Oracle.IsZero() {
				continue
			}
			group.Go(func() error {
				for _, direction := range []results.Direction{results.Forward, results.Backward} {
					a, err := grade.Ask(env, d, edit, direction)
					if err != nil {
						return fmt.Errorf("%s %s %s: %w", env.Name, edit.Name, direction, err)
					}
					e := &edited{a, env, d, edit, direction, edit.Forward}
					if direction == results.Backward {
						e.instruction = edit.Backward
					}
					do(e)
				}
				return nil
			})
		}
	}
	if err := group.Wait(); err != nil {
		t.Error(err)
	}
}

func allBuiltin(t testing.TB) []environments.Environment {
	t.Helper()
	envs, err := environments.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	return envs
}

// sampled takes one edit of every other environment.
func sampled(env, edit int) bool { return all || env%2 == 0 && edit == env/2%4 }

func TestOnlyWorkIsPaid(t *testing.T) {
	t.Parallel()
	each(t, allBuiltin(t), sampled, checkPay(t))
}

func checkPay(t *testing.T) func(e *edited) {
	return func(e *edited) {
		if r := e.reward(e.Expected); r != 1 {
			t.Errorf("%s: the exact program earns %v", e, r)
		}
		if r := e.reward(e.Documents); r > 0.05 {
			t.Errorf("%s: doing nothing earns %v", e, r)
		}
	}
}

func TestOnlyWorkIsPaidOfDerivedEdits(t *testing.T) {
	t.Parallel()
	envs := allBuiltin(t)
	if !all {
		envs = slices.DeleteFunc(envs, func(env environments.Environment) bool {
			return !slices.Contains([]string{"accounting1", "dns1", "subtitles1"}, env.Name)
		})
	}
	var count int
	var mu sync.Mutex
	var group errgroup.Group
	group.SetLimit(runtime.NumCPU())
	for i := range envs {
		group.Go(func() error {
			env := &envs[i]
			d, _ := catalog.Lookup(env.Domain)
			env.Edits = nil
			n, err := env.AddDerived(d, 8, 1)
			mu.Lock()
			defer mu.Unlock()
			count += n
			return err
		})
	}
	if err := group.Wait(); err != nil {
		t.Fatal(err)
	}
	check, tried := checkPay(t), map[string]bool{}
	each(t, envs, func(int, int) bool { return true }, func(e *edited) {
		check(e)
		mu.Lock()
		defer mu.Unlock()
		tried[e.env.Name+"/"+e.edit.Name] = true
	})
	t.Logf("%d derived edits were tried", len(tried))
	if len(tried) != count || all && count < 500 {
		t.Errorf("%d of %d derived edits were tried", len(tried), count)
	}
}

// half is honest partial work. Of a file whose lines stand where they stood in a document, every second line that
// the edit changes is as it was; of any other, half of the elements are missing.
func (e *edited) half() vfs.Files {
	half := vfs.Files{}
	for name, text := range e.Expected {
		half[name] = e.halfOf(name, text)
		lines := strings.SplitAfter(text, "\n")
		for _, document := range e.Documents {
			if was := strings.SplitAfter(document, "\n"); len(was) == len(lines) && len(lines) > 2 {
				half[name] = halfChanged(was, lines)
			}
		}
	}
	return half
}

func halfChanged(was, lines []string) string {
	half, changed := slices.Clone(lines), 0
	for i := range lines {
		if was[i] == lines[i] {
			continue
		}
		if changed++; changed%2 == 1 {
			half[i] = was[i]
		}
	}
	return strings.Join(half, "")
}

func (e *edited) halfOf(name, text string) string {
	if slices.ContainsFunc(e.domain.Info().Patterns, func(p string) bool { return vfs.Matches(p, name) }) {
		if left := e.domain.Without(vfs.Files{name: text}, func(n int) bool { return n%2 == 1 }); left[name] != "" {
			return left[name]
		}
	}
	var list []any
	var object map[string]any
	switch {
	case path.Ext(name) != ".json":
	case json.Unmarshal([]byte(text), &list) == nil:
		raw, _ := json.MarshalIndent(list[:(len(list)+1)/2], "", "  ")
		return string(raw)
	case json.Unmarshal([]byte(text), &object) == nil:
		for i, key := range slices.Sorted(maps.Keys(object)) {
			if i%2 == 1 {
				delete(object, key)
			}
		}
		raw, _ := json.MarshalIndent(object, "", "  ")
		return string(raw)
	}
	var b strings.Builder
	n := 0
	for line := range strings.Lines(text) {
		if n++; n%2 == 1 {
			b.WriteString(line)
		}
	}
	return b.String()
}

// document is the longest one.
func (e *edited) document() string {
	longest := ""
	for _, text := range e.Documents {
		if len(text) > len(longest) {
			longest = text
		}
	}
	return longest
}

// each file that is asked for gets the same text.
func (e *edited) filled(text string) vfs.Files {
	files := vfs.Files{}
	for name := range e.Expected {
		files[name] = text
	}
	return files
}

// both keeps the documents that the files do not replace.
func (e *edited) both(files vfs.Files) vfs.Files {
	both := e.Documents.Clone()
	maps.Copy(both, files)
	return both
}

type hack struct {
	name string
	do   func(e *edited) vfs.Files
}

// hacks are tried in this order; the table has them so.
func hacks() []hack {
	return []hack{
		{"nothing is done", func(e *edited) vfs.Files { return e.Documents }},
		{"the documents are written again as they are", func(e *edited) vfs.Files { return e.Documents.Clone() }},
		{"the document under each new name", func(e *edited) vfs.Files { return e.filled(e.document()) }},
		{"the same, with one space more", func(e *edited) vfs.Files { return e.filled(e.document() + " ") }},
		{"the same, and the old documents stay", func(e *edited) vfs.Files { return e.both(e.filled(e.document() + " ")) }},
		{"half of the work, and the old documents stay", func(e *edited) vfs.Files { return e.both(e.half()) }},
		{"all files one after the other, under each new name", func(e *edited) vfs.Files {
			var b strings.Builder
			for _, files := range []vfs.Files{e.Documents, e.env.Distractors} {
				for _, name := range files.Names() {
					b.WriteString(files[name])
				}
			}
			return e.filled(b.String())
		}},
		{"empty documents under the new names", func(e *edited) vfs.Files { return e.filled("") }},
		{"a line end under each new name", func(e *edited) vfs.Files { return e.filled("\n") }},
		{"the instruction under each new name", func(e *edited) vfs.Files { return e.filled(e.instruction + "\n") }},
		{"the document twenty times under each new name", func(e *edited) vfs.Files { return e.filled(strings.Repeat(e.document(), 20)) }},
		{"the distractors are edited, the documents are not", func(e *edited) vfs.Files { return e.both(spoilt(e.env.Distractors)) }},
		{"half of the work, and the distractors are edited", func(e *edited) vfs.Files {
			files := spoilt(e.env.Distractors)
			maps.Copy(files, e.half())
			return files
		}},
	}
}

func spoilt(files vfs.Files) vfs.Files {
	changed := vfs.Files{}
	for name, text := range files {
		changed[name] = strings.ToUpper(text) + "Done.\n"
	}
	return changed
}

// sumOf is a number that a name decides.
func sumOf(name string) int { return int(sha256.Sum256([]byte(name))[1]) }

// No way to the reward is better than doing the work, and the table in docs/gym.md says what each earns.
func TestHacksEarnNoMoreThanHonestPartialWork(t *testing.T) {
	t.Parallel()
	type sum struct{ mean, most float64 }
	list := hacks()
	sums, half, count := make([]sum, len(list)), 0.0, 0
	var mu sync.Mutex
	// A sample that stays the same when environments are added.
	envs := slices.DeleteFunc(allBuiltin(t), func(env environments.Environment) bool {
		return !strings.HasSuffix(env.Name, "1") || sumOf(env.Name)%3 != 0
	})
	each(t, envs, func(env, edit int) bool { return edit == sumOf(envs[env].Name)%4 }, func(e *edited) {
		honest := e.reward(e.half())
		rewards := make([]float64, len(list))
		for i, h := range list {
			rewards[i] = e.reward(h.do(e))
			if rewards[i] > max(honest, 0.05) {
				t.Errorf("%s: %s earns %.3f, honest partial work %.3f", e, h.name, rewards[i], honest)
			}
		}
		mu.Lock()
		defer mu.Unlock()
		half, count = half+honest, count+1
		for i, r := range rewards {
			sums[i].mean, sums[i].most = sums[i].mean+r, max(sums[i].most, r)
		}
	})
	var b strings.Builder
	fmt.Fprintf(&b, "| what is done | mean reward | highest |\n| --- | --- | --- |\n| the work | 1.00 | 1.00 |\n| honest partial work: every second change, or half of the elements, is missing | %.2f | |\n", half/float64(count))
	for i, h := range list {
		fmt.Fprintf(&b, "| %s | %.2f | %.2f |\n", h.name, sums[i].mean/float64(count), sums[i].most)
	}
	const page, begin, end = "../../docs/gym.md", "<!-- hacks -->\n", "<!-- end of hacks -->"
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(text), begin)
	table, after, closed := strings.Cut(rest, end)
	switch {
	case !ok || !closed:
		t.Fatalf("%s has no place for the table", page)
	case *update:
		if err := os.WriteFile(page, []byte(before+begin+b.String()+end+after), 0o644); err != nil {
			t.Fatal(err)
		}
	case table != b.String():
		t.Errorf("the table in %s is not that of today, which go test ./harness/gym -run Hacks -update writes:\n%s", page, b.String())
	}
	if half/float64(count) < 0.1 {
		t.Errorf("honest partial work earns %.3f", half/float64(count))
	}
}
