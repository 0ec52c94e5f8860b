package docker

import (
	"slices"
	"strconv"
	"strings"

	"agentd/domains/edit"
)

// instructionNames begin an instruction, which goes on where a line ends with a backslash.
const (
	instructionNames = `ADD|ARG|CMD|COPY|ENTRYPOINT|ENV|EXPOSE|FROM|HEALTHCHECK|LABEL|MAINTAINER|ONBUILD|RUN|SHELL|STOPSIGNAL|USER|VOLUME|WORKDIR`
	continued        = `(?:.*\\[ \t]*\n(?:[ \t]*#.*\n)*)*.*`
)

// vocabulary makes parts of build stages; of the instructions where there are few.
func vocabulary() edit.Format {
	return edit.Format{
		Document: "Dockerfile", Part: "build stage", Parts: "build stages",
		Cut:    edit.Headed(`^[ \t]*#`, edit.Starting(`(?i)^[ \t]*FROM[ \t]+(?:--\S+[ \t]+)*\S+(?:[ \t]+AS[ \t]+\S+)?[ \t]*$`, "")),
		Remark: "# Computed: {}", RemarkAt: edit.Above,
		Attributes: []edit.Attribute{
			edit.Key("base image", "base images", `(?i)^[ \t]*FROM[ \t]+(?:--\S+[ \t]+)*(\S+)`),
			edit.Key("stage name", "stage names", `(?i)^[ \t]*FROM[ \t]+(?:--\S+[ \t]+)*\S+[ \t]+AS[ \t]+(\S+)`),
			edit.Has("copied stage", "copied stages", `(?i)(?:--|,)from=([^\s,]+)`),
			edit.Has("package manager", "package managers", `\b(apt-get|apt|apk|dnf|yum|pip3?|npm|pnpm|yarn|cargo|go|gem|composer)[ \t]+(?:install|add|ci|build|get|mod)\b`),
			edit.Has("working directory", "working directories", `(?i)^[ \t]*WORKDIR[ \t]+(\S+)`),
			edit.Has("user", "users", `(?i)^[ \t]*USER[ \t]+(\S+)`),
			edit.Has("environment variable", "environment variables", `(?i)^[ \t]*ENV[ \t]+(\w+)`),
			edit.Has("comment", "comments", `^[ \t]*#[ \t]*([^\s#=!-][^\n]*[^\s])`),
			edit.Has("user number", "user numbers", `(?i)(?:--uid[ =]+|--chown=|^USER[ \t]+)(\d+)\b`),
			edit.Has("group number", "group numbers", `(?i)(?:--gid[ =]+|--chown=\w+:|^USER[ \t]+\w+:)(\d+)\b`),
			edit.Computed("sources", "lists of sources", sources),
			edit.ComputedNumber("command count", "command counts", commandCount),
		},
		Finer: &edit.Format{
			Document: "Dockerfile", Part: "instruction", Parts: "instructions",
			Cut: edit.Headed(`^[ \t]*#`, edit.Inline(`^[ \t]*(?:`+instructionNames+`|(?i:`+instructionNames+`)\b)[ \t]+`+continued, `^[ \t]*#.*`, "")),
			Attributes: []edit.Attribute{
				edit.Key("keyword", "keywords", `(?i)^[ \t]*(`+instructionNames+`)\b`),
				edit.Has("package", "packages", `(?i)(?:apk add|apt-get install|dnf install|yum install|pip3? install|npm install)(?:[ \t]+-\S+)*[ \t]+([a-z]\S+)`),
				edit.Has("first argument", "first arguments", `(?i)^[ \t]*(?:`+instructionNames+`)[ \t]+(?:--\S+[ \t]+(?:\\[ \t]*\n[ \t]*)?)*([^\s\\]+)`),
				edit.Has("comment", "comments", `^[ \t]*#[ \t]*([^\s#=!-][^\n]*[^\s])`),
				edit.Has("command", "commands", `(?i)^[ \t]*RUN[ \t]+(`+continued+`)`),
				edit.ComputedNumber("command count", "command counts", commandCount),
			},
		},
	}
}

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

// sources are the stages and images that a part builds on or takes files from, as written, sorted and each once.
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
