package direct

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentd/vfs"
)

func TestAnswersAreReadBack(t *testing.T) {
	t.Parallel()
	targets := []string{"*.ledger", "order.csv"}
	for name, c := range map[string]struct {
		answer  string
		want    vfs.Files
		foreign []string
	}{
		"as asked": {"Here you are.\n\n```food.ledger\na\n```\n\n```order.csv\nb\n```\n",
			vfs.Files{"food.ledger": "a\n", "order.csv": "b\n"}, nil},
		"a longer fence holds shorter ones": {"````food.ledger\n```\ninner\n```\n````",
			vfs.Files{"food.ledger": "```\ninner\n```\n"}, nil},
		"bare fence, name on the next line": {"```\nfood.ledger\na\n```", vfs.Files{"food.ledger": "a\n"}, nil},
		"language word, name on next line":  {"```csv\norder.csv\na,b\n```", vfs.Files{"order.csv": "a,b\n"}, nil},
		"language word before the name":     {"```csv order.csv\na,b\n```", vfs.Files{"order.csv": "a,b\n"}, nil},
		"name on the line before":           {"**order.csv**\n\n```csv\na,b\n```", vfs.Files{"order.csv": "a,b\n"}, nil},
		"name in prose before":              {"Here is `order.csv`:\n```\na,b\n```", vfs.Files{"order.csv": "a,b\n"}, nil},
		"file_name tags":                    {"```<file_name>order.csv</file_name>\na\n```", vfs.Files{"order.csv": "a\n"}, nil},
		"file_name tags on the next line":   {"```\n<file_name>order.csv</file_name>\na\n```", vfs.Files{"order.csv": "a\n"}, nil},
		"angle brackets":                    {"```<order.csv>\na\n```", vfs.Files{"order.csv": "a\n"}, nil},
		"file: in front":                    {"```file: order.csv\na\n```", vfs.Files{"order.csv": "a\n"}, nil},
		"dot slash":                         {"```./order.csv\na\n```", vfs.Files{"order.csv": "a\n"}, nil},
		"windows line ends":                 {"```order.csv\r\na\r\n```\r\n", vfs.Files{"order.csv": "a\n"}, nil},
		"cut off":                           {"```order.csv\na\nb", vfs.Files{"order.csv": "a\nb\n"}, nil},
		"empty file":                        {"```order.csv\n```", vfs.Files{"order.csv": ""}, nil},
		"matches no target":                 {"```notes.md\na\n```", vfs.Files{}, []string{"notes.md"}},
		"out of the workspace":              {"```../order.csv\na\n```", vfs.Files{}, nil},
		"no block":                          {"I merged the files as asked.", vfs.Files{}, nil},
		"the last of two versions counts":   {"```order.csv\nold\n```\nSorry:\n```order.csv\nnew\n```", vfs.Files{"order.csv": "new\n"}, nil},
	} {
		files, foreign := parseAnswer(c.answer, targets)
		if diff := cmp.Diff(c.want, files); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		if diff := cmp.Diff(c.foreign, foreign); diff != "" {
			t.Errorf("%s, foreign files: %s", name, diff)
		}
	}
}

func TestASingleNamelessBlockIsTheSingleTarget(t *testing.T) {
	t.Parallel()
	if files, _ := parseAnswer("```\na\n```", []string{"order.csv"}); files["order.csv"] != "a\n" {
		t.Errorf("exact target: %v", files)
	}
	if files, _ := parseAnswer("```\na\n```", []string{"*.csv"}); len(files) != 0 {
		t.Errorf("a pattern gives no name: %v", files)
	}
}

func TestNothingInAFileClosesItsFence(t *testing.T) {
	t.Parallel()
	content := "text\n`````\nmore ``````` text\n```"
	f := show("order.csv", content)
	files, _ := parseAnswer(f.Fence+f.Name+"\n"+f.Content+f.Fence+"\n", []string{"order.csv"})
	if got := strings.TrimSuffix(files["order.csv"], "\n"); got != content {
		t.Errorf("read back %q", got)
	}
}

func FuzzParseAnswer(f *testing.F) {
	for _, answer := range []string{"```order.csv\na\n```", "```\nfood.ledger\na", "````<file_name>order.csv</file_name>\n```\n````", "``` ../x.csv\n```"} {
		f.Add(answer)
	}
	targets := []string{"*.ledger", "order.csv"}
	f.Fuzz(func(t *testing.T, answer string) {
		files, foreign := parseAnswer(answer, targets)
		if len(files.Match(targets)) != len(files) {
			t.Errorf("files that match no target: %v", files.Names())
		}
		for _, name := range foreign {
			if matchesAny(targets, name) {
				t.Errorf("%s is foreign, and a target", name)
			}
		}
		if _, err := vfs.New(files, nil); err != nil && len(files) < vfs.MaxFiles {
			t.Errorf("files that no workspace takes: %v", err)
		}
	})
}
