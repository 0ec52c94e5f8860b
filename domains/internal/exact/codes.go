package exact

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// Codes stand for values. Each value gets one where it is first met.
type Codes struct {
	// New returns a code for a value; codes is how many there are.
	New func(value string, codes int) string

	of   map[string]string
	rows [][]string // of codes and values, in order
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
		c.rows = append(c.rows, []string{code, value})
	}
	return code
}

// JSON is an object with the value of each code, in the order in which they were met.
func (c *Codes) JSON() string {
	members := make([]string, len(c.rows))
	for i, row := range c.rows {
		members[i] = "  " + quoted(row[0]) + ": " + quoted(row[1])
	}
	return "{\n" + strings.Join(members, ",\n") + "\n}\n"
}

// CSV is a table of the codes and their values, in the order in which they were met.
func (c *Codes) CSV(code, value string) string {
	return plain.WriteCSV(append([][]string{{code, value}}, c.rows...))
}

// Table is CSV with further columns. cells returns what they say about a value.
func (c *Codes) Table(cells func(value string) []string, columns ...string) string {
	rows := [][]string{columns}
	for _, row := range c.rows {
		rows = append(rows, slices.Concat(row, cells(row[1])))
	}
	return plain.WriteCSV(rows)
}

// Each calls do with each code and its value, in the order in which they were met.
func (c *Codes) Each(do func(code, value string)) {
	for _, row := range c.rows {
		do(row[0], row[1])
	}
}

// Counting returns what makes codes that count up from a first one, such as R01.
func Counting(first string) func(value string, codes int) string {
	prefix := strings.TrimRight(first, "0123456789")
	from, _ := strconv.Atoi(first[len(prefix):]) // 0 for a code without digits
	return func(_ string, codes int) string {
		return fmt.Sprintf("%s%0*d", prefix, len(first)-len(prefix), from+codes)
	}
}

// ReadCodes reads what JSON wrote: the values by their codes.
func ReadCodes(files vfs.Files, name string) (values map[string]string, err error) {
	err = plain.JSON(files, name, &values)
	return values, err
}

// ReadRegister reads a CSV file that an edit needs: the values by their codes, of two of its
// columns. Blanks around a code do not count.
func ReadRegister(files vfs.Files, name, code, value string) (map[string]string, error) {
	rows, err := plain.Table(files, name, code, value)
	values := make(map[string]string, len(rows))
	for _, row := range rows {
		values[strings.TrimSpace(row[0])] = row[1]
	}
	return values, err
}

// quoted is a JSON string in which & and the like are readable.
func quoted(text string) string { return strings.TrimSuffix(plain.WriteJSON(text), "\n") }
