package docker

import (
	"fmt"
	"strings"

	"pgregory.net/rapid"

	"agentd/vfs"
)

// drawBuild draws a Dockerfile of one to five stages with the quirks of real
// ones: keywords in any case, comments inside instructions, heredocs, the old
// form of ENV, a last stage without a name.
func drawBuild(t *rapid.T) vfs.Files {
	d := drawer{T: t}
	if d.sometimes("directive") {
		d.write("# syntax=docker/dockerfile:1")
	}
	d.write("# ƿrófun №7", "")
	for range d.upTo(3, "global arguments") {
		d.comment()
		d.write("ARG " + d.one("global argument", "GO=1.22", `NAME="a b"`, "PLAIN"))
	}
	for n := range 1 + d.upTo(4, "stages") {
		d.write("")
		d.stage(n)
	}
	if d.sometimes("closing") {
		d.write("", "# checked on mýri-2")
	}
	return vfs.Files{document: strings.Join(d.lines, "\n") + "\n"}
}

type drawer struct {
	*rapid.T
	lines  []string
	stages []string // those with a name
}

func (d *drawer) upTo(most int, label string) int { return rapid.IntRange(0, most).Draw(d.T, label) }
func (d *drawer) sometimes(label string) bool     { return d.upTo(4, label) == 0 }
func (d *drawer) write(lines ...string)           { d.lines = append(d.lines, lines...) }
func (d *drawer) one(label string, among ...string) string {
	return rapid.SampledFrom(among).Draw(d.T, label)
}

func (d *drawer) comment() {
	if d.sometimes("comment") {
		d.write(d.one("comment text", "# pinned: 3.1 broke ð", "#no blank here", "#   indented `x`", "#"))
	}
	if d.sometimes("blank line") {
		d.write("")
	}
}

func (d *drawer) stage(n int) {
	d.comment()
	base := d.one("base", "alpine:3.20", "debian:bookworm-slim@sha256:0f1e", "reg.savn.fo:5000/grunn", "golang:${GO}-alpine", "scratch")
	if len(d.stages) > 0 && d.sometimes("base is a stage") {
		base = d.one("stage", d.stages...)
	}
	line := d.one("keyword", "FROM ", "from ", "FROM --platform=linux/amd64 ") + base
	if name := fmt.Sprintf("%s%d", d.one("name", "build", "Test-", "rt."), n); !d.sometimes("no name") {
		line += d.one("as", " AS ", " as ") + name
		defer func() { d.stages = append(d.stages, name) }()
	}
	d.write(line)
	for range d.upTo(3, "layers") {
		d.comment()
		d.layer()
	}
	for range d.upTo(4, "settings") {
		d.comment()
		d.setting()
	}
}

// layer draws a RUN, COPY or ADD.
func (d *drawer) layer() {
	if len(d.stages) > 0 && d.sometimes("from a stage") {
		from := d.one("source", d.stages...)
		d.write(d.one("use", "COPY --link --from="+from+" /out/x /x", "RUN --mount=type=bind,from="+from+",target=/m cp /m/x ."))
		return
	}
	d.write(d.one("layer",
		"RUN make -j4 && make install",
		"run apt-get update && \\\n    apt-get install -y --no-install-recommends \\\n        zlib1g-dev git \\\n        curl && \\\n    rm -rf /var/lib/apt/lists/*",
		"RUN apt-get update; apt-get -y install tini; apt-get install -y tzdata # both",
		"RUN set -e; \\\n    # the quiet one, don't\n    npm ci; \\\n\n    npm run build",
		"RUN groupadd --gid 2700 kervi && useradd --uid=2714 --gid 2700 kervi",
		"RUN <<EOF\nset -eu\npip install \"jiwer>=3\"\n  # inside\nEOF",
		"COPY <<'A' <<B /etc/kvikt/\nkey = \"$1\"\nA\nport 22\n\nB",
		"COPY --chown=2714:2700 --chmod=0644 [\"a b\", \"/srv/\"]",
		"ADD https://savn.fo/w.tgz /w.tgz",
		"COPY --from=ghcr.io/astral-sh/uv:0.2 /uv /bin/",
	))
}

func (d *drawer) setting() {
	d.write(d.one("setting",
		"ENV B=2 A=\"1 2\" \\\n    C='$x'",
		"ENV A=0",
		"ENV D=4 \\\n  # why\n  E=5",
		"ENV TZ Atlantic/Faroe",
		"LABEL fo.role=vev \"fo.by\"=\"Rúni W.\"",
		"LABEL z=1 a=2 m=3",
		"ARG GIT_SHA=dev",
		"EXPOSE 8000/tcp 53/udp",
		"EXPOSE 9000-9010",
		"HEALTHCHECK --interval=30s \\\n    CMD curl -f http://localhost:8000/ok || exit 1",
		"HEALTHCHECK NONE",
		"USER 2714:2700",
		"USER kervi:33",
		"USER 0",
		"workdir \"/srv/a b\"",
		"VOLUME [\"/data\", \"/spool\"]",
		"SHELL [\"/bin/bash\", \"-c\"]",
		"STOPSIGNAL SIGQUIT",
		"ONBUILD COPY . /src",
		"ENTRYPOINT [\"tini\", \"--\"]",
		"CMD serve --port 8000 | tee log",
	))
}
