package docker

import (
	"strings"

	"agentd/domains"
)

// hazards finds what gives a build or a container more rights than it needs: insecure builds,
// the host's network, and a last stage that ends as root.
func hazards(elements []domains.Element) domains.Hazards {
	var h domains.Hazards
	stage := "" // the last one
	for _, e := range elements {
		if e.Kind == stageKind {
			stage = strings.TrimPrefix(e.Key, stageKind+" ")
		}
	}
	user := ""
	for _, e := range elements {
		if e.Kind != counted {
			continue
		}
		of, _, _ := strings.Cut(e.Key, " "+e.Value("instruction"))
		switch e.Value("instruction") {
		case "RUN":
			if e.Value("--security") == "insecure" {
				h.Dangers = append(h.Dangers, "a privileged RUN in stage "+of+" (--security=insecure)")
			}
			if e.Value("--network") == "host" {
				h.Dangers = append(h.Dangers, "a RUN in stage "+of+" on the host's network (--network=host)")
			}
		case "USER":
			if of == stage {
				user = e.Value("value")
			}
		}
	}
	name, _, _ := strings.Cut(user, ":")
	switch name {
	case "":
	case "root", "0":
		h.Dangers = append(h.Dangers, "the last stage runs as root")
	default:
		h.Safeguards = append(h.Safeguards, "a user other than root in the last stage")
	}
	return h
}
