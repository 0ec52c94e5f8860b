package domains

import (
	"testing"

	"agentd/vfs"
)

// What an answer says about a document in a code fence is no part of it; text that is no
// sentence may be.
func TestWithoutRemarks(t *testing.T) {
	t.Parallel()
	const fenced = "```\nitem rope\nitem oar\n```\n"
	for rule, c := range map[string]struct{ text, want string }{
		"a sentence above":            {"Here is the file:\n\n" + fenced, fenced},
		"a sentence below":            {fenced + "Tell me if it is wrong.\n", fenced},
		"sentences on both sides":     {"\ufeffHere it is:\r\n```list\r\nitem rope\r\nitem oar\r\n```\r\nIs it right?\r\n", "```list\nitem rope\nitem oar\n```\n"},
		"nothing outside":             {fenced, ""},
		"an item outside":             {"item anchor\n" + fenced, ""},
		"two documents":               {"Here is the file:\n" + fenced + fenced, ""},
		"a fence that does not end":   {"Here is the file:\n```\nitem rope\n", ""},
		"more is said than is quoted": {"Here it is.\nIt is short.\nIt is new.\n```\nitem rope\n```\n", ""},
	} {
		files, ok := withoutRemarks(vfs.Files{"a.list": c.text})
		if got := files["a.list"]; ok != (c.want != "") || got != c.want {
			t.Errorf("%s: %q, want %q", rule, got, c.want)
		}
	}
}
