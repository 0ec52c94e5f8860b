package guard

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"agentd/internal/eventually"
	"agentd/internal/usage"
)

const (
	rules = "# Rules\n\nBoats are tied up.\n\nThe crane takes two.\n"
	cut   = "# Rules\n\nBoats are tied up.\n"
	grown = rules + "\nNets are dried.\n"
)

// guardedFolder is a folder of documents that an agent works in, and the hooks that it calls.
type guardedFolder struct {
	t    *testing.T
	dir  string
	live *Live
}

func newGuarded(t *testing.T, allow, deny []string) *guardedFolder {
	t.Helper()
	dir := t.TempDir()
	f, err := Open(t.Context(), dir, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	rule, err := NewRule(allow, deny)
	if err != nil {
		t.Fatal(err)
	}
	live, err := NewLive(f, rule, []string{"node_modules", "*.tmp"})
	if err != nil {
		t.Fatal(err)
	}
	g := &guardedFolder{t, dir, live}
	g.write("rules.md", rules)
	g.write("sub/table.csv", "a,b\n1,2\n3,4\n")
	return g
}

func (g *guardedFolder) write(name, content string) {
	g.t.Helper()
	file := filepath.Join(g.dir, name)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		g.t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(content), 0o640); err != nil {
		g.t.Fatal(err)
	}
}

func (g *guardedFolder) read(name string) string {
	content, err := os.ReadFile(filepath.Join(g.dir, name))
	if err != nil {
		return err.Error()
	}
	return string(content)
}

// hook sends an event of a session, written "session Event" or "session Event Tool {input}", and returns the answer.
func (g *guardedFolder) hook(agent, event string) (a hookAnswer) {
	g.t.Helper()
	words := strings.SplitN(event, " ", 4)
	input := map[string]any{"session_id": words[0], "hook_event_name": words[1], "cwd": g.dir}
	if len(words) > 3 {
		input["tool_name"], input["tool_input"] = words[2], json.RawMessage(words[3])
	}
	text, err := json.Marshal(input)
	if err != nil {
		g.t.Fatal(err)
	}
	var out bytes.Buffer
	if err := g.live.Hook(g.t.Context(), agent, bytes.NewReader(text), &out); err != nil {
		g.t.Fatal(err)
	}
	if out.Len() > 0 {
		if err := json.Unmarshal(out.Bytes(), &a); err != nil {
			g.t.Fatalf("%v: %s", err, &out)
		}
	}
	return a
}

// inJSON is all that an answer says.
func inJSON(a hookAnswer) string {
	text, _ := json.Marshal(a) // only strings
	return string(text)
}

