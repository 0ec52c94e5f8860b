package tools

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/aymanbagabas/go-udiff"

	"agentd/internal/picture"
	"agentd/vfs"
)

// Bounds on what one call of an editor's tool returns.
const (
	maxMatches   = 200    // lines that grep shows
	maxLine      = 1_000  // bytes that grep shows of a line
	maxDiff      = 30_000 // bytes that diff shows
	mostNumbered = 20     // line numbers that an error lists
)

type viewArgs struct {
	Path  string `json:"path" jsonschema:"Path of the file, relative to the workspace."`
	Start int    `json:"start,omitempty" jsonschema:"First line to show, from 1 (default 1)."`
	End   int    `json:"end,omitempty" jsonschema:"Last line to show (default the last)."`
}

type grepArgs struct {
	Pattern string `json:"pattern" jsonschema:"Regular expression (RE2) that is looked for in each line."`
	Path    string `json:"path,omitempty" jsonschema:"File to look in, or a pattern such as *.csv (default all files)."`
}

type diffArgs struct {
	Path string `json:"path,omitempty" jsonschema:"File to compare (default all files)."`
}

type replaceArgs struct {
	Path string `json:"path" jsonschema:"Path of the file, relative to the workspace."`
	Old  string `json:"old" jsonschema:"The text to be replaced, exactly as it stands in the file, line breaks included. It must occur once."`
	New  string `json:"new" jsonschema:"The text to put in its place."`
}

type insertArgs struct {
	Path string `json:"path" jsonschema:"Path of the file, relative to the workspace."`
	Line int    `json:"line" jsonschema:"Line after which to insert; 0 for the beginning of the file."`
	Text string `json:"text" jsonschema:"The lines to insert."`
}

type moveArgs struct {
	From string `json:"from" jsonschema:"Path of the file that is there."`
	To   string `json:"to" jsonschema:"Path that nothing has yet."`
}

// Editor returns the tools of an editor. They let a model change a document without writing its
// unchanged parts again.
func Editor() []Tool {
	return []Tool{
		define(List, "List the files of the workspace, with their lines and bytes.", listFiles),
		define(View, "Show a file, or some lines of it, with line numbers.", view),
		define(Grep, "Find the lines that match a regular expression.", grep),
		define(Diff, "Show what changed since the start, as a unified diff.", diffStart),
		define(Replace, "Replace a text that occurs exactly once in a file.", replace),
		define(Insert, "Insert lines into a file.", insert),
		define(Copy, "Copy a file to a new path.", copyFile),
		define(Rename, "Give a file a new path.", renameFile),
		writeTool(), deleteTool(), pythonTool(), finishTool(),
	}
}

// All returns every tool, without the published variants.
func All() []Tool {
	return append([]Tool{readTool()}, Editor()...)
}

// Programmatic returns run_python and finish.
func Programmatic() []Tool { return []Tool{pythonTool(), finishTool()} }

func listFiles(_ context.Context, s *Session, _ struct{}) (string, error) {
	files, err := s.Workspace.Snapshot()
	if err != nil {
		return "", err
	}
	if len(files) == 0 {
		return "(there are no files)", nil
	}
	var b strings.Builder
	for _, name := range files.Names() {
		if vfs.Binary(name) {
			fmt.Fprintf(&b, "%s (%s)\n", name, picture.Describe(files[name]))
			continue
		}
		fmt.Fprintf(&b, "%s (%d lines, %d bytes)\n", name, len(lines(files[name])), len(files[name]))
	}
	return b.String(), nil
}

// lines splits a text after each newline. The last line may lack one.
func lines(text string) []string {
	if text == "" {
		return nil
	}
	return strings.SplitAfter(strings.TrimSuffix(text, "\n"), "\n")
}

