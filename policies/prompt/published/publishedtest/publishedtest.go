// Package publishedtest has files of the shape of the published ones, in words of our
// own, for tests: the published words are no part of this repository.
package publishedtest

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"agentd/policies/prompt/published"
)

// What the files say. Their ends, their braces and their escapes are what a reader
// could lose.
const (
	documents = "\n  Here is some work on files. {Mind the {{braces}}.}\n\nMaterial\n[[INPUT_CONTEXT]]\n\n" +
		"Reply with blocks, each opened by ```NAME. Wanted are [[FILE_NAMES]]\n\nWork to do {[[EDITING_OPERATION]]}\n \n"
	python  = "Here is a program to change.\n\n[[INPUT_CONTEXT]]\n\nWanted are [[FILE_NAMES]]\n\nChange\n[[EDITING_OPERATION]]"
	fiction = "Change this story: [[EDITING_OPERATION]]\n\n[[INPUT_CONTEXT]]\n\nWanted is [[FILE_NAMES]]\n\nMind this:\n" +
		"- [Length] It has [[CURRENT_LENGTH]] words and must have [[TARGET_LENGTH]] words.\n"

	image     = "Change this {picture} — and nothing else.\n\n[[EDITING_OPERATION]]\n"
	questions = "Read this.\n\n[[STORY]]\n\nSay {{how}} good it is.\n"

	system = `Files lie in a folder, \
for you to work on with tools. A set is {{a, b}}, a tab is \t, \"quoted\" is quoted.

- run_python(code): runs a script (files are at ./workspace/NAME)

At the end there are these files alone: {target_filenames}
Look \
twice — \u00fc is ü.
`
	tools = `[
    {
        "type": "function",
        "function": {
            "name": "read_file",
            "description": "Shows a file.",
            "parameters": {"type": "object", "properties": {"filename": {"type": "string", "description": "Which file."}}, "required": ["filename"]},
        },
    },
    {
        "type": "function",
        "function": {
            "name": "write_file",
            "description": 'Writes a "file", <whole>.',
            "parameters": {
                "type": "object",
                "properties": {
                    "filename": {
                        "type": "string",
                        "description": "Which file.",
                    },
                    "content": {"type": "string", "description": "Its text."},
                },
                "required": ["filename", "content"],
            },
        },
    },
    {
        "type": "function",
        "function": {
            "name": "delete_file",
            "description": "Removes a file.",
            "parameters": {"type": "object", "properties": {"filename": {"type": "string"}}, "required": ["filename"]},
        },
    },
    {
        "type": "function",
        "function": {
            "name": "run_python",
            "description": (
                "Runs a script. Files are at "
                "'./workspace/NAME'. "
                "What it prints is shown."
            ),
            "parameters": {"type": "object", "properties": {"code": {"type": "string", "description": "The script."}}, "required": ["code"]},
        },
    },
    {
        "type": "function",
        "function": {
            "name": "finish",
            "description": (
                "Ends the work."
            ),
            "parameters": {"type": "object", "properties": {}, "required": []},
        },
    },
]`
	length       = `\n\nIt shall have {target_length} words.`
	acknowledged = `What the text {asked} for was done. `
)

// userParts and nudgeParts are one text each.
func userParts() []string {
	return []string{`The folder holds\n{file_list_str}\n\n`, `Look before you write.\n\n`, `Work to do\n{task_str}`}
}

func nudgeParts() []string {
	return []string{`No file was written. `, `Please write, `, `then call finish().`}
}

// Release returns a release like the pinned one whose files, by path, hold words of
// our own.
func Release() (published.Release, map[string]string) {
	r := published.Pinned()
	r.Commit = strings.Repeat("0", len(r.Commit))
	var p program
	p.line("# ─ no ASCII ─")
	p.add("TOOLS = ")
	r.Agentic.Tools = p.add(tools)
	p.add("\n\nSYSTEM = \"\"\"\\\n")
	r.Agentic.System = p.add(system)
	p.line(`"""`)
	p.add(`task += f"`)
	r.Agentic.TargetLength = p.add(length)
	p.line(`"`)
	r.Agentic.User = p.strings("f", userParts())
	r.Agentic.Acknowledged = p.strings("", []string{acknowledged})[0]
	r.Agentic.Nudge = p.strings("", nudgeParts())
	files := map[string]string{}
	for i := range r.Files {
		f := &r.Files[i]
		content, used := map[string]string{
			"prompts/domain_documents.txt": documents, "prompts/domain_python.txt": python, "prompts/domain_fiction.txt": fiction,
			"prompts/domain_image.txt": image, "prompts/domain_fiction_eval.txt": questions, "model_agentic.py": p.String(),
		}[f.Path]
		if !used {
			content = "Nothing is made of " + f.Path + "\n"
		}
		sum := sha256.Sum256([]byte(content))
		f.Bytes, f.SHA256 = int64(len(content)), hex.EncodeToString(sum[:])
		files[f.Path] = content
	}
	return r, files
}

// program is a Python program that is being written.
type program struct{ strings.Builder }

// add writes a text and returns where it stands.
func (p *program) add(text string) published.Span {
	first := p.Len()
	p.WriteString(text)
	return published.Span{First: first, End: p.Len()}
}

func (p *program) line(text string) { p.add(text + "\n") }

// strings writes strings with a prefix and returns where what is between their quotes
// stands.
func (p *program) strings(prefix string, parts []string) []published.Span {
	var spans []published.Span
	for _, part := range parts {
		p.add("    " + prefix + `"`)
		spans = append(spans, p.add(part))
		p.line(`"`)
	}
	return spans
}

// Folder writes files into a folder, as Release.Pull would.
func Folder(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte(content), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}
