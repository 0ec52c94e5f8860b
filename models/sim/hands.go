package sim

import (
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"agentd/models/wire"
)

// hands are the tools that a foreign agent offers: a shell, and perhaps tools for files.
type hands struct {
	shell, write, edit, read handle
	finish                   string // the tool that ends a task; "" if a plain answer does
	submit                   string // the shell command that ends a task; "" if there is none
	patches                  bool   // the shell knows apply_patch
}

// handle is a tool and the names of its arguments.
type handle struct {
	name         string
	argument     string // the command, or the file's path
	content      string
	old, fresh   string
	list         bool           // the command is a list of strings
	room         int            // largest size of a command, in bytes
	alsoRequired map[string]any // other required arguments and their values
}

func (h handle) there() bool { return h.name != "" }

// Names of arguments in agents' tools.
var (
	commandNames = []string{"command", "cmd"}
	pathNames    = []string{"file_path", "filePath", "path", "absolute_path", "file"}
	contentNames = []string{"content", "contents", "file_text"}
	oldNames     = []string{"old_string", "oldString", "old_str", "oldText", "old_text"}
	newNames     = []string{"new_string", "newString", "new_str", "newText", "new_text"}
)

// schema is the part of a tool's parameters that the stand-in needs.
type schema struct {
	Properties map[string]struct {
		Type json.RawMessage   `json:"type"`
		Enum []json.RawMessage `json:"enum"`
	} `json:"properties"`
	Required []string `json:"required"`
}

// named returns the first of the names that is a property; "" if none is.
func (s schema) named(names []string) string {
	for _, name := range names {
		if property, ok := s.Properties[name]; ok && len(property.Enum) == 0 {
			return name
		}
	}
	return ""
}

// submission is the phrase that ends a task for an agent with only a shell.
const submission = "COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT"

// handsOf finds the tools that can change files. It returns false if there are none.
func handsOf(r *request) (h hands, ok bool) {
	for i := range r.Tools {
		f := &r.Tools[i]
		var s schema
		if wire.Lenient(f.Parameters, &s) != nil {
			continue
		}
		path, content := s.named(pathNames), s.named(contentNames)
		old, fresh := s.named(oldNames), s.named(newNames)
		command := s.named(commandNames)
		word := strings.ToLower(f.Name)
		switch {
		case word == "finish" || strings.HasSuffix(word, "_finish"):
			h.finish = f.Name
		case command != "" && path == "" && !h.shell.there():
			h.shell = handle{name: f.Name, argument: command, list: string(s.Properties[command].Type) == `"array"`}
			h.shell.alsoRequired = s.others("", command)
			if h.shell.room = mostCommand; strings.Contains(word, "terminal") {
				h.shell.room = mostTyped
			}
			h.patches = strings.Contains(f.Description, applyPatch)
		case path != "" && old != "" && fresh != "" && !h.edit.there():
			h.edit = handle{name: f.Name, argument: path, old: old, fresh: fresh, alsoRequired: s.others("str_replace", path, old, fresh)}
		case path != "" && content != "" && !h.write.there():
			h.write = handle{name: f.Name, argument: path, content: content, alsoRequired: s.others("create", path, content)}
		case path != "" && strings.Contains(word, "read") && !h.read.there():
			h.read = handle{name: f.Name, argument: path, alsoRequired: s.others("view", path)}
		}
	}
	if h.shell.there() && r.mentions(submission) {
		h.submit = "echo " + submission
	}
	h.patches = h.patches || r.mentions(applyPatch)
	return h, h.shell.there()
}

// others returns values for required arguments other than the known ones. A text describes the
// purpose of the call. For an enum it is the wanted value, if allowed, or else the first.
func (s schema) others(wanted string, known ...string) map[string]any {
	all := map[string]any{}
	for _, name := range s.Required {
		if slices.Contains(known, name) {
			continue
		}
		all[name] = "edits the documents"
		for i, value := range s.Properties[name].Enum {
			if i == 0 || string(value) == strconv.Quote(wanted) {
				all[name] = value
			}
		}
	}
	return all
}