func view(_ context.Context, s *Session, args viewArgs) (string, error) {
	content, err := s.Workspace.Read(View, args.Path)
	if err != nil {
		return "", problem{err}
	}
	switch {
	case vfs.Binary(args.Path):
		return describeBinary(args.Path, content), nil
	case content == "":
		return emptyFile, nil
	}
	all := lines(content)
	start, end := max(args.Start, 1), args.End
	if end == 0 || end > len(all) {
		end = len(all)
	}
	if start > end {
		return "", problemf("there are no lines %d to %d: %s has %d lines", start, end, args.Path, len(all))
	}
	var b strings.Builder
	for i, line := range all[start-1 : end] {
		fmt.Fprintf(&b, "%6d\t%s\n", start+i, strings.TrimSuffix(line, "\n"))
	}
	if end == len(all) && !strings.HasSuffix(content, "\n") {
		b.WriteString("(no newline at the end)\n")
	}
	return b.String(), nil
}

func grep(_ context.Context, s *Session, args grepArgs) (string, error) {
	pattern, err := regexp.Compile(args.Pattern)
	if err != nil {
		return "", problemf("the pattern is not a regular expression: %w", err)
	}
	files, err := s.Workspace.Snapshot()
	if err != nil {
		return "", err
	}
	if args.Path != "" {
		if files = files.Match([]string{args.Path}); len(files) == 0 {
			return "", problemf("no file matches %s; %s shows what there is", args.Path, List)
		}
	}
	var b strings.Builder
	found := 0
	for _, name := range files.Names() {
		if vfs.Binary(name) {
			continue
		}
		before := found
		for i, line := range lines(files[name]) {
			line = strings.TrimRight(line, "\r\n")
			if !pattern.MatchString(line) {
				continue
			}
			if found++; found <= maxMatches {
				fmt.Fprintf(&b, "%s:%d:%s\n", name, i+1, shorten(line, maxLine))
			}
		}
		if found > before && before < maxMatches { // the model saw a part of the file
			s.Workspace.RecordRead(Grep, name)
		}
	}
	switch {
	case found == 0:
		return "(no line matches)", nil
	case found > maxMatches:
		fmt.Fprintf(&b, "(and %d more lines)\n", found-maxMatches)
	}
	return b.String(), nil
}

func shorten(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}

func diffStart(_ context.Context, s *Session, args diffArgs) (string, error) {
	now, err := s.Workspace.Snapshot()
	if err != nil {
		return "", err
	}
	start, err := s.Workspace.Start()
	if err != nil {
		return "", err
	}
	if args.Path != "" {
		was, is := start.Match([]string{args.Path}), now.Match([]string{args.Path})
		if len(was)+len(is) == 0 {
			return "", problemf("no file matches %s; %s shows what there is", args.Path, List)
		}
		start, now = was, is
	}
	return Changes(start, now), nil
}

