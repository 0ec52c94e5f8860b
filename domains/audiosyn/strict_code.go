package audiosyn

import (
	"strconv"
	"strings"

	"agentd/domains"
)

// codeFields adds the fields of an orchestra statement: its outputs, its opcode
// and the arguments.
func codeFields(fields []domains.Field, code string) []domains.Field {
	word := firstWord(code)
	switch word {
	case "if", "elseif", "while", "until", "goto", "igoto", "kgoto", "return":
		return append(fields, field("opcode", word), field("argument 1", normal(strings.Trim(code[len(word):], " \t"))))
	}
	cut := cuts(code)
	if cut.assign >= 0 {
		left, right := code[:cut.assign], code[cut.assign+1:]
		sign := "="
		if n := len(left); n > 0 && strings.IndexByte("+-*/", left[n-1]) >= 0 {
			sign, left = left[n-1:]+"=", left[:n-1]
		}
		fields = outputs(fields, left)
		fields = append(fields, field("opcode", sign))
		return arguments(fields, parts(right))
	}
	all := cut.parts(code)
	for n, part := range all {
		first, rest := cutWord(part)
		if rest == "" && n+1 < len(all) {
			continue
		}
		second, third := cutWord(rest)
		if n == 0 && !isArgument(third) {
			// An opcode without outputs.
			second, third = first, rest
		} else {
			fields = append(outputs(fields, strings.Join(all[:n], ",")), field(outputNames.of(n), first))
		}
		fields = append(fields, field("opcode", short(second)))
		if third != "" {
			all[n] = third
			return arguments(fields, all[n:])
		}
		return arguments(fields, all[n+1:])
	}
	return arguments(fields, all)
}

func outputs(fields []domains.Field, text string) []domains.Field {
	if strings.Trim(text, " \t") == "" {
		return fields
	}
	for n, name := range parts(text) {
		fields = append(fields, field(outputNames.of(n), normal(name)))
	}
	return fields
}

func arguments(fields []domains.Field, all []string) []domains.Field {
	for n, argument := range all {
		fields = append(fields, field(argumentNames.of(n), normal(argument)))
	}
	return fields
}

var outputNames, argumentNames = numbered("output "), numbered("argument ")

// fieldNames are the names of the fields of a statement: those that are common are made once.
type fieldNames struct {
	prefix string
	common []string
}

// numbered are names of a prefix and a number, from 1, but for the first ones, which are given.
func numbered(prefix string, first ...string) fieldNames {
	const common = 64
	for n := len(first); n < common; n++ {
		first = append(first, prefix+strconv.Itoa(n+1))
	}
	return fieldNames{prefix, first}
}

// of returns the name of the n-th field, from 0.
func (f *fieldNames) of(n int) string {
	if n < len(f.common) {
		return f.common[n]
	}
	return f.prefix + strconv.Itoa(n+1)
}

// isArgument reports whether a text can begin an argument, other than one that an
// operator connects with what stands before.
func isArgument(text string) bool {
	if text == "" {
		return false
	}
	switch c := text[0]; c {
	case '"', '(', '.', '$', '{':
		return true
	case '-', '+', '~', '!':
		return len(text) > 1 && !isBlank(text[1]) && text[1] != '='
	default:
		return isWordByte(c)
	}
}

// cutPlaces are where a statement is divided, outside of quotes and parentheses.
type cutPlaces struct {
	commas []int
	assign int // the equals sign of an assignment, or -1
}

func cuts(code string) cutPlaces {
	c := cutPlaces{assign: -1}
	depth := 0
	for n := 0; n < len(code); n++ {
		switch code[n] {
		case '"':
			n += quoted(code[n+1:])
		case '(', '[':
			depth++
		case ')', ']':
			depth = max(depth-1, 0)
		case ',':
			if depth == 0 {
				c.commas = append(c.commas, n)
			}
		case '=':
			switch {
			case n+1 < len(code) && code[n+1] == '=':
				n++
			case depth == 0 && c.assign < 0 && n > 0 && strings.IndexByte("<>!", code[n-1]) < 0:
				c.assign = n
			}
		}
	}
	return c
}

// parts are the texts between the commas of a statement.
func parts(code string) []string {
	c := cuts(code)
	return c.parts(code)
}

func (c *cutPlaces) parts(code string) []string {
	all := make([]string, 0, len(c.commas)+1)
	at := 0
	for _, n := range c.commas {
		all = append(all, strings.Trim(code[at:n], " \t"))
		at = n + 1
	}
	return append(all, strings.Trim(code[at:], " \t"))
}

// cutWord cuts a text at its first blank outside of quotes and parentheses.
func cutWord(text string) (word, rest string) {
	depth := 0
	for n := 0; n < len(text); n++ {
		switch c := text[n]; {
		case c == '"':
			n += quoted(text[n+1:])
		case c == '(' || c == '[':
			depth++
		case c == ')' || c == ']':
			depth = max(depth-1, 0)
		case depth == 0 && isBlank(c):
			return text[:n], strings.TrimLeft(text[n:], " \t\r\f\v")
		}
	}
	return text, ""
}
