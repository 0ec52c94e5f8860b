package fenced

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentd/vfs"
)

// Each answer is one way in which models write files; what is read of it follows the rules
// of the published reader (docs/fidelity.md).
func TestParse(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text string
		want vfs.Files
	}{
		"a block":                              {"```a.txt\nA\n```", vfs.Files{"a.txt": "A\n"}},
		"two, with a blank line between":       {"```a.txt\nA```\n\n```b.txt\nB\n```", vfs.Files{"a.txt": "A", "b.txt": "B\n"}},
		"two that touch":                       {"```a.txt\nA\n``````b.txt\nB\n```", vfs.Files{"a.txt": "A\n", "b.txt": "B\n"}},
		"in the middle of a line":              {"I wrote ```a.txt\nA\n``` for you", vfs.Files{"a.txt": "A\n"}},
		"an empty file":                        {"```a.txt\n```", vfs.Files{"a.txt": ""}},
		"an empty answer":                      {"", vfs.Files{}},
		"prose alone":                          {"I will not do that.", vfs.Files{}},
		"no closing fence":                     {"```a.txt\nA\n", vfs.Files{}},
		"the last without a closing fence":     {"```a.txt\nA\n```\n\n```b.txt\nB\n", vfs.Files{"a.txt": "A\n"}},
		"tildes":                               {"~~~a.txt\nA\n~~~", vfs.Files{}},
		"line ends of Windows":                 {"```a.txt\r\nA\r\n```", vfs.Files{"a.txt": "A\r\n"}},
		"the name in a line of its own":        {"```\na.txt\nA\n```", vfs.Files{"a.txt": "A\n"}},
		"the name in a block of its own":       {"```\na.txt\n```\nA\n```", vfs.Files{"a.txt": "A\n"}},
		"the name after a language":            {"```python\na.py\nA\n```", vfs.Files{"a.py": "A\n"}},
		"a language with a digit":              {"```python3\na.py\nA\n```", vfs.Files{"python3": "a.py\nA\n"}},
		"a language in capitals":               {"```SQL\na.sql\nA\n```", vfs.Files{"SQL": "a.sql\nA\n"}},
		"a name of two words":                  {"```\nmy a.txt\nA\n```", vfs.Files{}},
		"a name that looks like a language":    {"```readme\nv1.0\nA\n```", vfs.Files{"v1.0": "A\n"}},
		"a longer fence":                       {"````a.md\n```\ncode\n```\n````", vfs.Files{"a.md": "```\ncode\n```\n"}},
		"a shorter fence inside cuts":          {"```a.md\nA\n```js\ncode\n```\n", vfs.Files{"a.md": "A\n"}},
		"opened by four, closed by three":      {"````a.txt\nA\n```", vfs.Files{"`a.txt": "A\n"}},
		"opened by three, closed by four":      {"```a.txt\nA\n````", vfs.Files{"a.txt": "A\n"}},
		"a fence of four without a name":       {"````\nA\n````", vfs.Files{"`": "A\n"}},
		"backticks at the end of the content":  {"```a.txt\nsome `code````", vfs.Files{"a.txt": "some `code"}},
		"blanks around the name":               {"```  a.txt \u00a0\nA\n```", vfs.Files{"a.txt": "A\n"}},
		"angle brackets":                       {"```<a.txt>\nA\n```", vfs.Files{"a.txt": "A\n"}},
		"angle brackets around a path":         {"```<b/a.txt>\nA\n```", vfs.Files{"<b/a.txt>": "A\n"}},
		"quotes, bold and folders stay":        {"```./a.txt\nA\n```\n\n```**b**\nB\n```\n\n```\"c\"\nC\n```", vfs.Files{"./a.txt": "A\n", "**b**": "B\n", `"c"`: "C\n"}},
		"the first of a name wins":             {"```a.txt\n1\n```\n\n```a.txt \n2\n```", vfs.Files{"a.txt": "1\n"}},
		"a tag after a fence":                  {"```<file_name>a.txt</file_name>\nA\n```", vfs.Files{"a.txt": "A\n"}},
		"a tag at the start of a line":         {"<file_name>a.txt</file_name>\nA\n```", vfs.Files{"a.txt": "A\n"}},
		"an outer fence spoils the first name": {"```\n```a.txt\nA\n```\n```", vfs.Files{"```a.txt": "A\n"}},
		"a fence in prose swallows the opener": {"Use ``` for code.\n```a.txt\nA\n```", vfs.Files{"for code.": ""}},
	} {
		if diff := cmp.Diff(c.want, Parse(c.text)); diff != "" {
			t.Errorf("%s: -want +got\n%s", name, diff)
		}
	}
}

func TestFormat(t *testing.T) {
	t.Parallel()
	files := vfs.Files{"b.md": "no newline", "a.md": "```\n````\n"}
	if got, want := Format(files, []string{"b.md", "a.md"}), "```b.md\nno newline```\n\n`````a.md\n```\n````\n`````"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := Format(nil, nil); got != "" {
		t.Errorf("no files are %q", got)
	}
}

// What is written is read back, unless one of the rules stands against it: backticks that
// end a content, tags, and lines that the rewrites take for names.
func FuzzFormattedFilesAreReadBack(f *testing.F) {
	f.Add("a.txt", "A\n", "b.md", "```js\ncode\n```\n")
	f.Add("x", "", "y.z", "``````")
	f.Fuzz(func(t *testing.T, name, content, second, other string) {
		files := vfs.Files{name: content, second: other}
		for name, content := range files {
			if name == "" || strings.ContainsAny(name, "`<>\n\r") || cleanName(name) != name ||
				strings.HasSuffix(content, "`") || strings.Contains(content, openTag) {
				t.Skip()
			}
		}
		text := Format(files, files.Names())
		if normalized(text) != text {
			t.Skip()
		}
		if diff := cmp.Diff(files, Parse(text)); diff != "" {
			t.Errorf("%q: -want +got\n%s", text, diff)
		}
	})
}
