// Command hostile measures how much memory agentd takes at most of inputs that are made
// to use it up: data sets, YAML, databases, the answers of a model's server, and the
// requests of an exec policy's command. It prints for each how large it is, how much
// memory agentd had resident at most, its exit status, and what it said.
//
//	make build
//	go run ./test/bench/hostile
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/klauspost/compress/zstd"

	"agentd/environments"
	"agentd/internal/printable"
	"agentd/results"
	"agentd/vfs"
)

var (
	binary = flag.String("agentd", "bin/agentd", "the program to measure")
	relays = flag.Int("relays", 1, "relays at the same time, of the traffic of servers and commands")
	// A process starts with what its parent had resident at most, so that one must stay
	// small.
	only = flag.Int("make", -1, "make the input of that number and nothing else; the measuring process has them made so")
)

// input is one that means harm, or is as large as may be.
type input struct {
	name string
	make func(path string) error // a file or a folder of that name
	args []string                // of agentd; PATH stands for the input's
}

// inputs makes none of them yet.
func inputs() []input {
	list, run, score := []string{"env", "list", "--data", "PATH"}, []string{"run", "PATH", "--dry-run"}, []string{"score", "--pairs", "PATH"}
	return []input{
		{"a seed that is a link to /dev/zero", seed(func(name string) error { return os.Symlink("/dev/zero", name) }), list},
		{"a seed that is a named pipe", seed(func(name string) error { return syscall.Mkfifo(name, 0o644) }), list},
		{"a seed of 1 TiB, sparse", seed(func(name string) error { return errors.Join(os.WriteFile(name, nil, 0o644), os.Truncate(name, 1<<40)) }), list},
		{"a data set of one line of 300 MB", repeated("", "x", 300_000_000, ""), list},
		{"pairs of one line of 300 MB", repeated("", "x", 300_000_000, ""), score},
		{"a line of ten million empty states", repeated(`{"states":[`, "{},", 30_000_000, "{}]}"), list},
		{"a line of a million lists in each other", repeated(`{"metadata":`, "[", 1_000_000, ""), list},
		{"a data set as large as may be", dataset(16, 15<<20), list},
		{"a folder of 110,000 files", manyFiles, list},
		{"an experiment of 200,000 brackets", repeated("models: [{name: m, body: {a: ", "[", 200_000, ""), run},
		{"an experiment of 436 bytes of aliases", text(aliases()), run},
		{"an experiment of 1 MiB of empty lists", repeated("models: [{name: m, body: {a: [", "[],", 1<<20-100, "]}}]"), run},
		{"an experiment with as many values as may be", repeated("models: [{name: m, body: {a: [", "[],", 149_000, "]}}]"), run},
		{"a YAML document with as many values as may be", pair("-\n", 1<<18-1), score},
		{"a YAML document of 200,000 brackets", pair("[", 200_000), score},
		{"a database with a document of 1 GiB, packed", database(1), []string{"trace", "1", "1", "--db", "PATH"}},
		{"a database with 100 documents of 30 MiB, packed", database(100), []string{"trace", "1", "1", "--db", "PATH"}},
	}
}

func main() {
	flag.Parse()
	do := measure
	if *only >= 0 {
		do = func(context.Context) error { return inputs()[*only].make(flag.Arg(0)) }
	}
	if err := do(context.Background()); err != nil {
		log.Fatal(err)
	}
}