func TestAHookPutsBackWhatIsLost(t *testing.T) {
	t.Parallel()
	const document = "rules.md"
	for name, c := range map[string]struct {
		change func(g *guardedFolder) error
		loss   string // part of the reason; empty if the change stays
		want   string
	}{
		"nothing":      {func(*guardedFolder) error { return nil }, "", rules},
		"a growth":     {func(g *guardedFolder) error { g.write(document, grown); return nil }, "", grown},
		"other blanks": {func(g *guardedFolder) error { g.write(document, rules+"\n"); return nil }, "", rules + "\n"},
		"a cut":        {func(g *guardedFolder) error { g.write(document, cut); return nil }, "The crane takes two.", rules},
		"emptied":      {func(g *guardedFolder) error { return os.Truncate(filepath.Join(g.dir, document), 0) }, "Boats are tied up.", rules},
		"removed":      {func(g *guardedFolder) error { return os.Remove(filepath.Join(g.dir, document)) }, "Boats are tied up.", rules},
		"renamed over": {func(g *guardedFolder) error {
			g.write("new.tmp", cut)
			return os.Rename(filepath.Join(g.dir, "new.tmp"), filepath.Join(g.dir, document))
		}, "The crane takes two.", rules},
		"a link in its place": {func(g *guardedFolder) error {
			file := filepath.Join(g.dir, document)
			return cmpErr(os.Remove(file), os.Symlink("/etc/hostname", file))
		}, "Boats are tied up.", rules},
		"a folder in its place": {func(g *guardedFolder) error {
			file := filepath.Join(g.dir, document)
			return cmpErr(os.Remove(file), os.Mkdir(file, 0o755))
		}, "Boats are tied up.", rules},
		"same size and time": {func(g *guardedFolder) error {
			file := filepath.Join(g.dir, document)
			was, err := os.Stat(file)
			g.write(document, strings.Replace(rules, "The crane takes two.", strings.Repeat("\n", len("The crane takes two.")), 1))
			return cmpErr(err, os.Chtimes(file, was.ModTime(), was.ModTime()))
		}, "The crane takes two.", rules},
		"rights are taken": {func(g *guardedFolder) error {
			g.write(document, cut)
			return os.Chmod(filepath.Join(g.dir, document), 0o600)
		}, "The crane takes two.", rules},
	} {
		for _, agent := range Agents() {
			t.Run(name+" "+agent, func(t *testing.T) {
				t.Parallel()
				g := newGuarded(t, nil, []string{"lost"})
				if a := g.hook(agent, "s PreToolUse"); a != (hookAnswer{}) {
					t.Errorf("before: %s", inJSON(a))
				}
				g.settle()
				if err := c.change(g); err != nil {
					t.Fatal(err)
				}
				a := g.hook(agent, "s PostToolUse")
				if got := g.read(document); got != c.want {
					t.Errorf("the file holds %q", got)
				}
				if info, err := os.Stat(filepath.Join(g.dir, document)); err != nil || info.Mode() != 0o640 {
					t.Errorf("%v, %v", info.Mode(), err)
				}
				switch {
				case c.loss == "" && a != (hookAnswer{}):
					t.Errorf("answer: %s", inJSON(a))
				case c.loss != "" && (a.Decision != "block" || !strings.Contains(a.Reason, c.loss) || !strings.Contains(a.Reason, document) || !strings.Contains(a.Message, "guard undo 1")):
					t.Errorf("answer: %s", inJSON(a))
				}
				if a := g.hook(agent, "s PostToolUse"); a != (hookAnswer{}) {
					t.Errorf("the next event: %s", inJSON(a))
				}
			})
		}
	}
}

// settle says that all files have been as they are for long.
func (g *guardedFolder) settle() {
	g.t.Helper()
	was, there, err := g.live.store.load()
	if err != nil || !there {
		g.t.Fatal(there, err)
	}
	for name, k := range was.Files {
		k.Facts.Settled = true
		was.Files[name] = k
	}
	if err := g.live.store.save(was); err != nil {
		g.t.Fatal(err)
	}
}

func cmpErr(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// A step is an event, as hook takes it, or an edit "= text" of rules.md, or "undo N".
func TestWhoseChangesTheRuleHoldsFor(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		steps []string
		want  string
		told  string // the kind of the last answer: deny, block, context, message; empty for none
	}{
		"a person's edit between turns stays":         {[]string{"s PreToolUse", "s Stop", "= " + cut, "s PreToolUse"}, cut, ""},
		"a person's edit between sessions stays":      {[]string{"s PreToolUse", "s SessionEnd", "= " + cut, "t SessionStart"}, cut, ""},
		"an event without one before it":              {[]string{"= " + cut, "s PostToolUse"}, cut, "message"},
		"a tool that was not announced":               {[]string{"s PreToolUse", "s PostToolUse", "= " + cut, "s PostToolUse"}, rules, "block"},
		"a tool that failed":                          {[]string{"s PreToolUse", "= " + cut, "s PostToolUseFailure"}, rules, "context"},
		"a call that was killed":                      {[]string{"s PreToolUse", "= " + cut, "s PreToolUse"}, rules, "deny"},
		"a session that was killed":                   {[]string{"s PreToolUse", "= " + cut, "t SessionStart"}, rules, "context"},
		"another session's call":                      {[]string{"s PreToolUse", "t PreToolUse", "= " + cut, "t PostToolUse"}, rules, "block"},
		"another session ends its turn":               {[]string{"s PreToolUse", "t PreToolUse", "t Stop", "= " + cut, "t PreToolUse"}, rules, "deny"},
		"a background command, seen at the end":       {[]string{"s PreToolUse", "s PostToolUse", "= " + cut, "s Stop"}, rules, "block"},
		"after a refused end the turn goes on":        {[]string{"s PreToolUse", "= " + cut, "s Stop", "= " + cut, "s PreToolUse"}, rules, "deny"},
		"a sub-agent's end":                           {[]string{"s PreToolUse", "= " + cut, "s SubagentStop"}, rules, "block"},
		"the end of a session":                        {[]string{"s PreToolUse", "= " + cut, "s SessionEnd"}, rules, "message"},
		"an undo in a session is the person's":        {[]string{"s PreToolUse", "= " + cut, "s PostToolUse", "undo 1", "s PostToolUse"}, cut, ""},
		"a gain and then its loss":                    {[]string{"s PreToolUse", "= " + grown, "s PostToolUse", "= " + rules, "s PostToolUse"}, grown, "block"},
		"a call that is repeated after its refusal":   {[]string{"s PreToolUse", "= " + cut, "s PreToolUse", "s PreToolUse"}, rules, ""},
		"a tool's own edit goes on from the restored": {[]string{"s PreToolUse", "= " + cut, "s PostToolUse", "= " + grown, "s PostToolUse"}, grown, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := newGuarded(t, nil, []string{"lost"})
			var a hookAnswer
			for _, step := range c.steps {
				if text, edit := strings.CutPrefix(step, "= "); edit {
					g.write("rules.md", text)
				} else if _, undo := strings.CutPrefix(step, "undo "); undo {
					if _, err := g.live.folder.Undo(t.Context(), 1); err != nil {
						t.Fatal(err)
					}
				} else {
					a = g.hook(Claude, step)
				}
			}
			told := ""
			switch {
			case a.Specific != nil && a.Specific.Decision != "":
				told = a.Specific.Decision
			case a.Specific != nil && a.Specific.Context != "":
				told = "context"
			case a.Decision != "":
				told = a.Decision
			case a.Message != "":
				told = "message"
			}
			if got := g.read("rules.md"); got != c.want || told != c.told {
				t.Errorf("the file holds %q, want %q; the last answer is %q, want %q: %s", got, c.want, told, c.told, inJSON(a))
			}
		})
	}
}

