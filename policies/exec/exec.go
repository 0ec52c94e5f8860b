// Package exec is the policy that runs any program: a script, or the command line of an
// existing agent.
//
// The command runs in the interaction's sandbox, in a folder with the workspace's files. It
// gets the task in its arguments, which are templates, in its environment and in a file. It can
// reach one network address. There a server of this package forwards requests to the model
// under test, and offers the interaction's tools by MCP. So tokens, cost, turns and tool calls
// are measured as for other policies, and the sandbox contains no key. The files that the
// command leaves in the folder are the interaction's result.
package exec

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/template"
	"time"

	"agentd/models"
	"agentd/models/gateway"
	"agentd/policies"
	"agentd/policies/exec/acp"
	"agentd/sandbox"
	"agentd/tools"
)

// Options describe a command and its limits.
type Options struct {
	Name string // of the policy
	Program
	// OwnSettings says that the command's temperature, effort and output limit apply where the
	// model's settings are empty. Otherwise they are omitted.
	OwnSettings bool
	// Dialogue says whether conversations are continued, if the program can.
	Dialogue policies.Dialogue
	Limits   sandbox.Limits
	Turns    int     // completions
	Tokens   int     // prompt and completion tokens of all turns
	USD      float64 // of all turns; 0 for no limit
}

// DefaultLimits are the limits of a command. Agents run longer than scripts and need
// more memory and processes.
func DefaultLimits() sandbox.Limits {
	l := sandbox.DefaultLimits()
	l.WallTime, l.MemoryBytes, l.Processes = 10*time.Minute, 1<<30, 256
	return l
}

// Values are the fields that the templates of arguments may use.
type Values struct {
	Instruction string
	Targets     List // names or patterns of the files to produce
	Files       List // all files, in the task's order
	Model       string
	Seed        int64
	// Prompt is the task in words: the instruction, the files, and the files to produce.
	Prompt string
}

// List is a list of names. Its text form is separated by commas.
type List []string

func (l List) String() string { return strings.Join(l, ",") }

// Policy runs one command with one model.
type Policy struct {
	Model models.Model
	Price *models.Price // nil if unknown

	options   Options
	arguments []*template.Template
}

// New returns the policy.
func New(model models.Model, price *models.Price, options Options) (*Policy, error) {
	p := &Policy{Model: model, Price: price, options: options}
	if len(options.Args) == 0 {
		return nil, errors.New("policy exec needs a command, such as exec:examples/python")
	}
	arguments := options.Args
	if options.ACP {
		arguments = acp.Command(arguments)
	}
	for _, argument := range arguments {
		t, err := template.New("argument").Option("missingkey=error").Parse(argument)
		if err == nil {
			err = t.Execute(io.Discard, Values{})
		}
		if err != nil {
			return nil, fmt.Errorf("reading the command's argument %q: %w", argument, err)
		}
		p.arguments = append(p.arguments, t)
	}
	return p, nil
}

// Name implements policies.Policy.
func (p *Policy) Name() string { return p.options.Name }

// Edit runs the command to its end. It returns a Failure if the command fails or must be
// stopped; the files stay as the command left them.
func (p *Policy) Edit(ctx context.Context, task *policies.Task) (err error) {
	task.Trace.Ending = policies.Failed
	command, err := p.command(task)
	if err != nil {
		return err
	}
	runner, err := task.NewRunner()
	if err != nil {
		return policies.Failf(policies.SandboxFailure, "starting the sandbox: %v", err)
	}
	defer func() { err = errors.Join(err, runner.Close()) }()
	session, err := task.Session(tools.All())
	if err != nil {
		return err
	}
	session.PermitFinish() // what the command writes itself does not pass through here
	defer func() { err = errors.Join(err, session.Close()) }()

	running, end := context.WithCancelCause(ctx)
	defer end(nil)
	s := newServer(p, task, session, running, end)
	s.forget() // what was there before
	command.Serve = s.serve
	result, err := runner.RunCommand(running, task.Workspace, command)
	s.compare()
	complaint := s.remarks.text()
	if result.ExitCode != 0 || result.Limit != sandbox.NoLimit || len(result.Changed)+len(result.Deleted) == 0 {
		complaint += strings.ToValidUTF8(result.Stderr[max(0, len(result.Stderr)-maxComplaint):], "")
	}
	if complaint != "" {
		task.Trace.Complaint = &complaint
	}
	if result.Stdout != "" {
		task.Trace.Printed = &result.Stdout
	}
	switch cause := context.Cause(running); {
	case ctx.Err() != nil:
		return ctx.Err()
	case cause != nil: // agentd ended the command, or was about to
		return s.keepSession(s.ended(cause))
	case err != nil:
		return policies.Failf(policies.SandboxFailure, "%v", err)
	}
	return s.keepSession(s.judge(result))
}

// ended returns Edit's error for a command that agentd ended. cause is the reason.
func (s *server) ended(cause error) error {
	var failure *policies.Failure
	if errors.As(cause, &failure) && failure.Reason != policies.SandboxFailure {
		s.task.Trace.Ending = policies.OutOf
	}
	return cause
}

