package exec

import (
	"strings"
	"testing"
)

// A command that asks for what is not here and gets nothing done fails, and the failure
// names the route. One that goes on without it is told of in the complaint.
func TestUnknownRoutesAreNamed(t *testing.T) {
	t.Parallel()
	const lost = `
try:
    urllib.request.urlopen(urllib.request.Request(os.environ["OPENAI_BASE_URL"] + "/nowhere", b"{}"))
except urllib.error.HTTPError as e:
    assert e.code == 404, e.code
`
	for name, c := range map[string]struct {
		program string
		fails   bool
	}{
		"and nothing else":       {lost, true},
		"and then fails":         {lost + "ask()\nsys.exit(3)\n", true},
		"and then does its work": {lost + "ask()\n", false},
	} {
		task, err := edit(t, &model{}, python("import os, sys, urllib.request, urllib.error\n"+c.program), nil)
		complaint := ""
		if task.Trace.Complaint != nil {
			complaint = *task.Trace.Complaint
		}
		const route = "POST /v1/nowhere"
		if (err != nil) != c.fails || c.fails && !strings.Contains(err.Error(), route) || !strings.Contains(complaint, route) {
			t.Errorf("%s: %v; complaint %q", name, err, complaint)
		}
	}
}
