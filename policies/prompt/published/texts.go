package published

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"agentd/internal/lazyregexp"
)

// JudgeOfFiction is the name of the text that asks the judge of fiction its fourteen questions.
const JudgeOfFiction = "judge/fiction.md"

// Texts returns the prompts that the files of a folder hold, by policy/file, as the
// policies direct and agentic name theirs under the published protocol. They are
// templates that say what the files say to the letter, white space at the ends
// included; agentic/tools.json describes the tools, and JudgeOfFiction is what a judge is
// asked, which is no template. The error wraps ErrNotPulled if a
// file is not there, or is another one.
func (r Release) Texts(dir string) (map[string]string, error) {
	texts := map[string]string{}
	for _, direct := range [...][2]string{{"documents", documentsFile}, {"python", pythonFile}, {"fiction", fictionFile}} {
		name, path := direct[0], direct[1]
		text, err := r.read(dir, path)
		if err != nil {
			return nil, err
		}
		if texts["direct/"+name+".md"], err = directTemplate(text); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
	}
	image, err := r.read(dir, imageFile)
	if err != nil {
		return nil, err
	}
	if texts["direct/image.md"], err = imageTemplate(image); err != nil {
		return nil, fmt.Errorf("%s: %w", imageFile, err)
	}
	questions, err := r.read(dir, judgeFile)
	if err != nil {
		return nil, err
	}
	texts[JudgeOfFiction] = questions
	program, err := r.read(dir, agenticFile)
	if err != nil {
		return nil, err
	}
	if err := r.Agentic.add(texts, program); err != nil {
		return nil, fmt.Errorf("%s: %w", agenticFile, err)
	}
	return texts, nil
}

// add adds the prompts of the agentic mode, which the program holds.
func (a Agentic) add(texts map[string]string, program string) error {
	length, err := formatTemplate(program, []Span{a.TargetLength}, map[string]string{"target_length": `{{.TargetWords}}`})
	if err != nil {
		return err
	}
	task := `{{.Instruction}}{{if .TargetWords}}` + length + `{{end}}`
	for file, text := range map[string]struct {
		spans  []Span
		values map[string]string // nil where braces stand for themselves
	}{
		"system.md": {[]Span{a.System}, map[string]string{"target_filenames": `{{.TargetNames}}`}},
		"user.md": {a.User, map[string]string{
			"file_list_str": `{{range $i, $file := .Files}}{{if $i}}{{"\n"}}{{end}}  - {{$file.Name}}{{end}}`, "task_str": task,
		}},
		"acknowledged.md": {[]Span{a.Acknowledged}, nil},
		"nudge.md":        {a.Nudge, nil},
	} {
		template, err := formatTemplate(program, text.spans, text.values)
		if err != nil {
			return err
		}
		texts["agentic/"+file] = keepingEnds(template)
	}
	texts["agentic/tools.json"], err = toolsText(program, a.Tools)
	return err
}

// directPlaceholder is what stands in the prompts of the direct mode for what is filled
// in.
var directPlaceholder = lazyregexp.New(`\[\[([A-Z_]+)\]\]`)

// directTemplate turns a prompt of the direct mode into a template. Where nothing says
// how long a text shall become, it shall stay as long as it is.
func directTemplate(text string) (string, error) {
	template, err := filled(text, directPlaceholder, map[string]string{
		"[[INPUT_CONTEXT]]":     `{{.Contents}}`,
		"[[FILE_NAMES]]":        `{{.TargetList}}`,
		"[[EDITING_OPERATION]]": `{{.Instruction}}`,
		"[[CURRENT_LENGTH]]":    `{{.Words}}`,
		"[[TARGET_LENGTH]]":     `{{or .TargetWords .Words}}`,
	})
	return keepingEnds(template), err
}

// severalPictures names the pictures of an edit that has more than one before or after, which the
// published program has none of: else it would not be known which is which.
const severalPictures = `
{{- if gt (len .Attached) 1}}

The pictures are attached, in this order:
{{range .Attached}}- {{.}}
{{end}}{{end}}
{{- if gt (len .Targets) 1}}

Answer with one picture: {{.Picture}}

All files that the instruction makes, of which only that one is wanted now:
{{range .Targets}}- {{.}}
{{end}}{{end}}`

