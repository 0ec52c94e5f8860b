package policies

import (
	"testing"

	"agentd/results/record"
)

func TestHowCallsChangeFiles(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		tool, arguments string
		want            record.Way
	}{
		{"run_python", `{"code":"1"}`, record.ByScript}, {"Bash", `{"command":"cp a b"}`, record.ByScript}, {"run_shell_command", `{}`, record.ByScript},
		{"exec_command", `{"cmd":"apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: b\n"}`, record.ByPatch},
		{"write_file", `{}`, record.ByWriting}, {"Write", `{"file_path":"a","content":"*** Begin Patch"}`, record.ByWriting},
		{"str_replace", `{}`, record.ByEditing}, {"insert", `{}`, record.ByEditing}, {"Edit", `{}`, record.ByEditing}, {"MultiEdit", `{}`, record.ByEditing}, {"replace", `{}`, record.ByEditing},
		{"file_editor", `{"command":"str_replace"}`, record.ByEditing}, {"file_editor", `{"command": "create"}`, record.ByWriting},
		{"apply_patch", `{"input":"*** Begin Patch"}`, record.ByPatch}, {"patch", `{}`, record.ByPatch},
		{"rename", `{}`, ""}, {"delete_file", `{}`, ""}, {"search", `{}`, ""},
	} {
		if got := WayOf(c.tool, c.arguments); got != c.want {
			t.Errorf("%s %s: by %q, want %q", c.tool, c.arguments, got, c.want)
		}
	}
}

func TestHowAnswersChangeFiles(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]record.Way{
		"a.txt\n```\n<<<<<<< SEARCH\nold\n=======\nnew\n>>>>>>> REPLACE\n```":                       record.ByEditing,
		"a.txt\n```\n<<<<<<< SEARCH\n=======\nnew\n>>>>>>> REPLACE\n```\nand\n```bash\nrm b\n```\n": record.ByEditing,
		"```diff\n--- a.txt\n+++ a.txt\n@@ -1 +1 @@\n-old\n+new\n```":                               record.ByPatch,
		"*** Begin Patch\n*** Delete File: a\n*** End Patch":                                        record.ByPatch,
		"I run\n```bash\ncp a b\n```\n":                                                             record.ByScript,
		"a.txt\n```\nthe whole text\n```\n":                                                         record.ByWriting,
		"Done.":                                                                                     "",
		"<<<<<<< SEARCH without an end":                                                             "",
		"":                                                                                          "",
	} {
		if got := WayOfText(text); got != want {
			t.Errorf("%q: by %q, want %q", text, got, want)
		}
	}
}
