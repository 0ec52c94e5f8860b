package domains_test

import (
	"strings"
	"testing"

	"agentd/domains"
	"agentd/vfs"
)

func TestParametersAreAllGivenAndNoOthers(t *testing.T) {
	t.Parallel()
	edit := domains.Taking("cut", func(p struct {
		To    string
		Most  int `json:"most,omitempty"`
		Kinds []struct {
			Name  string
			Words []string
		} `json:"kinds,omitempty"`
		By map[string]struct{ Least int } `json:"by,omitempty"`
	}) domains.Steps {
		made := func(vfs.Files) (vfs.Files, error) {
			return vfs.Files{p.To: strings.Repeat("x", p.Most)}, nil
		}
		return domains.Steps{Forward: made, Backward: made}
	})
	for parameters, want := range map[string]string{
		`{"to": "a", "most": 2}`:  "",
		`{"to": "a"}`:             "",
		``:                        "oracle cut: its parameters are missing",
		`{"most": 2}`:             "oracle cut: to must be set",
		`{"to": null}`:            "oracle cut: to must be set",
		`{"to": "a", "least": 1}`: `oracle cut: unknown field "least"`,
		`{"to": "a", "kinds": [{"name": "b", "words": ["c"]}], "by": {"d": {"least": 1}}}`: "",
		`{"to": "a", "kinds": [{"name": "b", "words": []}, {"name": "b"}]}`:                "oracle cut: kinds, 2, words must be set",
		`{"to": "a", "kinds": [null]}`:                                                     "oracle cut: kinds, 1, name must be set",
		`{"to": "a", "kinds": [{"name": "b", "words": ["c"], "e": 1}]}`:                    `oracle cut: unknown field "e"`,
		`{"to": "a", "by": {"d": {}}}`:                                                     "oracle cut: by, d, least must be set",
		`{"to": 3}`:                                                                        "oracle cut: cannot unmarshal number",
	} {
		made, err := edit.With(parameters)
		switch {
		case want != "" && (err == nil || !strings.HasPrefix(err.Error(), want)):
			t.Errorf("%s: error %v, want %s", parameters, err, want)
		case want == "" && err != nil:
			t.Errorf("%s: %v", parameters, err)
		case want == "":
			if files, _ := made.Forward(nil); len(files) != 1 || made.Name != "cut" {
				t.Errorf("%s: %s makes %v", parameters, made.Name, files)
			}
		}
	}
}