// call returns a call of the tool. pairs are argument names and values, alternating.
func (h handle) call(pairs ...any) toolCall {
	args := map[string]any{}
	maps.Copy(args, h.alsoRequired)
	for i := 0; i+1 < len(pairs); i += 2 {
		args[pairs[i].(string)] = pairs[i+1]
	}
	return toolCall{Name: h.name, Arguments: string(written(args))}
}

// command returns a call of a shell.
func (h handle) command(text string) toolCall {
	if h.list {
		return h.call(h.argument, []string{"bash", "-lc", text})
	}
	return h.call(h.argument, text)
}

// python returns a call of a shell that runs a Python program.
func (h handle) python(program string) toolCall {
	end := "END_OF_PROGRAM"
	for strings.Contains(program, end) {
		end += "_"
	}
	return h.command(fmt.Sprintf("python3 - <<'%s'\n%s%s\n", end, program, end))
}

// borrowed is a conversation with a foreign agent's tools. In every turn the stand-in plans the
// whole job again from the files that it has read, and skips the calls that have been answered.
type borrowed struct {
	*scene
	hands hands
	done  map[string]string // results of calls, by keyOf
}

// borrow interprets a conversation with a foreign agent's tools. It returns false if the tools
// are agentd's, or cannot change files.
func (s *scene) borrow() (b *borrowed, ok bool) {
	if s.offers("run_python") || s.offers("write_file") {
		return nil, false
	}
	h, ok := handsOf(s.request)
	if !ok {
		return nil, false
	}
	b = &borrowed{scene: s, hands: h, done: map[string]string{}}
	for call, answer := range s.request.answered() {
		b.done[keyOf(call)] = answer
		if strings.Contains(call.Arguments, strings.TrimSpace(readingMark)) {
			b.takePiece(answer)
		}
	}
	return b, true
}

// keyOf returns a key of a call that does not depend on the order of its arguments.
func keyOf(call toolCall) string { return call.Name + canonical(call.Arguments) }

// next returns the stand-in's next message.
func (b *borrowed) next() message {
	calls := b.reads(func(name string) toolCall {
		return b.hands.shell.python(readingScript(name, utf8.RuneCountInString(b.partly[name]), true))
	})
	if len(calls) > 0 {
		return call(calls...)
	}
	documents := b.documents()
	result := b.works.of(b.scene, documents)
	for _, step := range b.plan(documents, result) {
		if _, done := b.done[keyOf(step)]; !done { // agents may run the calls of one answer concurrently
			return call(step)
		}
	}
	return b.end()
}

// end ends the task in the way that the agent requires.
func (b *borrowed) end() message {
	const said = "The files are as asked."
	switch {
	case b.hands.submit != "":
		return call(b.hands.shell.command(b.hands.submit))
	case b.hands.finish != "":
		return call(function(b.hands.finish, "message", said))
	}
	return say(said)
}

// plan returns all calls of the job once the documents have been read, in order.
func (b *borrowed) plan(documents, result map[string]string) []toolCall {
	byScript, byWriting := b.chosenWay()
	if byScript || !b.hands.write.there() && !b.hands.patches {
		steps := b.scripts(result, usedUp(documents, result))
		if byWriting && b.hands.write.there() { // one of them again, by writing
			if names := sortedNames(result); len(names) > 0 {
				return append(steps, b.writing(names[0], result[names[0]], true)...)
			}
		}
		return steps
	}
	var steps []toolCall
	left := map[string]string{} // files that need a script
	for _, name := range sortedNames(result) {
		made, ok := b.made(name, documents, result[name])
		if !ok {
			left[name] = result[name]
		}
		steps = append(steps, made...)
	}
	return append(steps, b.scripts(left, usedUp(documents, result))...)
}

