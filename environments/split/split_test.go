package split

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentd/domains"
	"agentd/environments"
)

const whole = "Convert `a.ledger` to b.csv for Ms Virtanen by 3 May: amounts over $1,000.00 get a star. Keep DTEND."

func TestOnlyFaithfulMessagesAreTaken(t *testing.T) {
	t.Parallel()
	good := []string{"Please convert `a.ledger` to b.csv.", "It is for Ms Virtanen, by 3 May.", "Amounts over $1,000.00 get a star, and keep DTEND."}
	for name, c := range map[string]struct {
		messages []string
		wrong    string
	}{
		"faithful":             {good, ""},
		"one message":          {[]string{whole}, "1 messages"},
		"too many":             {strings.Split(whole, " ")[:6], "6 messages"},
		"an empty message":     {[]string{whole, " "}, "message 2 says nothing"},
		"a quoted text lost":   {[]string{"Convert the ledger.", "To b.csv, for Ms Virtanen, 3 May, over $1,000.00, DTEND."}, "lost \"`a.ledger`\""},
		"a file name lost":     {[]string{"Convert `a.ledger`.", "For Ms Virtanen, 3 May, over $1,000.00, DTEND."}, `lost "b.csv"`},
		"a number lost":        {[]string{"Convert `a.ledger` to b.csv for Ms Virtanen.", "Over $1,000.00 a star, DTEND, in May."}, `lost "3"`},
		"a figure changed":     {[]string{"Convert `a.ledger` to b.csv for Ms Virtanen.", "Over $1,000 a star, DTEND, by 3 May."}, `lost "1,000.00"`},
		"a name lost":          {[]string{"Convert `a.ledger` to b.csv.", "Over $1,000.00 a star, DTEND, by 3 May for Ms V."}, `lost "Virtanen"`},
		"a word in caps lost":  {[]string{"Convert `a.ledger` to b.csv for Ms Virtanen.", "Over $1,000.00 a star, by 3 May."}, `lost "DTEND"`},
		"a number added":       {append([]string{"2 things."}, good...), `added "2"`},
		"a file name added":    {append([]string{"See c.csv."}, good...), `added "c.csv"`},
		"a quoted text added":  {append([]string{"See `c`."}, good...), "added \"`c`\""},
		"capitals that differ": {append([]string{"Hello Anna,"}, good...), ""},
	} {
		raw, err := json.Marshal(map[string]any{"messages": c.messages})
		if err != nil {
			t.Fatal(err)
		}
		var answer map[string]any
		if err := json.Unmarshal(raw, &answer); err != nil {
			t.Fatal(err)
		}
		got, err := read(answer, whole)
		if c.wrong == "" {
			if err != nil || cmp.Diff(c.messages, got) != "" {
				t.Errorf("%s: %v %q", name, err, got)
			}
		} else if err == nil || !strings.Contains(err.Error(), c.wrong) {
			t.Errorf("%s: %v, want %q", name, err, c.wrong)
		}
	}
}

func TestAnEnvironmentIsSplit(t *testing.T) {
	t.Parallel()
	env := environments.Environment{Name: "e1", Edits: []environments.Edit{
		{Name: "x", Forward: "One. Two.", Backward: "Refuse."},
		{Name: "y", Forward: "Has parts.", Backward: "Three. Four.", Parts: environments.Parts{Forward: []string{"Has", "parts."}}},
	}}
	asked := 0
	ask := func(prompt string, accept func(map[string]any) error) (map[string]any, error) {
		asked++
		if strings.Contains(prompt, "Refuse.") {
			return nil, fmt.Errorf("%w: no", domains.ErrNoAnswer)
		}
		messages := []any{"one", "two"}
		answer := map[string]any{"messages": messages}
		return answer, accept(answer)
	}
	got, became, err := Environment(env, ask)
	if err != nil {
		t.Fatal(err)
	}
	want := []environments.Parts{{Forward: []string{"one", "two"}}, {Forward: []string{"Has", "parts."}, Backward: []string{"one", "two"}}}
	if diff := cmp.Diff(want, []environments.Parts{got.Edits[0].Parts, got.Edits[1].Parts}); diff != "" {
		t.Error(diff)
	}
	if asked != 3 || len(became) != 4 || became[1].Messages != 1 || became[1].Why == "" || became[2].Messages != 2 {
		t.Errorf("asked %d times: %+v", asked, became)
	}
	if !env.Edits[0].Parts.IsZero() {
		t.Error("the environment given was changed")
	}
	broken := errors.New("no server")
	if _, _, err := Environment(env, func(string, func(map[string]any) error) (map[string]any, error) { return nil, broken }); !errors.Is(err, broken) {
		t.Errorf("an error of the server: %v", err)
	}
}
