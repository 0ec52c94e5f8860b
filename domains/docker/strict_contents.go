package docker

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"agentd/domains"
	"agentd/domains/internal/lists"
)

// content is what an instruction says, or one of several things that it says.
type content struct {
	key    string // by which it is known
	fields []domains.Field
}

// contents takes an instruction's text apart. Several pairs of ENV or LABEL,
// several ARGs and several ports are the same in one instruction as in as many.
func (f *flattener) contents(p *part) []content {
	var several []content
	add := func(name string, fields ...domains.Field) { several = append(several, content{name, fields}) }
	switch p.keyword {
	case "ENV", "LABEL":
		for _, p := range readPairs(p.text) {
			name := bare(p.name)
			add(name, domains.Field{Name: "name", Value: name}, domains.Field{Name: "value", Value: bare(p.value)})
		}
	case "ARG":
		for _, word := range words(p.text) {
			name, value, assigned := strings.Cut(word, "=")
			fields := []domains.Field{{Name: "name", Value: name}}
			if assigned {
				fields = append(fields, domains.Field{Name: "default", Value: bare(value)})
			}
			add(name, fields...)
		}
	case "EXPOSE":
		for _, port := range bareWords(p.text) {
			port = strings.ToLower(port)
			if !strings.ContainsAny(port, "/$") {
				port += "/tcp"
			}
			add(port, domains.Field{Name: "port", Value: port})
		}
	case "ONBUILD":
		return f.onBuildContents(p)
	default:
		return []content{f.singleContent(p)}
	}
	if several == nil {
		return []content{{}}
	}
	return several
}

func (f *flattener) singleContent(p *part) content {
	flags, text := cutFlags(p.text)
	c := content{fields: f.flagFields(flags)}
	add := func(name string, values ...string) {
		for _, value := range values {
			c.fields = append(c.fields, domains.Field{Name: name, Value: value})
		}
	}
	switch p.keyword {
	case "RUN", "CMD", "ENTRYPOINT", "SHELL":
		first := strings.Fields(text[:min(len(text), 200)])
		c.key = strings.Join(first[:min(len(first), 3)], " ")
		c.fields = append(c.fields, commandFields(text)...)
	case "HEALTHCHECK":
		kind, rest := cutBlank(text)
		add("test", strings.ToUpper(kind))
		c.fields = append(c.fields, commandFields(rest)...)
	case "COPY", "ADD":
		paths := pathList(text)
		if n := len(paths); n > 0 {
			add("source", paths[:n-1]...)
			add("destination", paths[n-1])
			c.key = paths[n-1]
		}
	case "VOLUME":
		add("path", pathList(text)...)
	default:
		add("value", bare(blanksAsOne(text)))
	}
	for _, h := range p.heredocs {
		for i, line := range h.lines {
			add(fmt.Sprintf("line %d of %s", i+1, h.name), line)
		}
	}
	return c
}

func bareWords(text string) []string {
	all := words(text)
	for i := range all {
		if !strings.HasPrefix(all[i], "<<") { // quotes of a heredoc's name say that nothing is expanded in it
			all[i] = bare(all[i])
		}
	}
	return all
}

func pathList(text string) []string {
	if list, ok := jsonList(text); ok {
		return list
	}
	return bareWords(text)
}

// jsonList reads the exec form.
func jsonList(text string) ([]string, bool) {
	var list []string
	exec := strings.HasPrefix(text, "[") && json.Unmarshal([]byte(text), &list) == nil
	return list, exec
}

// commandFields are the arguments of an exec form or the commands of a shell
// form, in order.
func commandFields(text string) []domains.Field {
	name := "argument"
	parts, exec := jsonList(text)
	if !exec {
		name, parts = "command", commands(text)
	}
	fields := make([]domains.Field, len(parts))
	for i, part := range parts {
		fields[i] = domains.Field{Name: fmt.Sprintf("%s %d", name, i+1), Value: part}
	}
	return fields
}

// flagFields are the options of an instruction; which stage they mean counts,
// not how they call it.
func (f *flattener) flagFields(flags []flag) []domains.Field {
	return lists.Map(flags, func(option flag) domains.Field {
		value := bare(option.value)
		switch option.name {
		case "--from":
			value = f.source(value)
		case "--mount":
			value = f.mount(value)
		case "--interval", "--timeout", "--start-period", "--start-interval":
			if d, err := time.ParseDuration(value); err == nil {
				value = d.String()
			}
		}
		return domains.Field{Name: option.name, Value: value}
	})
}

// mount puts the options of a mount in order.
func (f *flattener) mount(value string) string {
	options := strings.Split(value, ",")
	for i, option := range options {
		if from, ok := strings.CutPrefix(option, "from="); ok {
			options[i] = "from=" + f.source(from)
		}
	}
	slices.Sort(options)
	return strings.Join(options, ",")
}

// pair is an assignment of ENV or LABEL as it is written.
type pair struct{ name, value string }

// readPairs reads "a=1 b=2", or the old form "a 1" of one pair without "=".
func readPairs(text string) []pair {
	all := words(text)
	if len(all) == 0 {
		return nil
	}
	if !strings.Contains(all[0], "=") {
		name, value := cutBlank(text)
		return []pair{{name, value}}
	}
	return lists.Map(all, func(word string) pair {
		name, value, _ := strings.Cut(word, "=")
		return pair{name, value}
	})
}

// onBuildContents are those of the instruction that waits for another build.
func (f *flattener) onBuildContents(p *part) []content {
	waiting := *p
	var keyword string
	keyword, waiting.text = cutBlank(p.text)
	waiting.keyword = strings.ToUpper(keyword)
	if waiting.keyword == "ONBUILD" || !slices.Contains(keywords, waiting.keyword) {
		return []content{{fields: []domains.Field{{Name: "value", Value: blanksAsOne(p.text)}}}}
	}
	all := f.contents(&waiting)
	for i := range all {
		all[i].fields = append([]domains.Field{{Name: "waiting", Value: waiting.keyword}}, all[i].fields...)
	}
	return all
}
