package policies

import (
	"regexp"
	"slices"
	"strings"
)

// Way is how a file was changed.
type Way string

// The ways. None is that of a change which tells nothing of how it was made.
const (
	None      Way = ""
	ByScript  Way = "script"  // a program did it: a script, a shell
	ByWriting Way = "writing" // the model wrote the whole text
	ByEditing Way = "editing" // the model wrote what takes the place of a part of the text, or goes between
	ByPatch   Way = "patch"   // likewise, as a patch with lines before and after the change
)

// Tools by the way in which they change files: agentd's, and those of the agents that it
// has presets for.
var waysOfTools = map[Way][]string{
	ByScript: {
		"run_python", "exec_command", "shell", "shell_command", "local_shell", "bash", "run_shell_command", "execute_bash", "terminal",
	},
	ByWriting: {"write_file", "write", "create_file"},
	ByEditing: {"str_replace", "insert", "edit", "edit_file", "multiedit", "multi_edit", "replace", "file_editor", "str_replace_editor"},
	ByPatch:   {"apply_patch", "patch"},
}

// patchBegins begins a patch in the form that apply_patch takes. Agents whose only tool is
// a shell give it to a command of that name.
const patchBegins = "*** Begin Patch"

// wholeFile are the arguments by which an editor of several commands writes a whole file.
var wholeFile = regexp.MustCompile(`"command"\s*:\s*"create"`)

// WayOf is the way in which a call of a tool changes files.
func WayOf(tool, arguments string) Way {
	tool = strings.ToLower(tool)
	for way, tools := range waysOfTools {
		switch {
		case !slices.Contains(tools, tool):
		case way == ByScript && strings.Contains(arguments, patchBegins):
			return ByPatch
		case way == ByEditing && wholeFile.MatchString(arguments):
			return ByWriting
		default:
			return way
		}
	}
	return None
}

// What an answer looks like that has changes of files in its text.
var (
	searchReplace = regexp.MustCompile(`(?ms)^<{5,9} SEARCH\b.*^={5,9}\s*$.*^>{5,9} REPLACE\b`)
	unifiedDiff   = regexp.MustCompile(`(?m)^--- .*\n\+\+\+ .*\n@@`)
	shellBlock    = regexp.MustCompile("(?m)^```(?:bash|sh|shell|console|mswea_bash_command)\\s*$")
	fencedBlock   = regexp.MustCompile("(?m)^(?:```|~~~)")
)

// WayOfText is the way in which an answer without calls of tools changes files: by the
// blocks of its text. Agents such as aider have no tools.
func WayOfText(text string) Way {
	switch {
	case searchReplace.MatchString(text):
		return ByEditing
	case strings.Contains(text, patchBegins) || unifiedDiff.MatchString(text):
		return ByPatch
	case shellBlock.MatchString(text):
		return ByScript
	case fencedBlock.MatchString(text):
		return ByWriting
	}
	return None
}
