package sim

import (
	"bytes"
	"fmt"
	"hash/fnv"
	"iter"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"agentd/internal/lazyregexp"
	"agentd/models/wire"
)

// play returns the stand-in's next message in a conversation. It depends only on the profile
// and the request.
func play(profile Profile, editor Editor, works *works, r *request) message {
	if r.Format != nil && len(r.Tools) == 0 { // it wants a JSON object, as a judge does
		return judgement(editor, r)
	}
	if asksForSummary(r) {
		return say("The requests so far were carried out, and the files are as they were asked for.")
	}
	p := readPrompt(r)
	if profile.Refuses {
		return say("I would rather not change these documents.")
	}
	job, ok := editor.Find(p.text, p.files, p.targets)
	if ok && job.Partial { // a later message may complete it
		job, ok = editor.Find(r.wanted(), p.files, p.targets)
	}
	if !ok {
		return say("I do not know this instruction.")
	}
	if job.Partial {
		return say("Understood so far. What else?")
	}
	if profile.Echoes {
		job = echo(job, p.files)
	}
	damage := Damage{Drop: profile.Drop, Number: profile.Number, Text: profile.Text, Random: stream(r, "damage "+profile.Name)}
	if shown := r.shown(); len(r.Tools) == 0 && len(shown) > 0 {
		return drawn(r, profile, p.text, shown, editor)
	}
	if len(r.Tools) == 0 && r.mentions(searchReplace) {
		return say(inSearchReplace(r, p, job, damage))
	}
	if len(r.Tools) == 0 {
		return say(inBlocks(job.Do(p.contents, damage), p.verbatim))
	}
	if p.review { // the stand-in cannot find mistakes
		return call(function("finish"))
	}
	s := scene{profile: profile, request: r, job: job, files: p.files, damage: damage, works: works}
	s.own = ownTools(r)
	s.look()
	if b, ok := s.borrow(); ok {
		return b.next()
	}
	return s.next()
}

func say(text string) message {
	return message{Role: assistant, Content: text}
}

// stream returns the random source for one purpose. It is the same in every turn of a
// conversation.
func stream(r *request, purpose string) *rand.Rand {
	hash := fnv.New64a()
	fmt.Fprintf(hash, "%s\x00%d\x00", purpose, r.seed())
	hash.Write([]byte(r.task()))
	return rand.New(rand.NewPCG(hash.Sum64(), 0))
}

// inBlocks answers with files in fenced blocks. Closing fences are on lines of their own,
// unless verbatim preserves the files' ends.
func inBlocks(files map[string]string, verbatim bool) string {
	var b strings.Builder
	b.WriteString("Here are the files.\n")
	for _, name := range sortedNames(files) {
		content := files[name]
		if content != "" && !strings.HasSuffix(content, "\n") && !verbatim {
			content += "\n"
		}
		fence := "```"
		for strings.Contains(content, fence) {
			fence += "`"
		}
		fmt.Fprintf(&b, "\n%s%s\n%s%s\n", fence, name, content, fence)
	}
	return b.String()
}

// scene is the state of a conversation with tools.
type scene struct {
	profile Profile
	request *request
	job     Job
	files   []string // all in the workspace at the start
	damage  Damage
	works   *works
	own     map[string]*wire.Tool // our tools as the request has them, by our names

	read    map[string]string // what was read, by any tool
	partly  map[string]string // files that scripts have read partly
	written map[string]bool
	refused map[string]bool // files that could not be changed in place
	deleted map[string]bool
	script  outcome // of the script, if it ran one

	folder   string // of the files, as a script of an agent's shell has said
	finished bool   // it has called finish
	gone     bool   // a client has dropped the result of a read
}

type outcome uint8

const (
	notRun outcome = iota
	worked
	failed
)

// look collects from the conversation what has been done.
func (s *scene) look() {
	s.read, s.partly = map[string]string{}, map[string]string{}
	s.written, s.refused, s.deleted = map[string]bool{}, map[string]bool{}, map[string]bool{}
	for call, answer := range s.request.answered() {
		if s.own[call.Name] == nil { // the client wrapped the call
			answer = passedOn.ReplaceAllString(answer, "")
		}
		s.notice(call, answer)
	}
}

// answered returns the calls since the message with the task, each with its result.
func (r *request) answered() iter.Seq2[toolCall, string] {
	return func(yield func(toolCall, string) bool) {
		calls := map[string]toolCall{}
		for i := max(r.asked(), 0); i < len(r.Messages); i++ {
			m := &r.Messages[i]
			for _, call := range m.ToolCalls {
				calls[call.ID] = call
			}
			call, ok := calls[m.ToolCallID]
			if m.Role == fromTool && ok && !yield(call, m.Text(between)) {
				return
			}
		}
	}
}

