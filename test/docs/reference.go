package docs

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
)

// Generated is the first line of a page of the reference.
const Generated = "<!-- Written from the code by: go test ./test/docs ./cmd/agentd -run Reference -update -->\n\n"

// Field is a field of a struct that files or rows are made of.
type Field struct {
	Name string // as in a file
	Type string // in words, such as "list of text"
	Doc  string // what its comment says, in Markdown
	Of   reflect.Type
}

// Fields are those of a struct that have a name in its tags under key, such as yaml or json,
// in their order. The fields of structs that it embeds are among them. root is the folder of
// the module, where the comments are read. A field without a comment is an error.
func Fields(root string, of reflect.Type, key string) ([]Field, error) {
	comments, err := comments(root, of)
	if err != nil {
		return nil, err
	}
	names := map[string]string{}
	for _, f := range reflect.VisibleFields(of) {
		if name, _, _ := strings.Cut(f.Tag.Get(key), ","); name != "" && name != "-" {
			names[f.Name] = name
		}
	}
	var all []Field
	for i := range of.NumField() {
		f := of.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get(key), ",")
		if f.Anonymous && (name == "" || strings.Contains(options, "inline")) {
			embedded, err := Fields(root, f.Type, key)
			if err != nil {
				return nil, err
			}
			all = append(all, embedded...)
			continue
		}
		if name == "" || name == "-" || !f.IsExported() {
			continue
		}
		text := comments[f.Name]
		if text == "" {
			return nil, fmt.Errorf("field %s of %v, %s in files, has no comment", f.Name, of, name)
		}
		all = append(all, Field{name, inWords(f.Type), asWritten(text, f.Name, names), f.Type})
	}
	return all, nil
}

// comments are those of a struct's fields, by the names of the fields.
func comments(root string, of reflect.Type) (map[string]string, error) {
	folder := filepath.Join(root, filepath.FromSlash(strings.TrimPrefix(of.PkgPath(), "agentd/")))
	files, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		return nil, err
	}
	found := map[string]string{}
	for _, file := range files {
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, fmt.Errorf("reading the comments of %v: %w", of, err)
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			spec, ok := n.(*ast.TypeSpec)
			if !ok || spec.Name.Name != of.Name() {
				return true
			}
			body, ok := spec.Type.(*ast.StructType)
			if !ok {
				return true
			}
			for _, f := range body.Fields.List {
				text := strings.TrimSpace(f.Doc.Text() + " " + f.Comment.Text())
				for _, name := range f.Names {
					found[name.Name] = strings.Join(strings.Fields(text), " ")
				}
			}
			return false
		})
	}
	return found, nil
}

// word is a name of Go in a comment.
var word = regexp.MustCompile(`\b[A-Z][A-Za-z]+\b`)

// prose are names of fields that comments use as words of the language.
var prose = []string{"USD", "API", "Python"}

// asWritten is a comment as a reader of files understands it: with the names that files have
// in place of Go's, a capital letter at its beginning and a full stop at its end.
func asWritten(text, field string, names map[string]string) string {
	if rest, ok := strings.CutPrefix(text, field+" "); ok {
		for _, verb := range []string{"is ", "are ", "says "} {
			if said, ok := strings.CutPrefix(rest, verb); ok {
				rest = said
				break
			}
		}
		if said, ok := strings.CutPrefix(rest, "that "); ok {
			rest = "whether " + said
		}
		text = rest
	}
	text = word.ReplaceAllStringFunc(text, func(found string) string {
		if name := names[found]; name != "" && !slices.Contains(prose, found) {
			return "`" + name + "`"
		}
		return found
	})
	text = regexp.MustCompile(`\bnil\b`).ReplaceAllString(text, "left out")
	text = strings.ToUpper(text[:1]) + text[1:]
	if !strings.HasSuffix(text, ".") {
		text += "."
	}
	return strings.ReplaceAll(text, "|", `\|`)
}

// inWords says what values of a type look like in a file.
func inWords(t reflect.Type) string {
	switch t.String() {
	case "time.Duration":
		return "time, as `30m`"
	case "experiment.Schedule":
		return "text, or a list of edits"
	case "fleet.FaultLimit":
		return "whole number, or a share as `5%`"
	}
	switch t.Kind() {
	case reflect.Pointer:
		return inWords(t.Elem())
	case reflect.Slice:
		if words := inWords(t.Elem()); words != "keys" {
			return "list of " + words
		}
		return "list"
	case reflect.Map:
		return "names and values"
	case reflect.Bool:
		return "true or false"
	case reflect.Int, reflect.Int64, reflect.Uint64:
		return "whole number"
	case reflect.Float64:
		return "number"
	case reflect.String:
		return "text"
	case reflect.Interface:
		return "anything"
	default:
		return "keys"
	}
}

// Table writes fields as a table of Markdown.
func Table(head string, fields []Field) string {
	var out strings.Builder
	fmt.Fprintf(&out, "| %s | value | meaning |\n| --- | --- | --- |\n", head)
	for _, f := range fields {
		fmt.Fprintf(&out, "| `%s` | %s | %s |\n", f.Name, f.Type, f.Doc)
	}
	return out.String()
}

// Anchor is the anchor of a heading, as GitHub and the site make it.
func Anchor(heading string) string {
	heading = strings.ToLower(regexp.MustCompile("[`*]|\\[|\\]\\([^)]*\\)").ReplaceAllString(heading, ""))
	heading = regexp.MustCompile(`[^\p{L}\p{N}\s_-]`).ReplaceAllString(heading, "")
	return strings.ReplaceAll(strings.TrimSpace(heading), " ", "-")
}
