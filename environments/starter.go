package environments

import (
	_ "embed"
	"fmt"
	"strings"
	"text/template"

	"agentd/domains"
)

// Placeholder begins each text of a starter that the author must replace. An environment with
// a placeholder is unfinished: no relay runs on it.
const Placeholder = "FILL IN:"

//go:embed starter.yaml.tmpl
var starterText string

// SaveStarter writes an environment template to a folder, like Save: the documents, and an
// environment.yaml with one example edit, comments on every key, and placeholders. Edits and Seed
// are ignored.
func (o Own) SaveStarter(d domains.Domain, to string) error {
	info := d.Info()
	env := Environment{
		Name: o.Name, Domain: info.Name, Seed: o.Documents, Encodings: o.encodings(), Targets: o.Documents.Names(), Distractors: o.Distractors,
		// What Save asks for. The file has the template's edit.
		Edits: []Edit{{Name: "example", Forward: "there", Backward: "back", Targets: []string{"example"}}},
	}
	if err := env.check(); err != nil {
		return err
	}
	var oracles []string
	for _, edit := range d.Edits() {
		oracles = append(oracles, edit.Name)
	}
	var parts string
	var attributes []string
	if format := d.Vocabulary(); format != nil {
		parts = format.Parts
		for _, a := range format.Attributes {
			attributes = append(attributes, a.Name)
		}
	}
	var text strings.Builder
	err := template.Must(template.New("").Parse(starterText)).Execute(&text, map[string]any{
		"Name": o.Name, "Domain": info.Name, "Format": info.Title, "Placeholder": Placeholder,
		"Documents": strings.Join(o.Documents.Names(), ", "), "Distractors": o.Distractors.Names(),
		"Patterns": strings.Join(info.Patterns, ", "), "Oracles": strings.Join(oracles, ", "),
		"Encodings": env.Encodings, "Parts": parts, "Attributes": strings.Join(attributes, ", "),
	})
	if err != nil {
		return fmt.Errorf("writing %s: %w", o.Name, err)
	}
	return env.write(to, []byte(text.String()))
}

// Unfinished returns the places that still have a placeholder.
func (e *Environment) Unfinished() []string {
	var places []string
	look := func(where string, texts ...string) {
		for _, text := range texts {
			if strings.HasPrefix(strings.TrimSpace(text), Placeholder) {
				places = append(places, where)
			}
		}
	}
	look("title", e.Title)
	look("licence", e.Licence)
	look("origin", e.Origin)
	look("summary", e.Summary)
	for _, edit := range e.Edits {
		look("edit "+edit.Name+", forward", edit.Forward)
		look("edit "+edit.Name+", backward", edit.Backward)
		look("edit "+edit.Name+", targets", edit.Targets...)
	}
	for _, d := range e.Summaries {
		look("distractor "+d.File, d.Summary)
	}
	return places
}

// checkFinished refuses an environment that still has a placeholder.
func (e *Environment) checkFinished() error {
	if places := e.Unfinished(); len(places) > 0 {
		return fmt.Errorf("%s is unfinished: %s begins with %q; replace that text, and see agentd env validate", e.Name, places[0], Placeholder)
	}
	return nil
}
