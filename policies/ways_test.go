package policies

import "testing"

func TestHowCallsChangeFiles(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		tool, arguments string
		want            Way
	}{
		{"run_python", `{"code":"1"}`, ByScript}, {"Bash", `{"command":"cp a b"}`, ByScript}, {"run_shell_command", `{}`, ByScript},
		{"exec_command", `{"cmd":"apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: b\n"}`, ByPatch},
		{"write_file", `{}`, ByWriting}, {"Write", `{"file_path":"a","content":"*** Begin Patch"}`, ByWriting},
		{"str_replace", `{}`, ByEditing}, {"insert", `{}`, ByEditing}, {"Edit", `{}`, ByEditing}, {"MultiEdit", `{}`, ByEditing}, {"replace", `{}`, ByEditing},
		{"file_editor", `{"command":"str_replace"}`, ByEditing}, {"file_editor", `{"command": "create"}`, ByWriting},
		{"apply_patch", `{"input":"*** Begin Patch"}`, ByPatch}, {"patch", `{}`, ByPatch},
		{"rename", `{}`, None}, {"delete_file", `{}`, None}, {"search", `{}`, None},
	} {
		if got := WayOf(c.tool, c.arguments); got != c.want {
			t.Errorf("%s %s: by %q, want %q", c.tool, c.arguments, got, c.want)
		}
	}
}

func TestHowAnswersChangeFiles(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]Way{
		"a.txt\n```\n<<<<<<< SEARCH\nold\n=======\nnew\n>>>>>>> REPLACE\n```":                       ByEditing,
		"a.txt\n```\n<<<<<<< SEARCH\n=======\nnew\n>>>>>>> REPLACE\n```\nand\n```bash\nrm b\n```\n": ByEditing,
		"```diff\n--- a.txt\n+++ a.txt\n@@ -1 +1 @@\n-old\n+new\n```":                               ByPatch,
		"*** Begin Patch\n*** Delete File: a\n*** End Patch":                                        ByPatch,
		"I run\n```bash\ncp a b\n```\n":                                                             ByScript,
		"a.txt\n```\nthe whole text\n```\n":                                                         ByWriting,
		"Done.":                                                                                     None,
		"<<<<<<< SEARCH without an end":                                                             None,
		"":                                                                                          None,
	} {
		if got := WayOfText(text); got != want {
			t.Errorf("%q: by %q, want %q", text, got, want)
		}
	}
}
