// Package docker is the domain of Dockerfiles: build stages, each opened by FROM, with the instructions that make its
// layers and set up its runtime, and comments. The instruction is what is counted; FROM lines are stages and are
// counted apart.
//
// The published score looks at stage names and bases, at the sequence of keywords, at RUN, COPY, ADD, ENV, ARG, EXPOSE,
// HEALTHCHECK, ENTRYPOINT and CMD without regard to letter case, and at all comments as one text. Strict reads the
// files as Docker does (continuation lines, comments between them, heredocs, parser directives, quotes, exec forms) and
// also looks at every other instruction, at flags and platforms, at which stage or image a name refers to, at the order
// of instructions within a stage and of stages within a file, at each comment and what it stands above, and at text
// that is no instruction.
package docker

import (
	"agentd/domains"
	published "agentd/domains/published/docker"
)

// New returns the domain.
func New() domains.Domain {
	return domains.New(domains.Spec[[]published.Stage]{
		Info: domains.Info{
			Name:       "docker",
			Title:      "Dockerfile",
			Category:   "Code & Configuration",
			Patterns:   []string{"*Dockerfile*", "*dockerfile*"},
			Element:    counted,
			Example:    "FROM alpine:3.20\nRUN apk add --no-cache curl",
			Components: []string{"stages", "sequence", "run", "configuration", "copy", "comments"},
		},
		Parse:    published.Parse,
		Score:    published.Score,
		Stats:    published.Stats,
		Form:     wellFormed,
		Elements: elements,
		Comments: []string{"#"},
		Hazards:  hazards,
		// Where a stage comes from has a score of its own.
		Others:     published.Others,
		Evidence:   domains.Prevailing(counted, stageKind),
		Without:    without,
		Sampling:   domains.Sampling{Not: "a Dockerfile is one program: its instructions build on each other"},
		Vocabulary: vocabulary,
	})
}
