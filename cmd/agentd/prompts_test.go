package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rs/zerolog"

	"agentd/harness/experiment"
	"agentd/harness/fleet"
	"agentd/harness/fleet/process"
	"agentd/models"
	"agentd/policies/prompt/published"
	"agentd/policies/prompt/published/publishedtest"
	"agentd/results"
)

// mirror serves files by their paths.
func mirror(t *testing.T, files map[string]string) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		content, ok := files[strings.TrimPrefix(r.URL.Path, "/")]
		if !ok {
			http.NotFound(w, r)
			return
		}
		http.ServeContent(w, r, "x", time.Time{}, strings.NewReader(content))
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// Published prompts are pulled, measured with, and known to a worker that has none of
// the files.
func TestPublishedPromptsArePulledAndUsed(t *testing.T) {
	t.Parallel()
	release, files := publishedtest.Release()
	release.URL = mirror(t, files)
	dir := filepath.Join(t.TempDir(), "words")
	for _, how := range []string{"downloaded", "there already"} {
		var out bytes.Buffer
		if err := release.Fetch(t.Context(), &out, dir); err != nil {
			t.Fatal(err)
		}
		for _, says := range []string{"model_agentic.py", "microsoft/delegate52 at 0000000", "MIT licence", "agentd run --prompts published:" + dir} {
			if !strings.Contains(out.String(), says) || strings.Count(out.String(), " bytes, "+how+"\n") != len(files) {
				t.Errorf("%s: says nothing of %q: %s", how, says, &out)
			}
		}
	}
	store, err := results.Open(filepath.Join(t.TempDir(), "x.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	record := measureWith(t, store, release, dir)
	texts, err := release.Texts(dir)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{}
	for name, text := range texts {
		sum := sha256.Sum256([]byte(text))
		want[name] = hex.EncodeToString(sum[:])
	}
	if diff := cmp.Diff(want, record.Manifest.Prompts); diff != "" {
		t.Errorf("the manifest's prompts: %s", diff)
	}
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	m := experiment.DefaultMachine()
	worker, err := process.Reopen(t.Context(), store, record, m.Opening())
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := worker.Close(); err != nil {
			t.Error(err)
		}
	}()
	if different := record.Manifest.Differences(worker.Manifest); different != nil {
		t.Errorf("a worker's manifest differs in %v", different)
	}
}

// measureWith has the perfect stand-in work with the published prompts of a folder. It
// must understand them: every round trip gives the seed back.
func measureWith(t *testing.T, store *results.Store, release published.Release, dir string) results.Experiment {
	t.Helper()
	spec, m := experiment.Default(), experiment.DefaultMachine()
	spec.Name, spec.Release, spec.Prompts = "words", release, "published:"+dir
	spec.Models = experiment.AllNamed([]string{"sim:perfect"}, models.Spec{})
	spec.Judge.Model = &spec.Models[0]
	spec.Environments.Names = []string{"accounting1", "fiction1", "image1", "python1", "subtitles1"}
	spec.Relay.RoundTrips = 1
	options := m.Opening()
	options.Limiter, options.Judgements = fleet.Rates{Store: store}, store
	x, err := experiment.Open(t.Context(), spec, options)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := x.Close(); err != nil {
			t.Error(err)
		}
	}()
	work, err := fleet.New(t.Context(), store, fleet.Options{
		Concurrency: 2, Grace: m.Grace, TakeOver: m.TakeOverAfter, Log: zerolog.Nop(),
		Stored: func(relay results.Relay, in *results.Interaction) {
			if in.Failure != "" || in.Score != nil && in.Score.RS != 1 {
				t.Errorf("%s, %s, interaction %d: %+v, %s %s", relay.Policy, relay.Environment, in.Number, in.Score, in.Failure, in.Detail)
			}
		},
		Failed: func(results.Relay, error) fleet.Verdict { return fleet.Stop },
	})
	if err != nil {
		t.Fatal(err)
	}
	record, err := work.Begin(t.Context(), x.Experiment, nil, false)
	if err != nil {
		t.Fatal(err)
	}
	if err := work.Finish(t.Context(), t.Context(), record); err != nil {
		t.Fatal(err)
	}
	return record
}

// What the command itself takes is what the paper's program has, with any server.
func TestPromptsOfAnotherHashAreRefused(t *testing.T) {
	t.Parallel()
	_, files := publishedtest.Release()
	for name, c := range map[string]struct {
		files map[string]string
		args  []string
		says  string
	}{
		"other words":    {files, nil, "prompts/domain_documents.txt: wrong file: "},
		"no such folder": {nil, nil, "prompts/domain_documents.txt: the server does not serve the file: it answered 404"},
	} {
		dir := filepath.Join(t.TempDir(), "words")
		pull := exec.Command("agentd", "prompts", "pull", "--url", mirror(t, c.files)+"/", "--to", dir)
		out, _ := pull.CombinedOutput() // its status is looked at
		if status := pull.ProcessState.ExitCode(); status != exitWorkFailed || !strings.Contains(string(out), c.says) {
			t.Errorf("%s: exit status %d, want %d with %q: %s", name, status, exitWorkFailed, c.says, out)
		}
		run := exec.Command("agentd", "run", "--prompts", "published:"+dir, "--dry-run")
		out, _ = run.CombinedOutput() // its status is looked at
		if status := run.ProcessState.ExitCode(); status != exitUsage || !strings.Contains(string(out), "fetch them with: agentd prompts pull --to "+dir) {
			t.Errorf("%s, then run: exit status %d, want %d: %s", name, status, exitUsage, out)
		}
	}
}

// Prompts that would not be used are wrong usage, before anything is done.
func TestAPromptsFolderThatReplacesNothingIsWrongUsage(t *testing.T) {
	t.Parallel()
	for name, files := range map[string]map[string]string{
		"no prompts":      {},
		"unknown prompts": {"direct/documents.txt": "x"},
	} {
		dir := publishedtest.Folder(t, files)
		for _, args := range [][]string{{"--prompts", dir}, {"--policy", "direct(prompts=" + dir + ")"}} {
			run := exec.Command("agentd", slices.Concat([]string{"run", "--db", filepath.Join(dir, "x.db")}, args)...)
			out, _ := run.CombinedOutput() // its status is looked at
			if status := run.ProcessState.ExitCode(); status != exitUsage {
				t.Errorf("%s, %s: exit status %d, want %d: %s", name, args[0], status, exitUsage, out)
			}
		}
		if _, err := os.Stat(filepath.Join(dir, "x.db")); err == nil {
			t.Errorf("%s: a database was made", name)
		}
	}
}
