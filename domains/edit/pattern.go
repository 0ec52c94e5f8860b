package edit

// TextOf is a pattern for the text in an XML element, with any prefix and any attributes. A text
// that has elements in it is none.
func TextOf(element string) string {
	return `<(?:[\w.-]+:)?` + element + `(?:\s[^<>]*)?>\s*([^<>]*[^<>\s])\s*</`
}

// ValueOf is a pattern for the value of an attribute of an XML element, in either quotes. The
// element may be a pattern itself.
func ValueOf(element, attribute string) string {
	return `<(?:[\w.-]+:)?(?:` + element + `)\s(?:[^<>]*\s)?` + attribute + `\s*=\s*["']([^"'<>]+)["']`
}

// Sized marks an attribute as a number if all its values in the parts are numbers.
func Sized(a Attribute, parts []string) Attribute {
	found := 0
	for _, part := range parts {
		value := a.value(part)
		if value == "" {
			continue
		}
		if _, ok := decimalOf(value); !ok {
			return a
		}
		found++
	}
	a.Number = found > 0
	return a
}
