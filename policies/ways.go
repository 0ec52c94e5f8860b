package policies

import (
	"slices"
	"strings"

	"agentd/internal/lazyregexp"
	"agentd/results/record"
)

// Tools by the way in which they change files: agentd's, and those of the agents that it
// has presets for.
var waysOfTools = map[record.Way][]string{
	record.ByScript: {
		"run_python", "exec_command", "shell", "shell_command", "local_shell", "bash", "run_shell_command", "execute_bash", "terminal",
	},
	record.ByWriting: {"write_file", "write", "create_file"},
	record.ByEditing: {"str_replace", "insert", "edit", "edit_file", "multiedit", "multi_edit", "replace", "file_editor", "str_replace_editor"},
	record.ByPatch:   {"apply_patch", "patch"},
}

// patchBegins is the first line of a patch for apply_patch. Agents with only a shell pass it to
// a command of that name.
const patchBegins = "*** Begin Patch"

// wholeFile matches the arguments with which an editor tool of several commands writes a whole
// file.
var wholeFile = lazyregexp.New(`"command"\s*:\s*"create"`)

// WayOf returns how a call of a tool changes files.
func WayOf(tool, arguments string) record.Way {
	tool = strings.ToLower(tool)
	for way, tools := range waysOfTools {
		switch {
		case !slices.Contains(tools, tool):
		case way == record.ByScript && strings.Contains(arguments, patchBegins):
			return record.ByPatch
		case way == record.ByEditing && wholeFile.MatchString(arguments):
			return record.ByWriting
		default:
			return way
		}
	}
	return ""
}

// Patterns of answers that contain changes of files in their text.
var (
	searchReplace = lazyregexp.New(`(?ms)^<{5,9} SEARCH\b.*^={5,9}\s*$.*^>{5,9} REPLACE\b`)
	unifiedDiff   = lazyregexp.New(`(?m)^--- .*\n\+\+\+ .*\n@@`)
	shellBlock    = lazyregexp.New("(?m)^```(?:bash|sh|shell|console|mswea_bash_command)\\s*$")
	fencedBlock   = lazyregexp.New("(?m)^(?:```|~~~)")
)

// WayOfText returns how an answer without tool calls changes files, from the blocks of its
// text. Agents such as aider have no tools.
func WayOfText(text string) record.Way {
	switch {
	case searchReplace.MatchString(text):
		return record.ByEditing
	case strings.Contains(text, patchBegins) || unifiedDiff.MatchString(text):
		return record.ByPatch
	case shellBlock.MatchString(text):
		return record.ByScript
	case fencedBlock.MatchString(text):
		return record.ByWriting
	}
	return ""
}
