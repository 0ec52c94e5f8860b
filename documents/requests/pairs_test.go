package requests_test

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"agentd/documents/requests"
	"agentd/domains/catalog"
	"agentd/internal/usage"
)

// A program that sends a pair and waits for its score gets it before it sends the next one.
func TestEachPairIsAnsweredBeforeTheNextIsRead(t *testing.T) {
	t.Parallel()
	in, send := io.Pipe()
	receive, out := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		s := requests.Scorer{Find: catalog.Lookup}
		_, err := s.Score(t.Context(), "a pipe", in, out)
		out.Close()
		ended <- err
	}()
	answers := bufio.NewScanner(receive)
	for i := range 3 {
		fmt.Fprintf(send, `{"id": "%d", "domain": "spreadsheet", "reference": {"a.csv": "x,y\n1,2\n"}, "candidate": {"a.csv": "x,y\n1,2\n"}}`+"\n", i)
		if !answers.Scan() {
			t.Fatalf("no answer to pair %d: %v", i, answers.Err())
		}
		if want := fmt.Sprintf(`"id":"%d"`, i); !strings.Contains(answers.Text(), want) {
			t.Errorf("the answer is %s, without %s", answers.Text(), want)
		}
	}
	send.Close()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

const cues = "1\n00:00:01,000 --> 00:00:02,000\nOne\n\n2\n00:00:03,000 --> 00:00:04,000\nTwo\n"

func TestAPairOfPaths(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	file := write("a/one.srt", cues)
	half := write("b/one.srt", cues[:strings.Index(cues, "\n\n")+1])
	unread := write("c/one.srt", "no cues")
	s := requests.Scorer{Find: catalog.Lookup}
	for name, c := range map[string]struct {
		paths requests.Paths
		whole bool
	}{
		"a file with itself":    {requests.Paths{Reference: file, Candidate: file}, true},
		"a folder and its file": {requests.Paths{Reference: filepath.Dir(file), Candidate: file}, true},
		"half of it":            {requests.Paths{Reference: file, Candidate: half}, false},
	} {
		scored, err := s.ScorePaths("subtitles", c.paths)
		if err != nil || (scored.Strict == 1) != c.whole || (len(scored.Differences) == 0) != c.whole || scored.Domain != "subtitles" {
			t.Errorf("%s: %+v, %v", name, scored, err)
		}
	}
	var wrong usage.Error
	for name, c := range map[string]struct{ domain, reference, candidate, scaffold, want string }{
		"no domain":                {"subtitle", file, file, "", "unknown domain"},
		"no reference":             {"subtitles", file + "x", file, "", "reading documents"},
		"no candidate":             {"subtitles", file, file + "x", "", "reading documents"},
		"no scaffold":              {"subtitles", file, file, file + "x", "reading documents"},
		"a reference without cues": {"subtitles", unread, file, "", "--reference " + unread},
	} {
		_, err := s.ScorePaths(c.domain, requests.Paths{Reference: c.reference, Candidate: c.candidate, Scaffold: c.scaffold})
		if !errors.As(err, &wrong) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", name, err, c.want)
		}
	}
}
