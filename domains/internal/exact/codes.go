package exact

import (
	"bytes"
	"encoding/json"
	"strings"

	"agentd/vfs"

	"agentd/domains/internal/plain"
)

// Codes stand for values. Each value gets one where it is first met.
type Codes struct {
	// New returns a code for a value; codes is how many there are.
	New func(value string, codes int) string

	of     map[string]string
	listed []string // JSON members in order
}

// Of returns the code of a value.
func (c *Codes) Of(value string) string {
	code, known := c.of[value]
	if !known {
		if c.of == nil {
			c.of = map[string]string{}
		}
		code = c.New(value, len(c.of))
		c.of[value] = code
		c.listed = append(c.listed, "  "+quoted(code)+": "+quoted(value))
	}
	return code
}

// JSON is an object with the value of each code, in the order in which they were met.
func (c *Codes) JSON() string { return "{\n" + strings.Join(c.listed, ",\n") + "\n}\n" }

// ReadCodes reads what JSON wrote: the values by their codes.
func ReadCodes(files vfs.Files, name string) (values map[string]string, err error) {
	err = plain.JSON(files, name, &values)
	return values, err
}

// quoted is a JSON string in which & and the like are readable.
func quoted(text string) string {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(text) // a string cannot fail
	return strings.TrimSuffix(b.String(), "\n")
}
