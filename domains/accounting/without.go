package accounting

// without leaves out entries; the lines around them stay.
func without(_, text string, leave func() bool) string {
	j := read(text)
	entries := j.entries
	j.entries = nil
	var above []string
	for _, e := range entries {
		above = append(above, e.above...)
		if !leave() {
			e.above, above = above, nil
			j.entries = append(j.entries, e)
		}
	}
	j.closing = append(above, j.closing...)
	return j.print()
}
