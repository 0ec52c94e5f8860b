// Package opinion puts questions to a model whose answer is a number or one of a few
// categories. Prompts are templates in files; the form of the answer is this package's.
package opinion

import (
	_ "embed"
	"fmt"
	"hash/fnv"
	"io/fs"
	"path"
	"strings"
	"text/template"
	"unicode/utf8"

	"agentd/vfs"
)

// Asker returns the answer to a prompt, a JSON object; accept says whether it can be read.
// The Ask of a domains.Judge is one, and its errors are those of the functions here.
type Asker func(prompt string, accept func(answer map[string]any) error) (map[string]any, error)

// Choice is one of several categories, with the reason for it.
type Choice struct {
	Category int    // from 0
	Why      string // what the model gave as the reason
}

// Category is one that can be chosen.
type Category struct {
	Name    string // for programs
	Head    string // for people, in a few words
	Meaning string // for the model
}

var (
	//go:embed number.md
	numberForm string
	//go:embed choice.md
	choiceForm string
	//go:embed ratings.md
	ratingsForm string
)

// Number asks for a whole number from least to most.
func (ask Asker) Number(prompt string, least, most int) (int, error) {
	form, err := execute("number.md", numberForm, map[string]any{"Least": least, "Most": most})
	if err != nil {
		return 0, err
	}
	var n int
	_, err = ask(prompt+form, func(answer map[string]any) (err error) {
		n, err = within(answer, "number", least, most)
		return err
	})
	return n, err
}

// mostWhy is how many characters of a reason are kept.
const mostWhy = 2000

// Choose asks for one of the categories, with a reason.
func (ask Asker) Choose(prompt string, categories []Category) (Choice, error) {
	form, err := execute("choice.md", choiceForm, map[string]any{"Categories": categories, "Most": len(categories)})
	if err != nil {
		return Choice{}, err
	}
	var c Choice
	_, err = ask(prompt+form, func(answer map[string]any) error {
		n, err := within(answer, "category", 1, len(categories))
		why, _ := answer["justification"].(string)
		if why = strings.TrimSpace(why); err == nil && why == "" {
			err = fmt.Errorf("it has no justification")
		}
		c = Choice{Category: n - 1, Why: shortened(why)}
		return err
	})
	return c, err
}

// MostRating is the best answer of Rate: that a statement is entirely true.
const MostRating = 4

// Rate asks how true each of several statements is, from 0 to MostRating.
func (ask Asker) Rate(prompt string, statements []string) ([]int, error) {
	form, err := execute("ratings.md", ratingsForm, map[string]any{"Statements": statements, "Most": MostRating})
	if err != nil {
		return nil, err
	}
	ratings := make([]int, len(statements))
	_, err = ask(prompt+form, func(answer map[string]any) error {
		for i := range ratings {
			var err error
			if ratings[i], err = within(answer, fmt.Sprintf("s%d", i+1), 0, MostRating); err != nil {
				return err
			}
		}
		return nil
	})
	return ratings, err
}

func shortened(text string) string {
	if utf8.RuneCountInString(text) <= mostWhy {
		return text
	}
	return string([]rune(text)[:mostWhy]) + "…"
}

func within(answer map[string]any, name string, least, most int) (int, error) {
	n, ok := answer[name].(float64)
	if !ok || n < float64(least) || n > float64(most) || n != float64(int(n)) {
		return 0, fmt.Errorf("its %s is no whole number from %d to %d", name, least, most)
	}
	return int(n), nil
}

// Framed puts files between lines that nothing in them can know.
func Framed(title string, files vfs.Files) string {
	hash := fnv.New64a()
	for _, name := range files.Names() {
		hash.Write([]byte(name + "\x00" + files[name] + "\x00"))
	}
	var b strings.Builder
	for _, name := range files.Names() {
		fmt.Fprintf(&b, "----- %s, %s %016x -----\n%s\n", title, name, hash.Sum64(), files[name])
	}
	fmt.Fprintf(&b, "----- end of %s %016x -----\n", title, hash.Sum64())
	return b.String()
}

// FramedText puts a text between such lines.
func FramedText(title, text string) string { return Framed(title, vfs.Files{"text": text}) }

// Prompt fills in a prompt file.
func Prompt(files fs.FS, file string, values any) (string, error) {
	text, err := fs.ReadFile(files, file)
	if err != nil {
		return "", fmt.Errorf("reading prompt: %w", err)
	}
	return execute(path.Base(file), string(text), values)
}

func execute(name, text string, values any) (string, error) {
	t, err := template.New(name).Funcs(template.FuncMap{"add": func(a, b int) int { return a + b }}).Parse(text)
	if err != nil {
		return "", fmt.Errorf("reading prompt: %w", err)
	}
	var b strings.Builder
	err = t.Execute(&b, values)
	return b.String(), err
}