func TestAWriteIsJudgedBeforeItIsMade(t *testing.T) {
	t.Parallel()
	write := func(name, text string) string {
		return fmt.Sprintf(`s PreToolUse Write {"file_path":"%%s/%s","content":%q}`, name, text)
	}
	for name, c := range map[string]struct {
		allow, deny []string
		event       string
		want        string // the decision
	}{
		"a loss":                         {nil, []string{"lost"}, write("rules.md", cut), "deny"},
		"a gain":                         {nil, []string{"lost"}, write("rules.md", grown), ""},
		"a gain that --allow names":      {[]string{"added"}, []string{"lost"}, write("rules.md", grown), "allow"},
		"one that --allow leaves open":   {[]string{"moved"}, []string{"lost"}, write("rules.md", grown), "ask"},
		"the same":                       {[]string{"added"}, nil, write("rules.md", rules), ""},
		"a replaced text":                {nil, []string{"lost"}, `s PreToolUse Edit {"file_path":"%s/rules.md","old_string":"\nThe crane takes two.\n","new_string":""}`, "deny"},
		"a text that is not there":       {nil, []string{"lost"}, `s PreToolUse Edit {"file_path":"%s/rules.md","old_string":"Cranes","new_string":""}`, ""},
		"a file elsewhere":               {nil, []string{"lost"}, `s PreToolUse Write {"file_path":"%s/../rules.md","content":""}`, ""},
		"a file read by its name":        {[]string{"added"}, nil, write(".envrc", "x\n"), ""},
		"a shell, which is not foreseen": {nil, []string{"lost"}, `s PreToolUse Bash {"command":"rm %s/rules.md"}`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := newGuarded(t, c.allow, c.deny)
			g.hook(Claude, "s SessionStart")
			a := g.hook(Claude, fmt.Sprintf(c.event, g.dir))
			got := ""
			if a.Specific != nil {
				got = a.Specific.Decision
			}
			if got != c.want || g.read("rules.md") != rules {
				t.Errorf("%q, want %q: %s", got, c.want, inJSON(a))
			}
			if c.want == "deny" && !strings.Contains(a.Specific.Reason, "The crane takes two.") {
				t.Errorf("the loss is not named: %s", inJSON(a))
			}
			if a := g.hook(Codex, fmt.Sprintf(c.event, g.dir)); a != (hookAnswer{}) {
				t.Errorf("Codex does not take this answer: %s", inJSON(a))
			}
		})
	}
}