// Changes returns the difference of two snapshots as a unified diff, cut off if it is
// very long.
func Changes(before, after vfs.Files) string {
	names := before.Names()
	for name := range after {
		if _, known := before[name]; !known {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	var b strings.Builder
	for _, name := range names {
		was, existed := before[name]
		is, exists := after[name]
		if was == is && existed == exists {
			continue
		}
		from, to := name, name
		if !existed {
			from = "/dev/null"
		}
		if !exists {
			to = "/dev/null"
		}
		if vfs.Binary(name) {
			fmt.Fprintf(&b, "--- %s\n+++ %s\n%s\n", from, to, binaryChange(was, is))
			continue
		}
		fmt.Fprint(&b, udiff.Unified(from, to, was, is))
		if was == is { // an empty file was created or deleted
			fmt.Fprintf(&b, "--- %s\n+++ %s\n", from, to)
		}
	}
	if b.Len() == 0 {
		return "(nothing changed)"
	}
	if text := b.String(); len(text) > maxDiff {
		return shorten(text, maxDiff) + "\n(the rest is left out)"
	}
	return b.String()
}

func replace(_ context.Context, s *Session, args replaceArgs) (string, error) {
	if vfs.Binary(args.Path) {
		return "", noText(args.Path)
	}
	if args.Old == "" {
		return "", problemf("old is empty; use %s to add lines", Insert)
	}
	content, err := s.content(args.Path)
	if err != nil {
		return "", err
	}
	at := linesOf(content, args.Old)
	switch {
	case len(at) == 0:
		return "", problemf("old does not occur in %s; give it exactly as %s shows it, without the line numbers", args.Path, View)
	case len(at) > 1:
		listed := strings.Join(at[:min(len(at), mostNumbered)], ", ")
		if len(at) > mostNumbered {
			listed += ", …"
		}
		return "", problemf("old occurs %d times in %s, at lines %s; give more of the text around the one you mean", len(at), args.Path, listed)
	}
	if err := s.write(args.Path, strings.Replace(content, args.Old, args.New, 1)); err != nil {
		return "", err
	}
	return fmt.Sprintf("Replaced at line %s of %s.", at[0], args.Path), nil
}

// binaryChange describes the change of a binary file in one line. An empty content stands
// for a file that does not exist.
func binaryChange(was, is string) string {
	switch {
	case was == "":
		return "new: " + picture.Describe(is)
	case is == "":
		return "deleted: " + picture.Describe(was)
	}
	return fmt.Sprintf("was: %s; is: %s", picture.Describe(was), picture.Describe(is))
}

// linesOf returns the number of the line at which each occurrence of a text begins.
// Occurrences may overlap.
func linesOf(content, text string) []string {
	var at []string
	line, from := 1, 0
	for {
		i := strings.Index(content[from:], text)
		if i < 0 {
			return at
		}
		line += strings.Count(content[from:from+i], "\n")
		at = append(at, strconv.Itoa(line))
		line += strings.Count(content[from+i:from+i+1], "\n")
		from += i + 1
	}
}

func insert(_ context.Context, s *Session, args insertArgs) (string, error) {
	if vfs.Binary(args.Path) {
		return "", noText(args.Path)
	}
	content, err := s.content(args.Path)
	if err != nil {
		return "", err
	}
	all := lines(content)
	if args.Line < 0 || args.Line > len(all) {
		return "", problemf("there is no line %d: %s has %d lines", args.Line, args.Path, len(all))
	}
	before, after := strings.Join(all[:args.Line], ""), strings.Join(all[args.Line:], "")
	if rest := content[len(before)+len(after):]; after != "" {
		after += rest
	} else {
		before += rest
	}
	if before != "" && !strings.HasSuffix(before, "\n") {
		before += "\n"
	}
	text := args.Text
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	if err := s.write(args.Path, before+text+after); err != nil {
		return "", err
	}
	return fmt.Sprintf("Inserted %d lines after line %d of %s.", strings.Count(text, "\n"), args.Line, args.Path), nil
}

func copyFile(_ context.Context, s *Session, args moveArgs) (string, error) {
	if err := s.copy(args); err != nil {
		return "", err
	}
	return fmt.Sprintf("Copied %s to %s.", args.From, args.To), nil
}

func renameFile(_ context.Context, s *Session, args moveArgs) (string, error) {
	if err := s.copy(args); err != nil {
		return "", err
	}
	if err := s.Workspace.Delete(args.From); err != nil {
		return "", problem{err}
	}
	s.changed++
	return fmt.Sprintf("Renamed %s to %s.", args.From, args.To), nil
}

func (s *Session) copy(args moveArgs) error {
	content, err := s.content(args.From)
	if err != nil {
		return err
	}
	if _, err := s.Workspace.Peek(args.To); err == nil {
		return problemf("%s is there already; delete it first, or choose another path", args.To)
	}
	if vfs.Binary(args.From) != vfs.Binary(args.To) {
		return problemf("one of %s and %s is a picture by its name and the other is text; convert it with %s", args.From, args.To, RunPython)
	}
	return s.put(args.To, content)
}

// content returns the content of a file. No read is logged, because the model does not
// see the content.
func (s *Session) content(name string) (string, error) {
	content, err := s.Workspace.Peek(name)
	if err != nil {
		return "", problem{err}
	}
	return content, nil
}

// write writes a text file. It refuses the name of a binary file.
func (s *Session) write(name, content string) error {
	if vfs.Binary(name) {
		return noText(name)
	}
	return s.put(name, content)
}

// put writes a file, text or binary.
func (s *Session) put(name, content string) error {
	if err := s.Workspace.Write(name, content); err != nil {
		return problem{err}
	}
	s.written = true
	s.changed++
	return nil
}
