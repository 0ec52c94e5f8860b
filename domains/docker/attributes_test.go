package docker

import "testing"

func TestComputedAttributes(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ part, commands, sources string }{
		"a base":                         {"FROM --platform=$BUILDPLATFORM node:20 AS desk\nWORKDIR /desk\n", "0", "node:20"},
		"other stages and images, once":  {"FROM web\nCOPY --link --from=fonts a b\nCOPY --from=fonts c d\nADD --chmod=1 --from=alpine:3 e f\n", "0", "alpine:3, fonts, web"},
		"a mount":                        {"FROM web\nRUN --mount=type=bind,from=wheels,source=/w pip install x\n", "1", "web, wheels"},
		"commands of several RUN":        {"FROM web\nRUN a && b || c\nRUN d; e | f\n", "6", "web"},
		"continued lines and comments":   {"RUN a && \\\n    # a; b\n    b\n", "2", ""},
		"operators in quotes are text":   {"RUN echo 'a && b' \"c; d\" \\; e\n", "1", ""},
		"other instructions run nothing": {"CMD a && b\n", "0", ""},
	} {
		if got := commandCount(c.part); got != c.commands {
			t.Errorf("%s: %s commands, want %s", name, got, c.commands)
		}
		if got := sources(c.part); got != c.sources {
			t.Errorf("%s: from %q, want %q", name, got, c.sources)
		}
	}
}