// A file with two names is not put back, as only one of them would be. The agent is told, and every further call is refused, or asked
// about, until the file is mended.
func TestWhatCannotBePutBackIsTold(t *testing.T) {
	t.Parallel()
	g := newGuarded(t, nil, []string{"lost"})
	if err := os.Link(filepath.Join(g.dir, "rules.md"), filepath.Join(t.TempDir(), "other")); err != nil {
		t.Fatal(err)
	}
	g.hook(Claude, "s PreToolUse")
	g.write("rules.md", cut)
	a := g.hook(Claude, "s PostToolUse")
	_, kept, _ := strings.Cut(a.Reason, "is kept in ")
	kept, _, _ = strings.Cut(kept, ")")
	if content, err := os.ReadFile(kept); a.Decision != "block" || !strings.Contains(a.Reason, "hard links") || err != nil || string(content) != rules {
		t.Errorf("%s; the copy: %q, %v", inJSON(a), content, err)
	}
	for agent, want := range map[string]string{Claude: "ask", Codex: "deny"} {
		if a := g.hook(agent, "s PreToolUse"); a.Specific == nil || a.Specific.Decision != want {
			t.Errorf("%s: %s, want %s", agent, inJSON(a), want)
		}
	}
	g.write("rules.md", rules)
	if a := g.hook(Claude, "s PreToolUse"); a != (hookAnswer{}) {
		t.Errorf("once mended: %s", inJSON(a))
	}
}

func TestWhatIsNotLookedAt(t *testing.T) {
	t.Parallel()
	g := newGuarded(t, nil, []string{"lost"})
	names := []string{"node_modules/x/README.md", "sub/notes.tmp", ".git/notes.md"}
	for _, name := range names {
		g.write(name, rules)
	}
	g.hook(Claude, "s PreToolUse")
	for _, name := range names {
		g.write(name, cut)
	}
	if a := g.hook(Claude, "s PostToolUse"); a != (hookAnswer{}) {
		t.Error(inJSON(a))
	}
	if _, err := NewLive(g.live.folder, Rule{}, []string{"["}); !errors.As(err, new(usage.Error)) {
		t.Error(err)
	}
}

func TestAnEventThatIsNoneIsRefused(t *testing.T) {
	t.Parallel()
	g := newGuarded(t, nil, []string{"lost"})
	for _, text := range []string{"", "{", "[]", "{}", `{"hook_event_name": 3}`} {
		var out bytes.Buffer
		if err := g.live.Hook(t.Context(), Claude, strings.NewReader(text), &out); !errors.As(err, new(usage.Error)) || out.Len() > 0 {
			t.Errorf("%q: %v, %s", text, err, &out)
		}
	}
}

// Calls of several agents at the same time: each loss is put back, and no call sees a half-written snapshot.
func TestHooksAtTheSameTime(t *testing.T) {
	t.Parallel()
	g := newGuarded(t, nil, []string{"lost"})
	g.hook(Claude, "s PreToolUse")
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			f, err := Open(t.Context(), g.dir, filepath.Dir(g.live.folder.log))
			if err != nil {
				t.Error(err)
				return
			}
			live, err := NewLive(f, g.live.rule, nil)
			if err != nil {
				t.Error(err)
				return
			}
			mine := &guardedFolder{t, g.dir, live}
			name := fmt.Sprintf("%d.md", i)
			mine.write(name, rules)
			mine.hook(Claude, "s PostToolUse")
			mine.write(name, cut)
			mine.hook(Claude, "s PostToolUse")
			if got := mine.read(name); got != rules {
				t.Errorf("%s holds %q", name, got)
			}
		})
	}
	all.Wait()
}

func TestWatch(t *testing.T) {
	t.Parallel()
	g := newGuarded(t, nil, []string{"lost"})
	ctx, end := context.WithCancel(t.Context())
	var mu sync.Mutex
	var told []string
	texts := func() string { mu.Lock(); defer mu.Unlock(); return strings.Join(told, "\n") }
	ended := make(chan error, 1)
	go func() {
		// What changes right after it is ready is a change.
		ready := func() error { g.write("rules.md", cut); return nil }
		ended <- g.live.Watch(ctx, time.Millisecond, 5*time.Millisecond, ready, func(f Finding) error {
			mu.Lock()
			defer mu.Unlock()
			told = append(told, f.String())
			return nil
		})
	}()
	eventually.Holds(t, "a cut is put back", func() bool { return g.read("rules.md") == rules && strings.Contains(texts(), "The crane takes two.") })
	g.write("rules.md", grown)
	eventually.Holds(t, "a growth is taken", func() bool {
		was, _, err := g.live.store.load()
		return err == nil && was.Files["rules.md"].Sum == sumOf(grown)
	})
	g.write("sub/table.csv", "a,b\n1,2\n")
	end()
	if err := <-ended; err != nil || !strings.Contains(texts(), "sub/table.csv") || g.read("sub/table.csv") != "a,b\n1,2\n3,4\n" {
		t.Errorf("the last look: %v, %s", err, texts())
	}
	if g.read("rules.md") != grown || strings.Count(texts(), "rules.md") != 1 {
		t.Errorf("%q, %s", g.read("rules.md"), texts())
	}
}

