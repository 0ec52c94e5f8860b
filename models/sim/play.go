package sim

import (
	"bytes"
	"fmt"
	"hash/fnv"
	"iter"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"

	"agentd/models/wire"
)

// play returns the stand-in's next message of a conversation. It depends on the
// profile and the request alone.
func play(profile Profile, editor Editor, works *works, r *request) message {
	if asksForJudgement(r) {
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
	if ok && job.Partial { // what came later may complete it
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
	if p.review { // it cannot tell what is wrong
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

// stream returns the source of chance for one purpose, the same for every turn
// of a conversation.
func stream(r *request, purpose string) *rand.Rand {
	hash := fnv.New64a()
	fmt.Fprintf(hash, "%s\x00%d\x00", purpose, r.seed())
	hash.Write([]byte(r.task()))
	return rand.New(rand.NewPCG(hash.Sum64(), 0))
}

// inBlocks answers with files in fenced blocks. Unless their ends are to stay as they
// are, each closing fence stands in a line of its own.
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

// scene is a conversation with tools so far.
type scene struct {
	profile Profile
	request *request
	job     Job
	files   []string // all in the workspace at the start
	damage  Damage
	works   *works
	own     map[string]*wire.Tool // our tools as the request has them, by our names

	read    map[string]string // what was read, by any tool
	partly  map[string]string // what scripts have read so far
	written map[string]bool
	refused map[string]bool // files that could not be changed in place
	deleted map[string]bool
	script  outcome // of the script, if it ran one

	folder   string // of the files, as a script of an agent's shell has said
	finished bool   // it has called finish
	gone     bool   // a client has left out what was read
}

type outcome uint8

const (
	notRun outcome = iota
	worked
	failed
)

// look gathers from the conversation what was done.
func (s *scene) look() {
	s.read, s.partly = map[string]string{}, map[string]string{}
	s.written, s.refused, s.deleted = map[string]bool{}, map[string]bool{}, map[string]bool{}
	for call, answer := range s.request.answered() {
		if s.own[call.Name] == nil { // a client has passed the call on
			answer = passedOn.ReplaceAllString(answer, "")
		}
		s.notice(call, answer)
	}
}

// answered are the calls since the message that says what to do, each with its answer.
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

// passedOn is what a client that passes calls on puts before the answers.
var passedOn = regexp.MustCompile(`^(?:Chunk ID: .*\n)?Wall time: .*\nOutput:\n`)

// notice takes in what a call came to.
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
	case "finish": // a client that passes calls on asks once more
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

// leftOut is how a client begins the answer that takes the place of one that it has left out
// of a long conversation.
const leftOut = "(This result was left out"

// asksForSummary reports whether a conversation that has become too long is to be summed up.
func asksForSummary(r *request) bool {
	last := len(r.Messages) - 1
	return last >= 0 && r.Messages[last].Role == user && strings.Contains(r.Messages[last].Text(between), "Sum up what was done so far.")
}

// scriptEndedBadly is how the answer to a script of the published set ends that did not
// work; the answer to one that did says nothing of it.
var scriptEndedBadly = regexp.MustCompile(`\[exit code \d+\]$|The script was stopped: .*$`)

// above is what a script of the published set puts before the names of files: it works
// in the folder above them.
func (s *scene) above() string {
	if tool := s.own["run_python"]; tool != nil && strings.Contains(tool.Description+s.request.firstOf(system), "./workspace/") {
		return "workspace/"
	}
	return ""
}

// fileArgument is what a tool calls the name of a file.
func (s *scene) fileArgument(tool string) string {
	if own := s.own[tool]; own != nil && bytes.Contains(own.Parameters, []byte(`"filename"`)) {
		return "filename"
	}
	return "path"
}

// atATime is how many files the stand-in reads or writes in one turn.
const atATime = 3

// next is the stand-in's next move: it reads, edits, tidies up, finishes. Pictures, which
// it cannot read, it edits by a script.
func (s *scene) next() message {
	if program := s.program(); program != "" {
		if s.script == notRun {
			return s.call(function("run_python", "code", program))
		}
		return s.call(function("finish"))
	}
	if s.gone && (s.script == worked || len(s.deleted) > 0) { // all is done, and the documents are no longer there
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

// program is a script that does the job on pictures; "" if the documents are text.
func (s *scene) program() string {
	if s.job.Program == nil || !s.offers("run_python") {
		return ""
	}
	return s.job.Program(s.files, s.above(), s.damage)
}

// documents are those that were read.
func (s *scene) documents() map[string]string {
	documents := map[string]string{}
	for _, name := range s.files {
		if content, ok := s.read[name]; ok && s.job.IsDocument(name) {
			documents[name] = content
		}
	}
	return documents
}

// reads are the files still to be read: all documents, and now and then another.
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

// ways says how this interaction is edited with the tools there are.
func (s *scene) ways() (byScript, byWriting bool) {
	switch {
	case !s.offers("write_file"):
		return true, false
	case !s.offers("run_python"):
		return false, true
	}
	return s.chosenWay()
}

// chosenWay says how this interaction is edited by a profile that has the choice.
func (s *scene) chosenWay() (byScript, byWriting bool) {
	chance := stream(s.request, "way "+s.profile.Name).Float64()
	byScript = chance < s.profile.Script+s.profile.Both
	byWriting = chance >= s.profile.Script
	return byScript, byWriting
}

// writes are the files still to be written; after a script, one of them.
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

// deletes are the documents that the edit has used up.
func (s *scene) deletes(documents, result map[string]string) []toolCall {
	var calls []toolCall
	for _, name := range usedUp(documents, result) {
		if !s.deleted[name] {
			calls = append(calls, function("delete_file", s.fileArgument("delete_file"), name))
		}
	}
	return calls
}

// script returns a Python program that reads the documents, writes the result
// and removes what was used up. They lie in the folder that above names.
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

// Statements of Python: making the folder of a file that is in one, writing a text to a file, and
// removing a file.
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

// usedUp are the documents that are not among the files that come of them.
func usedUp(documents, result map[string]string) []string {
	return slices.DeleteFunc(sortedNames(documents), func(name string) bool { _, kept := result[name]; return kept })
}

func sortedNames(files map[string]string) []string { return slices.Sorted(maps.Keys(files)) }

// literal is a Python string literal; a JSON string is one.
func literal(s string) string { return string(written(s)) }

// function returns a call with the given argument names and values.
func function(name string, arguments ...string) toolCall {
	args := map[string]string{}
	for i := 0; i+1 < len(arguments); i += 2 {
		args[arguments[i]] = arguments[i+1]
	}
	return toolCall{Name: name, Arguments: string(written(args))}
}

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