// imageTemplate turns the prompt for pictures into a template.
func imageTemplate(text string) (string, error) {
	template, err := filled(text, directPlaceholder, map[string]string{"[[EDITING_OPERATION]]": `{{.Instruction}}`})
	return keepingEnds(template) + severalPictures, err
}

// formatPart is what means something in a Python text that values are filled in: a
// doubled brace, which stands for one, or a name in braces.
var formatPart = lazyregexp.New(`\{\{|\}\}|\{[^{}]*\}|[{}]`)

// formatTemplate turns parts of a program, each the inside of a Python string, into one
// template. values are what names in braces become; nil where braces stand for
// themselves.
func formatTemplate(program string, parts []Span, values map[string]string) (string, error) {
	var whole strings.Builder
	for _, part := range parts {
		inside, err := part.of(program)
		if err != nil {
			return "", err
		}
		text, err := unquoted(inside, part.First)
		if err != nil {
			return "", err
		}
		if values == nil {
			whole.WriteString(literally(text))
			continue
		}
		actions := map[string]string{"{{": literally("{"), "}}": "}"}
		for name, action := range values {
			actions["{"+name+"}"] = action
		}
		template, err := filled(text, formatPart, actions)
		if err != nil {
			return "", fmt.Errorf("bytes %d to %d: %w", part.First, part.End, err)
		}
		whole.WriteString(template)
	}
	return whole.String(), nil
}

// filled turns a text into a template: what the pattern finds becomes an action, and
// the rest stands for itself. What has no action is an error.
func filled(text string, pattern *lazyregexp.Regexp, actions map[string]string) (string, error) {
	var b strings.Builder
	at := 0
	for _, found := range pattern.FindAllStringIndex(text, -1) {
		action, known := actions[text[found[0]:found[1]]]
		if !known {
			return "", fmt.Errorf("nothing is known to take the place of %s", text[found[0]:found[1]])
		}
		b.WriteString(literally(text[at:found[0]]) + action)
		at = found[1]
	}
	b.WriteString(literally(text[at:]))
	return b.String(), nil
}

// literally is a text as a template that gives it back. Every opening brace is
// written as an action: next to the brace of an action it would become part of it.
func literally(text string) string { return strings.ReplaceAll(text, "{", `{{"{"}}`) }

// keepingEnds writes white space at the ends of a template as actions, because what
// loads a prompt takes it off.
func keepingEnds(template string) string {
	action := func(space string) string {
		if space == "" {
			return ""
		}
		return "{{" + strconv.Quote(space) + "}}"
	}
	inside := strings.TrimSpace(template)
	if inside == "" {
		return action(template)
	}
	before, after, _ := strings.Cut(template, inside)
	return action(before) + inside + action(after)
}

// of returns the part of a text.
func (s Span) of(text string) (string, error) {
	if s.First < 0 || s.End < s.First || s.End > len(text) {
		return "", fmt.Errorf("it has no bytes %d to %d", s.First, s.End)
	}
	return text[s.First:s.End], nil
}

// toolsText turns the tools, as a Python program offers them to a model, into the text
// that describes them to the policy: an object by their names, in their order.
func toolsText(program string, where Span) (string, error) {
	literal, err := where.of(program)
	if err != nil {
		return "", err
	}
	offered, err := toJSON(literal, where.First)
	if err != nil {
		return "", err
	}
	var tools []struct {
		Type     string
		Function struct {
			Name, Description string
			Parameters        json.RawMessage
		}
	}
	decoder := json.NewDecoder(strings.NewReader(string(offered)))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&tools); err != nil {
		return "", fmt.Errorf("bytes %d to %d are no list of tools: %w", where.First, where.End, err)
	}
	parts := make([]string, len(tools))
	for i, t := range tools {
		if t.Type != "function" {
			return "", fmt.Errorf("tool %d is no function but %q", i+1, t.Type)
		}
		parts[i] = fmt.Sprintf("  %s: {\n    \"description\": %s,\n    \"parameters\": %s\n  }",
			jsonString(t.Function.Name), jsonString(t.Function.Description), t.Function.Parameters)
	}
	return "{\n" + strings.Join(parts, ",\n") + "\n}\n", nil
}