func TestSettingsKeepWhatIsThere(t *testing.T) {
	t.Parallel()
	for _, agent := range Agents() {
		hooks, err := Settings(agent, "agentd guard hook "+agent)
		if err != nil {
			t.Fatal(err)
		}
		for was, keys := range map[string]int{"": 1, "{}": 1, " {\n\t\"b\": 1.0, \"a\": 2}\n": 3} {
			is, err := Installed([]byte(was), hooks)
			var all map[string]json.RawMessage
			_, rest, _ := strings.Cut(was, "{")
			if err != nil || json.Unmarshal(is, &all) != nil || len(all) != keys || !strings.HasSuffix(string(is), rest) {
				t.Errorf("%s in %q: %v\n%s", agent, was, err, is)
			}
			var events map[string][]struct{ Hooks []struct{ Command string } }
			if json.Unmarshal(all["hooks"], &events) != nil || len(events) != len(HookEvents(agent)) || events["PostToolUse"][0].Hooks[0].Command == "" {
				t.Errorf("%s: %s", agent, all["hooks"])
			}
		}
		for _, was := range []string{"[]", "{", `{"hooks": {}}`} {
			if _, err := Installed([]byte(was), hooks); err == nil {
				t.Errorf("%q is changed", was)
			}
		}
	}
}

// BenchmarkHook is an event of a folder of 200 documents of some 4 kB: nothing has changed, one has changed, and one is put back.
func BenchmarkHook(b *testing.B) {
	const documents = 200
	dir := b.TempDir()
	text := strings.Repeat(rules+"\n", 80)
	for i := range documents {
		name := filepath.Join(dir, fmt.Sprintf("%03d.md", i))
		if i%2 == 1 {
			name = filepath.Join(dir, fmt.Sprintf("%03d.csv", i))
			text = strings.Repeat("a,b,c,d\n1,2,3,4\n", 250)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			b.Fatal(err)
		}
	}
	f, err := Open(b.Context(), dir, b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	rule, err := NewRule(nil, []string{"lost"})
	if err != nil {
		b.Fatal(err)
	}
	live, err := NewLive(f, rule, nil)
	if err != nil {
		b.Fatal(err)
	}
	call := func(event string) string {
		var out bytes.Buffer
		if err := live.Hook(b.Context(), Claude, strings.NewReader(`{"session_id":"s","hook_event_name":"`+event+`"}`), &out); err != nil {
			b.Fatal(err)
		}
		return out.String()
	}
	time.Sleep(settling) // files that were just written are read again
	call("PreToolUse")
	document := filepath.Join(dir, "000.md")
	whole, err := os.ReadFile(document)
	if err != nil {
		b.Fatal(err)
	}
	for name, content := range map[string]func(i int) string{
		"same":    nil,
		"changed": func(i int) string { return string(whole) + strings.Repeat("\nMore.\n", i) },
		"lost":    func(int) string { return string(whole[:len(whole)/2]) },
	} {
		b.Run(name, func(b *testing.B) {
			if err := os.WriteFile(document, whole, 0o644); err != nil {
				b.Fatal(err)
			}
			if err := live.Take(b.Context()); err != nil {
				b.Fatal(err)
			}
			for i := range b.N {
				if content != nil {
					b.StopTimer()
					if err := os.WriteFile(document, []byte(content(i+1)), 0o644); err != nil {
						b.Fatal(err)
					}
					b.StartTimer()
				}
				if answer := call("PostToolUse"); strings.Contains(answer, "block") != (name == "lost") {
					b.Fatal(answer)
				}
			}
		})
	}
}