func measure(ctx context.Context) error {
	dir, err := os.MkdirTemp("", "agentd-hostile-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	fmt.Println("| input | bytes | resident at most | exit status | what is said |\n| --- | ---: | ---: | ---: | --- |")
	for i, in := range inputs() {
		path := filepath.Join(dir, fmt.Sprint(i))
		if out, err := exec.CommandContext(ctx, os.Args[0], "-make", fmt.Sprint(i), path).CombinedOutput(); err != nil {
			return fmt.Errorf("%s: %w: %s", in.name, err, out)
		}
		size, err := sizeOf(path)
		if err != nil {
			return err
		}
		args := make([]string, len(in.args))
		for k, arg := range in.args {
			args[k] = strings.ReplaceAll(arg, "PATH", path)
		}
		if err := run(ctx, in.name, fmt.Sprint(size), path, args); err != nil {
			return err
		}
		if err := os.RemoveAll(path); err != nil {
			return err
		}
	}
	return measureTraffic(ctx, dir)
}

// run has agentd run and prints a row of the table. path is left out of what it says.
func run(ctx context.Context, name, size, path string, args []string) error {
	command := exec.CommandContext(ctx, *binary, args...)
	var stdout, stderr bytes.Buffer
	command.Stdout, command.Stderr = &stdout, &stderr
	if err := command.Run(); err != nil && command.ProcessState == nil {
		return err
	}
	used := command.ProcessState.SysUsage().(*syscall.Rusage)
	said, _, _ := strings.Cut(strings.TrimPrefix(stderr.String(), "agentd: ")+stdout.String(), "\n")
	said = strings.ReplaceAll(strings.ReplaceAll(said, path, "PATH"), "|", `\|`)
	_, err := fmt.Printf("| %s | %s | %d MB | %d | %.150s |\n", name, size, used.Maxrss<<10/1e6, command.ProcessState.ExitCode(), printable.Line(said))
	return err
}

// sizeOf is what files have, or take on the disk where that is less.
func sizeOf(path string) (total int64, err error) {
	err = filepath.WalkDir(path, func(_ string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		info, err := entry.Info()
		if err == nil {
			total += min(info.Size(), info.Sys().(*syscall.Stat_t).Blocks*512)
		}
		return err
	})
	return total, err
}

func text(content string) func(string) error {
	return func(path string) error { return os.WriteFile(path, []byte(content), 0o644) }
}

// repeated makes a file of a text again and again, up to so many bytes, between two
// others.
func repeated(before, part string, size int, after string) func(string) error {
	return func(path string) error {
		file, err := os.Create(path)
		if err != nil {
			return err
		}
		_, err = io.WriteString(file, before)
		block := []byte(strings.Repeat(part, max(1, 1<<20/len(part))))
		for left := size - size%len(part); left > 0 && err == nil; left -= len(block) {
			_, err = file.Write(block[:min(left, len(block))])
		}
		if err == nil {
			_, err = io.WriteString(file, after+"\n")
		}
		return errors.Join(err, file.Close())
	}
}

// sample is an environment in the released form.
func sample(id, document string) []byte {
	raw, err := json.Marshal(map[string]any{
		"sample_id": id, "sample_type": "accounting", "sample_name": "X", "metadata": map[string]any{"start_state": "s"},
		"states": []any{
			map[string]any{"state_id": "s", "context": []string{"a.ledger"}, "prompts": []any{map[string]any{"prompt_id": "p", "target_state": "t", "prompt": "Go"}}},
			map[string]any{"state_id": "t", "context": []string{"*.csv"}, "prompts": []any{map[string]any{"prompt_id": "q", "target_state": "s", "prompt": "Come"}}},
		},
		"files": map[string]string{"s/a.ledger": document},
	})
	if err != nil {
		panic(err) // texts always marshal
	}
	return append(raw, '\n')
}

func dataset(n, size int) func(string) error {
	return func(path string) error {
		file, err := os.Create(path)
		for i := 0; i < n && err == nil; i++ {
			_, err = file.Write(sample(fmt.Sprint("x", i), strings.Repeat("x", size)))
		}
		return errors.Join(err, file.Close())
	}
}

// seed makes a folder of an environment whose only document is made by place.
func seed(place func(name string) error) func(string) error {
	return func(path string) error {
		const definition = "name: x\ndomain: accounting\nedits: [{name: e, forward: Go, backward: Come, targets: [b.csv]}]\n"
		return errors.Join(os.MkdirAll(filepath.Join(path, "seed"), 0o755), text(definition)(filepath.Join(path, "environment.yaml")),
			place(filepath.Join(path, "seed", "a.ledger")))
	}
}

func manyFiles(path string) error {
	err := os.MkdirAll(path, 0o755)
	for i := 0; i < 110_000 && err == nil; i++ {
		err = os.WriteFile(filepath.Join(path, fmt.Sprint(i)), nil, 0o644)
	}
	return err
}

// aliases stand for ten billion values.
func aliases() string {
	var b strings.Builder
	b.WriteString("models:\n- name: m\n  body:\n    a: &a [x,x,x,x,x,x,x,x,x,x]\n")
	for c := 'b'; c < 'k'; c++ {
		fmt.Fprintf(&b, "    %c: &%c [%s]\n", c, c, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*%c,", c-1), 10), ","))
	}
	return b.String()
}

// pair makes a pair of documents of which the candidate is a text again and again.
func pair(part string, times int) func(string) error {
	return func(path string) error {
		raw, err := json.Marshal(map[string]any{
			"id": "p", "domain": "json", "reference": vfs.Files{"a.yaml": "a: 1\n"}, "candidate": vfs.Files{"a.yaml": strings.Repeat(part, times)},
		})
		if err != nil {
			return err
		}
		return os.WriteFile(path, raw, 0o644)
	}
}

// database makes one with an interaction that leaves so many documents, each a
// thousandth of its size.
func database(documents int) func(string) error {
	return func(path string) (err error) {
		store, err := results.Open(path)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, store.Close()) }()
		ctx := context.Background()
		env := environments.Environment{Name: "x", Domain: "accounting"}
		record, err := store.Begin(ctx, "x", results.Manifest{Environments: map[string]string{"x": env.Hash()}}, nil, false)
		if err != nil {
			return err
		}
		relays, err := store.Plan(ctx, []results.Relay{{Experiment: record.ID, Policy: "noop", Environment: "x", Domain: "accounting", Repeat: 1, Schedule: []string{"e"}}}, nil)
		if err != nil {
			return err
		}
		files := vfs.Files{}
		for i := range documents {
			files[fmt.Sprint("f", i)] = fmt.Sprint(i)
		}
		in := results.Interaction{Relay: relays[0].ID, Number: 1, Direction: results.Forward, Output: files}
		if err := errors.Join(store.PutContents(ctx, []string{env.Encode()}), store.Append(ctx, &in, nil)); err != nil {
			return err
		}
		size := 30 << 20
		if documents == 1 {
			size = 1 << 30
		}
		zip, err := zstd.NewWriter(nil)
		if err != nil {
			return err
		}
		_, err = store.SQLite().ExecContext(ctx, "UPDATE contents SET zstd = ? WHERE length(zstd) < 50", zip.EncodeAll(make([]byte, size), nil))
		return err
	}
}
