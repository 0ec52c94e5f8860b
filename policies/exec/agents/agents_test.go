package agents

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestBuiltInPresetsAreWhole(t *testing.T) {
	t.Parallel()
	all, err := All()
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 9 {
		t.Errorf("there are %d presets", len(all))
	}
	for _, p := range all {
		found, err := Find(p.Name)
		if err != nil || found.Text() != p.Text() || !strings.Contains(p.Text(), "summary: "+p.Summary) {
			t.Errorf("%s: found %q, %v", p.Name, found.Name, err)
		}
		for _, used := range []string{"AGENTD_PROMPT", "1>&2"} {
			if !strings.Contains(p.Run, used) {
				t.Errorf("%s does not use %s", p.Name, used)
			}
		}
		if knows := strings.Contains(p.Run, "AGENTD_MCP_URL"); knows != (len(p.Tools) == len(ToolSets())) {
			t.Errorf("%s names the tools %v, and its script uses the MCP server: %v", p.Name, p.Tools, knows)
		}
	}
	var none *UnknownError
	if _, err := Find("nobody"); !errors.As(err, &none) || len(none.Known) != len(all) {
		t.Errorf("an agent that does not exist: %v", err)
	}
}

// mine is a preset of a user's.
const mine = `
version: 1.2.3
summary: a test
protocol: chat
install: {npm: ["thing@{version}"]}
bundle: [{from: "node_modules/th*/agent", to: bin/agent, executable: true}, {from: node_modules, to: more}]
leave_out: [more/thing/large]
tools: [own]
run: |
  #!/bin/sh
  exec /agent/bin/agent "$AGENTD_PROMPT"
`

func TestWhatIsWrongWithAPreset(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ old, fresh, says string }{
		"no version":          {"version: 1.2.3", "version: ''", "version"},
		"a version of words":  {"version: 1.2.3", "version: ../latest", "version"},
		"unpinned":            {"thing@{version}", "thing", "has no version"},
		"an option":           {"thing@{version}", "--thing=1", "has no version"},
		"no package":          {`npm: ["thing@{version}"]`, "npm: []", "names no package"},
		"a protocol":          {"protocol: chat", "protocol: smoke", "protocol"},
		"out of the folder":   {"to: more", "to: ../more", "inside"},
		"an absolute path":    {"to: more", "to: /more", "inside"},
		"leaves out others'":  {"more/thing/large", "../large", "leave_out"},
		"unknown tools":       {"tools: [own]", "tools: [hammer]", "hammer"},
		"no tools":            {"tools: [own]", "tools: []", "tools"},
		"no script":           {"#!/bin/sh", "echo", "begins with #!"},
		"a Python of words":   {`npm: ["thing@{version}"]`, `pip: ["thing==1"], python: new`, "python"},
		"a Python for nobody": {`npm: ["thing@{version}"]`, `npm: ["thing@1"], python: "3.12"`, "python"},
		"built with options":  {`npm: ["thing@{version}"]`, `pip: ["thing==1"], from_source: [--all]`, "from_source"},
		"a member it has not": {"summary", "sumary", "sumary"},
	} {
		text := strings.Replace(mine, c.old, c.fresh, 1)
		if _, err := read("mine.yaml", []byte(text)); text == mine || err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := read("mine.yaml", []byte(mine)); err != nil {
		t.Error(err)
	}
	if _, err := read("My Own.yaml", []byte(mine)); err == nil {
		t.Error("a name with blanks was taken")
	}
}

// npm plays the program of that name: it makes a package and counts how often it was run.
const npm = `#!/bin/sh
[ "$1 $2" = "install --prefix" ] || exit 3
for last; do :; done
echo "fetching $last"
[ "$last" = thing@1.2.3 ] || { echo "no such version"; exit 1; }
echo x >> "$COUNT"
mkdir -p "$3/node_modules/thing/large"
echo '#!/bin/sh' > "$3/node_modules/thing/agent"
cat > "$3/package-lock.json" <<END
{"packages": {"": {"name": "top"}, "node_modules/thing": {"version": "1.2.3", "integrity": "sha512-a"},
"node_modules/thing/node_modules/@scope/part": {"version": "$PART", "integrity": "sha512-b"}}}
END
chmod 700 "$3/node_modules/thing/agent"
echo text > "$3/node_modules/thing/large/file"
echo kept > "$3/node_modules/thing/kept"
`