// passedOn matches the lines that some clients put before results.
var passedOn = lazyregexp.New(`^(?:Chunk ID: .*\n)?Wall time: .*\nOutput:\n`)

// notice records the result of a call.
func (s *scene) notice(call toolCall, answer string) {
	var args struct {
		Path     string `json:"path"`
		Filename string `json:"filename"`
		To       string `json:"to"`
		Code     string `json:"code"`
	}
	_ = wire.Lenient([]byte(call.Arguments), &args) // the stand-in wrote them itself
	args.Path += args.Filename                      // a call has one of them
	if gone := strings.HasPrefix(answer, leftOut); gone && args.Code != "" && !strings.HasPrefix(args.Code, readingMark) {
		s.script = worked
		return
	} else if gone && (args.Code != "" || s.ours(call.Name) == "read_file" || s.ours(call.Name) == "view") {
		s.gone = true
		return // it must be read again
	}
	switch s.ours(call.Name) {
	case "read_file":
		s.read[args.Path] = strings.TrimPrefix(answer, emptyFile)
	case "view":
		s.read[args.Path] = unnumbered(answer)
	case "write_file":
		s.written[args.Path] = true
	case "str_replace", "insert", "copy":
		name := args.Path + args.To // a call has one of them
		refused := strings.HasPrefix(answer, "Error")
		s.refused[name] = s.refused[name] || refused
		s.written[name] = !s.refused[name]
	case "delete_file":
		s.deleted[args.Path] = true
	case "finish": // some clients ask again after it
		s.finished = !strings.HasPrefix(answer, "Error")
	case "run_python":
		if strings.HasPrefix(args.Code, readingMark) {
			s.takePiece(answer)
			return
		}
		s.script = failed
		if strings.HasSuffix(answer, "exit code: 0") || s.above() != "" && !scriptEndedBadly.MatchString(answer) {
			s.script = worked
		}
	}
}

// leftOut begins the text with which a client replaces a result that it has dropped from a long
// conversation.
const leftOut = "(This result was left out"

// asksForSummary reports whether the client wants a summary of a conversation that has become
// too long.
func asksForSummary(r *request) bool {
	last := len(r.Messages) - 1
	return last >= 0 && r.Messages[last].Role == user && strings.Contains(r.Messages[last].Text(between), "Sum up what was done so far.")
}

// scriptEndedBadly matches the end of the result of a failed script in the published tool set.
// The result of a successful script has no such end.
var scriptEndedBadly = lazyregexp.New(`\[exit code \d+\]$|The script was stopped: .*$`)

// above is the prefix of file names in scripts of the published tool set, which run in the
// parent folder.
func (s *scene) above() string {
	if tool := s.own["run_python"]; tool != nil && strings.Contains(tool.Description+s.request.firstOf(system), "./workspace/") {
		return "workspace/"
	}
	return ""
}

// fileArgument returns the name of a tool's argument for the file.
func (s *scene) fileArgument(tool string) string {
	if own := s.own[tool]; own != nil && bytes.Contains(own.Parameters, []byte(`"filename"`)) {
		return "filename"
	}
	return "path"
}

// atATime is the number of files that the stand-in reads or writes in one turn.
const atATime = 3

// next returns the stand-in's next message: it reads, edits, removes documents, finishes. It
// cannot read pictures, so it edits them by a script.
func (s *scene) next() message {
	if program := s.program(); program != "" {
		if s.script == notRun {
			return s.call(function("run_python", "code", program))
		}
		return s.call(function("finish"))
	}
	if s.gone && (s.script == worked || len(s.deleted) > 0) { // all is done, and the documents have been removed
		return s.call(function("finish"))
	}
	if calls := s.reads(s.reading); len(calls) > 0 {
		return s.call(calls...)
	}
	documents := s.documents()
	result := s.works.of(s, documents)
	byScript, byWriting := s.ways()
	if byScript && s.script == notRun {
		return s.call(function("run_python", "code", script(documents, result, s.above())))
	}
	if byWriting || s.script == failed && s.offers("write_file") {
		calls := s.writes(result, byScript && s.script == worked)
		if s.offers("str_replace") && s.script == notRun {
			calls = s.edits(documents, result)
		}
		if len(calls) > 0 {
			return s.call(calls...)
		}
	}
	if s.script != worked && s.offers("delete_file") {
		if calls := s.deletes(documents, result); len(calls) > 0 {
			return s.call(calls...)
		}
	}
	if s.finished || !s.offers("finish") {
		return say("The files are as asked.")
	}
	return s.call(function("finish"))
}