// judge returns Edit's error for a command that ended by itself or by a sandbox limit.
func (s *server) judge(result sandbox.Result) error {
	trace := s.task.Trace
	said := lastLine(result.Stderr, result.Stdout)
	switch {
	case result.Limit == sandbox.LimitTime:
		trace.Ending = policies.OutOf
		return policies.Failf(policies.TimeBudget, "the command ran longer than %v; %s", s.policy.options.Limits.WallTime, said)
	case result.Limit != sandbox.NoLimit:
		return policies.Failf(policies.CommandFailure, "ended by the limit on %s; %s", result.Limit, said)
	case s.failed != nil:
		return policies.Failf(policies.ModelError, "%v; the command ended with exit code %d; %s", s.failed, result.ExitCode, said)
	}
	if err := s.remarks.failure(result.ExitCode, trace.Answered(), said); err != nil {
		return err
	}
	if s.agent != nil {
		if err := s.agent.Err(); err != nil {
			return policies.Failf(policies.CommandFailure, "%v; %s", err, said)
		}
	}
	switch {
	case result.ExitCode != 0:
		return policies.Failf(policies.CommandFailure, "exit code %d; %s", result.ExitCode, said)
	case s.session.Finished():
		trace.Ending = policies.Finished
	default:
		trace.Ending = policies.Exited
	}
	return nil
}

// maxComplaint is the largest part of a command's error output that is kept, in bytes.
const maxComplaint = 16 << 10

// lastLine returns the last line of the first text that is not empty.
func lastLine(texts ...string) string {
	const most = 500 // bytes
	for _, text := range texts {
		lines := strings.Split(strings.TrimSpace(text), "\n")
		if last := lines[len(lines)-1]; last != "" {
			return "it said last: " + strings.ToValidUTF8(last[:min(len(last), most)], "")
		}
	}
	return "it said nothing"
}

// maxVariable is the largest environment variable in bytes, below the kernel's limit. A longer
// one is omitted; its value is in the task file as well.
const maxVariable = 100_000

// values returns the values for templates, without the prompt.
func (p *Policy) values(task *policies.Task) Values {
	return Values{Instruction: task.Instruction, Targets: task.Targets, Files: task.FileOrder, Model: p.Model.Name(), Seed: task.Seed}
}

// promptOf puts a task into words, as the loops of tool calls do, so that agents are compared with
// them and not with their prompts.
func promptOf(v Values) string {
	return fmt.Sprintf("%s\n\nFiles in the workspace:\n- %s\n\nFiles to produce:\n- %s\n",
		v.Instruction, strings.Join(v.Files, "\n- "), strings.Join(v.Targets, "\n- "))
}

// command fills in the command's arguments, environment and task file.
func (p *Policy) command(task *policies.Task) (sandbox.Command, error) {
	c := sandbox.Command{Folder: p.options.Brought.Path(), Limits: p.options.Limits}
	values := p.values(task)
	values.Prompt = promptOf(values)
	if task.Part { // the command knows the rest
		values.Prompt = task.Instruction
	}
	for _, t := range p.arguments {
		var b strings.Builder
		if err := t.Execute(&b, values); err != nil {
			return c, fmt.Errorf("filling in the command: %w", err)
		}
		c.Args = append(c.Args, b.String())
	}
	const address = "http://" + sandbox.CommandServer
	raw, err := json.MarshalIndent(map[string]any{
		"instruction": values.Instruction, "targets": values.Targets, "files": values.Files,
		"prompt": values.Prompt, "model": values.Model, "seed": values.Seed,
		"openai_base_url": address + gateway.Path, "mcp_url": address + mcpPath,
	}, "", "  ")
	if err != nil {
		return c, err
	}
	c.Task = string(raw)
	c.Env = []string{
		"OPENAI_BASE_URL=" + address + gateway.Path,
		"ANTHROPIC_BASE_URL=" + address,
		"GOOGLE_GEMINI_BASE_URL=" + address,
		"OPENAI_API_KEY=none", "ANTHROPIC_API_KEY=none", "GEMINI_API_KEY=none", // clients want one
		"OPENAI_MODEL=" + values.Model,
		"AGENTD_MCP_URL=" + address + mcpPath,
		"AGENTD_TASK=" + sandbox.CommandTask,
		"AGENTD_TARGETS=" + strings.Join(values.Targets, "\n"),
		"AGENTD_INSTRUCTION=" + values.Instruction,
		"AGENTD_PROMPT=" + values.Prompt,
	}
	if p.goesOn() {
		c.Env = append(c.Env, "AGENTD_SESSION_URL="+address+sessionPath, "AGENTD_SESSION="+sessionTool)
	}
	c.Env = append(c.Env, p.options.Env...)
	c.Env = slices.DeleteFunc(c.Env, func(v string) bool { return len(v) > maxVariable })
	return c, nil
}