// made returns the calls that write one file without a script. It returns false if one of them
// was refused, or if no tool can do it.
func (b *borrowed) made(name string, documents map[string]string, content string) ([]toolCall, bool) {
	was, there := documents[name]
	var steps []toolCall
	switch {
	case there && was == content:
		return nil, true
	case b.hands.write.there():
		steps = b.writing(name, content, there)
		if c, ok := changeOf(content, map[string]string{name: was}); there && ok && b.hands.edit.there() && c.old != "" && strings.Count(was, c.old) == 1 {
			steps = append(b.looking(name), b.hands.edit.call(b.hands.edit.argument, b.path(name), b.hands.edit.old, c.old, b.hands.edit.fresh, c.fresh))
		}
	default:
		patch, ok := patchOf(name, was, content, there)
		if !ok {
			return nil, false
		}
		steps = []toolCall{b.hands.shell.command(patch)}
	}
	for _, step := range steps {
		if answer, done := b.done[keyOf(step)]; done && refusedBy(answer) {
			return nil, false
		}
	}
	return steps, true
}

// writing returns the calls that write a file. Agents refuse to overwrite a file that was not
// read before.
func (b *borrowed) writing(name, content string, there bool) []toolCall {
	h := b.hands.write
	step := h.call(h.argument, b.path(name), h.content, content)
	if there {
		return append(b.looking(name), step)
	}
	return []toolCall{step}
}

// looking reads a file with the agent's own tool.
func (b *borrowed) looking(name string) []toolCall {
	h := b.hands.read
	if !h.there() {
		return nil
	}
	return []toolCall{h.call(h.argument, b.path(name))}
}

// path returns the file's path in the form that the agent requires.
func (b *borrowed) path(name string) string { return path.Join(b.folder, name) }

// refusedBy reports whether a tool's result says that the call failed.
func refusedBy(answer string) bool {
	start := strings.ToLower(answer[:min(len(answer), 300)])
	return slices.ContainsFunc([]string{"error", "failed", "not found", "refused", "invalid"}, func(word string) bool { return strings.Contains(start, word) })
}

// Limits on a command, in bytes. A shell started for the command gets it as one argument, whose
// size the kernel limits. A shell running in a terminal gets it from another program, such as
// tmux, whose messages are limited to 16 KiB.
const mostCommand, mostTyped = 60_000, 12_000

// scripts returns shell commands that write files and remove others. Long files are written in
// pieces.
func (b *borrowed) scripts(files map[string]string, gone []string) []toolCall {
	var steps []toolCall
	var program strings.Builder
	room := b.hands.shell.room
	mostPiece := room / 3 // of a file, whose bytes may take more than one in a literal
	flush := func() {
		if program.Len() > 0 {
			steps = append(steps, b.hands.shell.python("import os\n"+program.String()))
			program.Reset()
		}
	}
	for _, name := range sortedNames(files) {
		program.WriteString(makingFolder(name, name))
		for content, mode := files[name], "w"; mode == "w" || content != ""; mode = "a" {
			piece := strings.ToValidUTF8(content[:min(len(content), mostPiece)], "")
			content = content[len(piece):]
			line := writingText(name, mode, piece)
			if program.Len()+len(line) > room {
				flush()
			}
			program.WriteString(line)
		}
	}
	for _, name := range gone {
		program.WriteString(removing(name))
	}
	flush()
	return steps
}

// applyPatch is the command of shells that accept patches.
const applyPatch = "apply_patch"

// patchOf returns the apply_patch command that writes a file. It returns false if a patch
// cannot express the content: every line must end in \n, without \r.
func patchOf(name, was, content string, there bool) (string, bool) {
	if !strings.HasSuffix(content, "\n") || there && !strings.HasSuffix(was, "\n") || strings.Contains(was+content, "\r") {
		return "", false
	}
	var b strings.Builder
	lines := func(mark, text string) {
		for line := range strings.Lines(text) {
			b.WriteString(mark + line)
		}
	}
	b.WriteString("*** Begin Patch\n")
	if there {
		fmt.Fprintf(&b, "*** Update File: %s\n@@\n", name)
		lines("-", was)
	} else {
		fmt.Fprintf(&b, "*** Add File: %s\n", name)
	}
	lines("+", content)
	b.WriteString("*** End Patch\n")
	const end = "END_OF_PATCH"
	if b.Len() > mostCommand || strings.Contains(b.String(), end) {
		return "", false
	}
	return fmt.Sprintf("%s <<'%s'\n%s%[2]s\n", applyPatch, end, b.String()), true
}
