package plain

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestMembersKeepTheirOrder(t *testing.T) {
	t.Parallel()
	all := []Members{{{"z", "1"}, {"a", `<b> & "c"`}, {"z", ""}}, {}}
	text, err := JSONArray(all)
	want := "[\n  {\"z\":\"1\",\"a\":\"<b> & \\\"c\\\"\",\"z\":\"\"},\n  {}\n]\n"
	if err != nil || text != want {
		t.Errorf("%s (%v), want %s", text, err, want)
	}
	var again []Members
	if err := json.Unmarshal([]byte(text), &again); err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff([]Members{all[0], nil}, again); diff != "" {
		t.Error(diff)
	}
	for text, want := range map[string]string{`["z"]`: "not an object", `{"z": 1}`: "z: "} {
		var m Members
		if err := json.Unmarshal([]byte(text), &m); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", text, err, want)
		}
	}
}