func TestInstalling(t *testing.T) { // not in parallel: it has an npm of its own
	dir := t.TempDir()
	count := filepath.Join(dir, "count")
	for name, text := range map[string]string{"npm": npm, "mine.yaml": mine} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
	t.Setenv("COUNT", count)
	t.Setenv("PART", "2.0.0")
	ctx, file := context.Background(), filepath.Join(dir, "mine.yaml")
	store := Store{filepath.Join(dir, "store")}
	preset := find(t, file)

	var missing *NotInstalledError
	if _, err := store.Open(preset); !errors.As(err, &missing) || !strings.Contains(err.Error(), "agentd agents install "+file) {
		t.Fatalf("before: %v", err)
	}
	first, err := store.Install(ctx, preset, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	b, err := store.Open(preset)
	if err != nil {
		t.Fatal(err)
	}
	if b.Hash != first.Hash || first.Version != "1.2.3" {
		t.Errorf("opened %s, installed %+v", b.Hash, first)
	}
	if want := []string{"npm @scope/part@2.0.0 sha512-b", "npm thing@1.2.3 sha512-a"}; !slices.Equal(first.Packages, want) {
		t.Errorf("installed %q, want %q", first.Packages, want)
	}
	for name, mode := range map[string]os.FileMode{"packages": 0o644, "bin/agent": 0o755, "more/thing/kept": 0o644, "run": 0o755} {
		if info, err := os.Stat(filepath.Join(b.Folder, name)); err != nil || info.Mode().Perm() != mode {
			t.Errorf("%s: %v, %v", name, info, err)
		}
	}
	if _, err := os.Stat(filepath.Join(b.Folder, "more/thing/large")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("what is left out is there: %v", err)
	}
	if err := b.Close(); err != nil {
		t.Error(err)
	}

	// Another script is another bundle, of the same packages.
	if err := os.WriteFile(file, []byte(strings.Replace(mine, "exec /agent", "exec nice /agent", 1)), 0o644); err != nil {
		t.Fatal(err)
	}
	changed := find(t, file)
	if _, err := store.Open(changed); !errors.As(err, &missing) || !missing.Changed {
		t.Errorf("with another script: %v", err)
	}
	second, err := store.Install(ctx, changed, io.Discard)
	if err != nil || second.Hash == first.Hash || second.PackagesHash() != first.PackagesHash() {
		t.Errorf("with another script: %v, hash %s", err, second.Hash)
	}
	if runs, _ := os.ReadFile(count); string(runs) != "x\n" {
		t.Errorf("npm was run %d times", len(runs)/2)
	}

	// What was tampered with is not run, and is fetched again.
	if err := os.WriteFile(filepath.Join(store.folder(changed), bundleFolder, "bin/agent"), []byte("other"), 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := store.Open(changed); err == nil || !strings.Contains(err.Error(), "has changed since it was installed") {
		t.Errorf("with another program: %v", err)
	}
	if third, err := store.Install(ctx, changed, io.Discard); err != nil || third.Hash != second.Hash {
		t.Errorf("again: %v, hash %s, was %s", err, third.Hash, second.Hash)
	}
	if runs, _ := os.ReadFile(count); string(runs) != "x\nx\n" {
		t.Errorf("npm was run %d times", len(runs)/2)
	}

	// Another version of a package that the agent depends on is another agent, also where
	// nothing of it is in the bundle.
	if err := os.RemoveAll(store.folder(changed)); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PART", "2.0.1")
	if fourth, err := store.Install(ctx, changed, io.Discard); err != nil || fourth.Hash == second.Hash || fourth.PackagesHash() == second.PackagesHash() {
		t.Errorf("with another package: %v, hash %s, was %s", err, fourth.Hash, second.Hash)
	}

	// A version that there is not leaves nothing behind.
	other, err := changed.At("9.9.9")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := store.Install(ctx, other, io.Discard); err == nil || !strings.Contains(err.Error(), "no such version") {
		t.Errorf("a version that there is not: %v", err)
	}
	if left, err := os.ReadDir(store.Dir); err != nil || len(left) != 1 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

func find(t *testing.T, file string) Preset {
	t.Helper()
	p, err := Find(file)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// What pip says of an installation is read as it is, with its dependencies.
func TestThePackagesOfPip(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	report := `{"version": "1", "install": [
{"metadata": {"name": "thing", "version": "1.0"}, "download_info": {"url": "https://x", "archive_info": {"hash": "sha256=ab", "hashes": {"sha256": "ab"}}}},
{"metadata": {"name": "another", "version": "0.3"}, "download_info": {"url": "https://x", "archive_info": {}}}]}`
	if err := os.WriteFile(filepath.Join(dir, pipReport), []byte(report), 0o644); err != nil {
		t.Fatal(err)
	}
	got, err := packages(dir)
	if want := []string{"pip another==0.3", "pip thing==1.0 sha256-ab"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%q, %v, want %q", got, err, want)
	}
	if err := os.WriteFile(filepath.Join(dir, npmLock), []byte("{"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := packages(dir); err == nil || !strings.Contains(err.Error(), "which packages") {
		t.Errorf("a lock file that cannot be read: %v", err)
	}
}
