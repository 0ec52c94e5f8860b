package docs

import (
	"bytes"
	"cmp"
	"context"
	"flag"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// root is the repository.
const root = "../.."

// update has the tests write what they would compare: outputs that differ from what the
// pages show, and the reference.
var update = flag.Bool("update", false, "write the outputs of the pages and docs/reference")

// Pages whose commands a reader pastes. Each is run in a folder of its own.
var pages = []string{
	"docs/first-hour.md",
	"docs/trust.md",
	"docs/guard.md",
	"docs/tutorials/researcher.md",
	"docs/tutorials/agent-builder.md",
	"docs/tutorials/team.md",
	"docs/tutorials/trainer.md",
}

// Every command of a page does what the page says, in the order of the page, as pasted
// into a shell.
func TestPagesRunAsPasted(t *testing.T) {
	t.Parallel()
	bin := sync.OnceValue(func() string { return build(t) })
	for _, page := range pages {
		t.Run(strings.TrimSuffix(filepath.Base(page), ".md"), func(t *testing.T) {
			t.Parallel()
			play(t, bin(), page)
		})
	}
}

// The page of the repository itself: what it shows of the demonstration and of the
// commands after it.
func TestTheREADMERunsAsPasted(t *testing.T) {
	t.Parallel()
	play(t, build(t), "README.md")
}

// The picture of the README and the table below it are of the same run. The picture has the table as its description.
func TestThePictureOfTheREADMEShowsItsTable(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	shown := Steps(string(text))
	table := shown[slices.IndexFunc(shown, func(step Step) bool { return step.Script == demonstration })].Output
	for _, name := range []string{"overview.png", "overview-dark.png"} {
		picture, err := os.ReadFile(filepath.Join(root, "docs/pictures", name))
		if err != nil {
			t.Fatal(err)
		}
		_, after, _ := bytes.Cut(picture, []byte("iTXtDescription"))
		if want, got := arms(table), arms(string(after)); len(want) == 0 || !slices.Equal(got, want) {
			t.Errorf("%s shows\n%s\nand the README\n%s\nmake update-docs makes both", name, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}

// A person with nothing, with a key, with a model, with documents or with an agent sees the command in the first screen of the README,
// then the line that lets the next command be found, and which of the two scores to report where they are first shown.
func TestTheREADMEHasACommandForEachReader(t *testing.T) {
	t.Parallel()
	const screen = 45 // lines
	text, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	page := string(text)
	first := strings.Join(strings.SplitN(page, "\n", screen+1)[:screen], "\n")
	for _, command := range []string{"`agentd run`", "`agentd run --model gpt-", "`agentd check --model ", "`agentd trust FILE --model ", "`agentd diff OLD NEW`", "`agentd guard hook claude", "make run ", `export PATH="$PWD/bin:$PATH"`} {
		if !strings.Contains(first, command) {
			t.Errorf("the first %d lines do not have %s", screen, command)
		}
	}
	table, advice := strings.Index(page, "Strict@20"), strings.Index(page, "to compare with published numbers, Strict to decide about documents")
	if lines := strings.Count(page[table:max(table, advice)], "\n"); table < 0 || advice < table || lines > 25 {
		t.Errorf("the table stands at %d, and which score to report at %d, %d lines below", table, advice, lines)
	}
}

// Pages that a reader pastes begin from the clone that the README made, not from an archive.
func TestPagesBeginFromTheClone(t *testing.T) {
	t.Parallel()
	for _, page := range pages {
		text, err := os.ReadFile(filepath.Join(root, page))
		if err != nil {
			t.Fatal(err)
		}
		for _, step := range Steps(string(text)) {
			if step.Skipped == "" && regexp.MustCompile(`\b(git clone|curl|wget|tar -?x)`).MatchString(step.Script) {
				t.Errorf("%s:%d: %s", page, step.Line, step.Script)
			}
		}
	}
}

// arms are the lines of a summary that have the scores of an arm, with single blanks.
func arms(summary string) (lines []string) {
	for line := range strings.Lines(summary) {
		if fields := strings.Fields(line); len(fields) > 5 && strings.HasPrefix(fields[0], "sim:") {
			lines = append(lines, strings.Join(fields, " "))
		}
	}
	return lines
}

var built struct {
	sync.Once
	folder string
	err    error
}

func TestMain(m *testing.M) {
	status := m.Run()
	if built.folder != "" {
		os.RemoveAll(built.folder)
	}
	os.Exit(status)
}

// build returns the folder of an agentd that is built for these tests.
func build(t *testing.T) string {
	t.Helper()
	built.Do(func() {
		if built.folder, built.err = os.MkdirTemp("", "agentd-docs-*"); built.err != nil {
			return
		}
		out, err := exec.Command("go", "build", "-o", filepath.Join(built.folder, "agentd"), "agentd/cmd/agentd").CombinedOutput()
		if err != nil {
			built.err = fmt.Errorf("%w\n%s", err, out)
		}
	})
	if built.err != nil {
		t.Fatal(built.err)
	}
	return built.folder
}

// address is one of a server that a page starts. Each stands for a free port, since
// pages run at the same time.
var address = regexp.MustCompile(`127\.0\.0\.1:[0-9]+`)

// play runs the commands of a page in one shell and compares what they print.
func play(t *testing.T, bin, page string) {
	t.Helper()
	file := filepath.Join(root, page)
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	written := map[string]string{} // addresses of the page, by those that stand for them here
	used := map[string]string{}    // and the other way round
	here := address.ReplaceAllStringFunc(string(text), func(found string) string {
		if used[found] == "" {
			used[found] = free(t)
			written[used[found]] = found
		}
		return used[found]
	})
	lines := strings.Split(string(text), "\n")
	shell := newShell(t, bin)
	for _, step := range slices.Backward(shell.play(Steps(here), page)) {
		output := address.ReplaceAllStringFunc(step.Output, func(found string) string { return cmp.Or(written[found], found) })
		lines = slices.Replace(lines, step.From, step.To, strings.Split(output, "\n")...)
	}
	if *update {
		if err := os.WriteFile(file, []byte(strings.Join(lines, "\n")), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// play runs steps and returns those whose output is not what the page shows, with what
// it was. Unless the page is to be updated, such a step is an error.
func (s *shell) play(steps []Step, page string) (differing []Step) {
	s.t.Helper()
	for _, step := range steps {
		if step.Skipped != "" {
			continue
		}
		output, errors, status := s.paste(step.Script)
		if status != 0 {
			s.t.Errorf("%s:%d: status %d of\n%s\n\nwhich printed\n%s%s", page, step.Line, status, step.Script, output, errors)
			return differing
		}
		if step.Shown && !Matches(step.Output, output) {
			updated, ok := Updated(step.Output, output)
			if !*update || !ok {
				s.t.Errorf("%s:%d:\n%s\n\nprinted\n%s\nThe page shows\n%s\n\nOn standard error:\n%s", page, step.Line, step.Script, output, step.Output, errors)
			}
			if step.Output = updated; ok {
				differing = append(differing, step)
			}
		}
	}
	return differing
}

// demonstration is the command that two pages begin with. It takes a minute of two processors.
const demonstration = "agentd run"

// demonstrated is the database of the page that ran the demonstration first, kept for the others. What the
// command prints does not depend on how much of the work was there already.
var demonstrated struct {
	sync.Mutex
	database []byte
}

// paste is run. Of the demonstration, all pages but the first find the work done.
func (s *shell) paste(script string) (output, errors string, status int) {
	s.t.Helper()
	if script != demonstration {
		return s.run(script)
	}
	demonstrated.Lock()
	defer demonstrated.Unlock()
	here, _ := s.wait("pwd")
	database := filepath.Join(strings.TrimSpace(here), "agentd.db")
	if demonstrated.database != nil {
		if err := os.WriteFile(database, demonstrated.database, 0o644); err != nil {
			s.t.Fatal(err)
		}
		return s.run(script)
	}
	output, errors, status = s.run(script)
	var err error
	if demonstrated.database, err = os.ReadFile(database); err != nil {
		s.t.Fatal(err)
	}
	return output, errors, status
}

// free returns an address of this machine on which nothing listens.
func free(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return listener.Addr().String()
}

// shell is bash in a temporary folder that keeps variables, folder and servers from one
// block of a page to the next.
type shell struct {
	t      *testing.T
	stdin  *os.File
	output chan []byte
	errors string // the file that standard error goes to
	blocks int
}

// patience is how long a block may take on a machine that does many other things.
const patience = 10 * time.Minute

func newShell(t *testing.T, bin string) *shell {
	t.Helper()
	dir := t.TempDir()
	clone(t, dir)
	read, stdin, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	out, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	venv, err := filepath.Abs(filepath.Join(root, "test/e2e/.venv/bin"))
	if err != nil {
		t.Fatal(err)
	}
	wheels, err := filepath.Abs(filepath.Join(root, "python/.venv/wheels"))
	if err != nil {
		t.Fatal(err)
	}
	errors, err := os.Create(filepath.Join(t.TempDir(), "stderr"))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	command := exec.CommandContext(ctx, "bash", "--noprofile", "--norc")
	command.Dir, command.Stdin, command.Stdout, command.Stderr = dir, read, write, errors
	command.Env = append(os.Environ(), "PATH="+bin+":"+venv+":"+os.Getenv("PATH"),
		"COLUMNS=100", "PIP_DISABLE_PIP_VERSION_CHECK=1", "PIP_NO_INDEX=1", "PIP_FIND_LINKS="+wheels, "PIP_NO_COMPILE=1", "PYTHONDONTWRITEBYTECODE=1", "XDG_STATE_HOME="+t.TempDir())
	// The servers that a page starts are in the shell's group, and end with it.
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	command.Cancel = func() error { return syscall.Kill(-command.Process.Pid, syscall.SIGKILL) }
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	read.Close()
	write.Close()
	errors.Close()
	s := &shell{t: t, stdin: stdin, output: make(chan []byte), errors: errors.Name()}
	go func() {
		defer close(s.output)
		for {
			piece := make([]byte, 64<<10)
			n, err := out.Read(piece)
			if n > 0 {
				s.output <- piece[:n]
			}
			if err != nil {
				return
			}
		}
	}()
	t.Cleanup(func() {
		cancel()
		stdin.Close()
		for range s.output {
		}
		_ = command.Wait() // it was killed
		out.Close()
	})
	return s
}

// run runs a block, and returns what it wrote to standard output and to standard error,
// and the status of its last command.
func (s *shell) run(script string) (output, errors string, status int) {
	s.t.Helper()
	before, err := os.ReadFile(s.errors)
	if err != nil {
		s.t.Fatal(err)
	}
	output, status = s.wait(script)
	after, err := os.ReadFile(s.errors)
	if err != nil {
		s.t.Fatal(err)
	}
	return output, string(after[len(before):]), status
}

// wait gives a block to the shell and waits until it has ended.
func (s *shell) wait(script string) (output string, status int) {
	s.t.Helper()
	s.blocks++
	mark := fmt.Sprintf("\x01end of block %d\x01", s.blocks)
	if _, err := fmt.Fprintf(s.stdin, "{\n%s\n} </dev/null\nprintf '%s%%d\\n' $?\n", script, mark); err != nil {
		s.t.Fatal(err)
	}
	var printed []byte
	late := time.After(patience)
	for {
		select {
		case piece, more := <-s.output:
			printed = append(printed, piece...)
			if before, after, found := bytes.Cut(printed, []byte(mark)); found && bytes.HasSuffix(after, []byte("\n")) {
				status, err := strconv.Atoi(strings.TrimSpace(string(after)))
				if err != nil {
					s.t.Fatalf("status of\n%s\nis %q", script, after)
				}
				return string(before), status
			}
			if !more {
				s.t.Fatalf("the shell ended in\n%s\n\n%s", script, printed)
			}
		case <-late:
			s.t.Fatalf("no end after %s of\n%s\n\n%s", patience, script, printed)
		}
	}
}

// clone puts the sources into the folder agentd of a folder: what a reader has cloned.
func clone(t *testing.T, dir string) {
	t.Helper()
	command := exec.CommandContext(t.Context(), "sh", "-c",
		"mkdir \"$0\" && git ls-files -z --cached --others --exclude-standard | tar --null --ignore-failed-read -cf - -T - | tar -xf - -C \"$0\"", filepath.Join(dir, "agentd"))
	command.Dir = root
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
}
