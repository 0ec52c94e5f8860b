package docker

import (
	"regexp"
	"strings"

	"agentd/domains"
)

// wellFormed checks that what begins a line is an instruction, and that here-documents are closed.
func wellFormed(_, text string) []domains.Slip {
	var all []domains.Slip
	n, carried, until := 0, false, ""
	escape := `\`
	for line := range strings.Lines(text) {
		n++
		line = strings.TrimSpace(line)
		switch m := instructionWord.FindStringSubmatch(line); {
		case until != "":
			if line == until {
				until = ""
			}
			continue
		case line == "" || strings.HasPrefix(line, "#"):
			if strings.HasPrefix(strings.ReplaceAll(line, " ", ""), "#escape=`") {
				escape = "`"
			}
			continue
		case carried:
		case m == nil || !knownInstructions[strings.ToUpper(m[1])]:
			all = append(all, domains.Slip{Line: n, What: "no instruction begins the line", Text: line})
		case m[2] == "":
			all = append(all, domains.Slip{Line: n, What: "an instruction has no argument", Text: line})
		}
		if m := hereDocument.FindStringSubmatch(line); m != nil {
			until = m[1]
		}
		carried = strings.HasSuffix(line, escape)
	}
	switch {
	case until != "":
		all = append(all, domains.Slip{Line: n, What: "a here-document is not ended"})
	case carried:
		all = append(all, domains.Slip{Line: n, What: "the last line is carried on, and nothing follows"})
	}
	return all
}

var (
	instructionWord   = regexp.MustCompile(`^([A-Za-z]+)(?:\s+(.*))?$`)
	hereDocument      = regexp.MustCompile(`<<-?["']?(\w+)["']?`)
	knownInstructions = map[string]bool{
		"FROM": true, "RUN": true, "CMD": true, "LABEL": true, "MAINTAINER": true, "EXPOSE": true, "ENV": true, "ADD": true, "COPY": true, "ENTRYPOINT": true,
		"VOLUME": true, "USER": true, "WORKDIR": true, "ARG": true, "ONBUILD": true, "STOPSIGNAL": true, "HEALTHCHECK": true, "SHELL": true,
	}
)
