package pairs_test

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"testing"

	"agentd/domains/catalog"
	"agentd/harness/pairs"
)

// A program that sends a pair and waits for its score gets it before it sends the next one.
func TestEachPairIsAnsweredBeforeTheNextIsRead(t *testing.T) {
	t.Parallel()
	in, send := io.Pipe()
	receive, out := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		s := pairs.Scorer{Find: catalog.Lookup}
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