// program returns a script that does the job on pictures; "" if the documents are text.
func (s *scene) program() string {
	if s.job.Program == nil || !s.offers("run_python") {
		return ""
	}
	return s.job.Program(s.files, s.above(), s.damage)
}

// documents returns the documents read so far.
func (s *scene) documents() map[string]string {
	documents := map[string]string{}
	for _, name := range s.files {
		if content, ok := s.read[name]; ok && s.job.IsDocument(name) {
			documents[name] = content
		}
	}
	return documents
}

// reads returns calls for the files still to be read: all documents, and sometimes a
// distractor.
func (s *scene) reads(reading func(name string) toolCall) []toolCall {
	random := stream(s.request, "reads "+s.profile.Name)
	var calls []toolCall
	for _, name := range s.files {
		curious := random.Float64() < s.profile.Distractor
		if _, done := s.read[name]; !done && (curious || s.job.IsDocument(name)) && len(calls) < atATime {
			calls = append(calls, reading(name))
		}
	}
	return calls
}

// ways returns how this interaction is edited with the available tools.
func (s *scene) ways() (byScript, byWriting bool) {
	switch {
	case !s.offers("write_file"):
		return true, false
	case !s.offers("run_python"):
		return false, true
	}
	return s.chosenWay()
}

// chosenWay returns how a profile edits this interaction if it has the choice.
func (s *scene) chosenWay() (byScript, byWriting bool) {
	chance := stream(s.request, "way "+s.profile.Name).Float64()
	byScript = chance < s.profile.Script+s.profile.Both
	byWriting = chance >= s.profile.Script
	return byScript, byWriting
}

// writes returns calls for the files still to be written; after a script, only one of them.
func (s *scene) writes(result map[string]string, afterScript bool) []toolCall {
	most := atATime
	if afterScript {
		most = 1 - len(s.written)
	}
	var calls []toolCall
	for _, name := range sortedNames(result) {
		if !s.written[name] && len(calls) < most {
			calls = append(calls, function("write_file", s.fileArgument("write_file"), name, "content", result[name]))
		}
	}
	return calls
}

// deletes returns calls that remove used-up documents.
func (s *scene) deletes(documents, result map[string]string) []toolCall {
	var calls []toolCall
	for _, name := range usedUp(documents, result) {
		if !s.deleted[name] {
			calls = append(calls, function("delete_file", s.fileArgument("delete_file"), name))
		}
	}
	return calls
}

// script returns a Python program that reads the documents, writes the result and removes
// used-up documents. above is the prefix of their names.
func script(documents, result map[string]string, above string) string {
	var b strings.Builder
	b.WriteString("import os\n\n")
	for _, name := range sortedNames(documents) {
		fmt.Fprintf(&b, "with open(%s, encoding='utf-8', newline='') as f:\n    print(f.name, len(f.read()))\n", literal(above+name))
	}
	for _, name := range sortedNames(result) {
		b.WriteString(makingFolder(above+name, name) + writingText(above+name, "w", result[name]))
	}
	for _, name := range usedUp(documents, result) {
		b.WriteString(removing(above + name))
	}
	return b.String()
}

// Python statements that create a file's folder, write a text to a file, and remove a file.
func makingFolder(path, name string) string {
	if !strings.Contains(name, "/") {
		return ""
	}
	return fmt.Sprintf("os.makedirs(os.path.dirname(%s), exist_ok=True)\n", literal(path))
}

func writingText(path, mode, text string) string {
	return fmt.Sprintf("with open(%s, '%s', encoding='utf-8', newline='') as f:\n    f.write(%s)\n", literal(path), mode, literal(text))
}

func removing(path string) string { return fmt.Sprintf("os.remove(%s)\n", literal(path)) }

// usedUp returns the documents that are not among the resulting files.
func usedUp(documents, result map[string]string) []string {
	return slices.DeleteFunc(sortedNames(documents), func(name string) bool { _, kept := result[name]; return kept })
}

func sortedNames(files map[string]string) []string { return slices.Sorted(maps.Keys(files)) }

// literal returns a Python string literal. A JSON string is a valid one.
func literal(s string) string { return string(written(s)) }

// function returns a call with the given argument names and values.
func function(name string, arguments ...any) toolCall { return handle{name: name}.call(arguments...) }

func call(functions ...toolCall) message {
	m := message{Role: assistant}
	for _, f := range functions {
		hash := fnv.New64a()
		hash.Write([]byte(f.Name + f.Arguments))
		f.ID = fmt.Sprintf("call_%016x", hash.Sum64())
		m.ToolCalls = append(m.ToolCalls, f)
	}
	return m
}
