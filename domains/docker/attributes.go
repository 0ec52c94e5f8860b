package docker

import (
	"slices"
	"strconv"
	"strings"
)

// commandCount is how many commands the RUN instructions of a part run: what stands between the
// shell's &&, ||, |, ; and ;; outside of quotes.
func commandCount(part string) string {
	count := 0
	for _, p := range read(part).parts {
		if p.keyword == "RUN" {
			count += len(commands(p.text))
		}
	}
	return strconv.Itoa(count)
}

// sources are the stages and images that a part builds on or takes files from, as written, sorted
// and each once.
func sources(part string) string {
	var all []string
	for _, p := range read(part).parts {
		if p.keyword == "FROM" {
			all = append(all, readFrom(p.text).base)
		}
		flags, _ := cutFlags(p.text)
		for _, f := range flags {
			switch f.name {
			case "--from":
				all = append(all, f.value)
			case "--mount":
				for option := range strings.SplitSeq(f.value, ",") {
					if name, ok := strings.CutPrefix(option, "from="); ok {
						all = append(all, name)
					}
				}
			}
		}
	}
	slices.Sort(all)
	return strings.Join(slices.Compact(all), ", ")
}
