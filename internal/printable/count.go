package printable

import "fmt"

// Count is a number of things, as in "1 relay" and "2 relays". The thing is a singular whose plural
// ends in s.
func Count(n int, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return fmt.Sprintf("%d %s", n, thing)
}
