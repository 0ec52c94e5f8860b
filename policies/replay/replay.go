// Package replay repeats the tool calls of stored interactions in the workspace, without a
// model. The calls can so be repeated with other limits, another sandbox or another version of
// the tools.
package replay

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"agentd/internal/datafile"
	"agentd/internal/jsonsafe"
	"agentd/policies"
	"agentd/policies/entry"
	"agentd/tools"
)

// Recording holds the tool calls of one arm, by interaction.
type Recording struct {
	tasks map[policies.Step]actions
}

// actions are the calls of an interaction.
type actions struct {
	calls     []call
	published bool // they are of the published harness's tools
}

// call is a recorded tool call.
type call struct {
	Turn      int     `json:"turn"`
	Tool      string  `json:"gen_ai.tool.name"`
	Arguments *string `json:"gen_ai.tool.call.arguments"`
}

// row is an interaction as agentd export writes it, reduced to the fields needed here.
type row struct {
	Model       string `json:"gen_ai.request.model"`
	Policy      string `json:"gen_ai.agent.name"`
	Environment string `json:"environment"`
	Repeat      int    `json:"repeat"`
	Number      int    `json:"interaction"`
	Calls       []call `json:"tool_calls"`
	Published   bool   `json:"published_tools"`
}

func (r row) arm() string { return strings.TrimSpace(r.Model + " " + r.Policy) }

// Read reads a recording: the JSON lines of agentd export --contents for an experiment that was
// run with --trace full. arm selects one of several arms, as "MODEL POLICY". It may be empty if
// there is only one.
func Read(text []byte, arm string) (*Recording, error) {
	r := &Recording{tasks: map[policies.Step]actions{}}
	arms := map[string]bool{}
	number := 0
	for line := range bytes.Lines(text) {
		number++
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		var in row
		if err := jsonsafe.Unmarshal(line, &in, jsonsafe.DefaultLimits()); err != nil {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
		if in.Environment == "" || in.Number < 1 {
			return nil, fmt.Errorf("line %d is no interaction of agentd export", number)
		}
		if arms[in.arm()] = true; arm != "" && in.arm() != arm {
			continue
		}
		for _, c := range in.Calls {
			if c.Arguments == nil {
				return nil, fmt.Errorf("line %d: what went into %s was not kept; it takes agentd run --trace full and agentd export --contents", number, c.Tool)
			}
		}
		r.tasks[policies.Step{Environment: in.Environment, Repeat: in.Repeat, Number: in.Number}] = actions{in.Calls, in.Published}
	}
	names := strings.Join(slices.Sorted(maps.Keys(arms)), ", ")
	switch {
	case len(arms) == 0:
		return nil, errors.New("there are no interactions")
	case arm == "" && len(arms) > 1:
		return nil, fmt.Errorf("there are several arms: say which, as arm: %s", names)
	case len(r.tasks) == 0:
		return nil, fmt.Errorf("there is no arm %q; there are %s", arm, names)
	}
	return r, nil
}

// Options select the calls to repeat.
type Options struct {
	// Calls is a file of recorded tool calls.
	Calls string `yaml:"calls" json:"calls,omitempty"`
	// Arm selects an arm, as "MODEL POLICY", if the file has several.
	Arm string `yaml:"arm" json:"arm,omitempty"`
	// Hash is the SHA-256 of the file. Open computes it.
	Hash string `yaml:"-" json:"hash,omitempty"`

	recording *Recording
}

// Entry is the policy in the catalog.
func Entry() entry.Entry {
	return entry.Entry{
		Name: "replay", Summary: "replay:FILE: the tool calls of a stored experiment again, as agentd export --contents wrote them; needs no model",
		NeedsSandbox: true, Traits: entry.Traits{Tools: true}, Options: &Options{},
	}
}

// Argue sets the file.
func (o *Options) Argue(text string) string {
	o.Calls = text
	return ""
}

// Title names the file.
func (o *Options) Title() string {
	return "replay:" + strings.TrimSuffix(path.Base(o.Calls), path.Ext(o.Calls))
}

// mostCallsBytes is the largest size of a file of recorded calls.
const mostCallsBytes = 256 << 20

// Open reads the calls.
func (o *Options) Open() error {
	text, err := datafile.Read(o.Calls, mostCallsBytes)
	if err != nil {
		return err
	}
	sum := sha256.Sum256(text)
	if err := entry.Identify(&o.Hash, o.Calls, hex.EncodeToString(sum[:])); err != nil {
		return err
	}
	if o.recording, err = Read(text, o.Arm); err != nil {
		return fmt.Errorf("%s: %w", o.Calls, err)
	}
	return nil
}

// New makes the policy.
func (o *Options) New(entry.Ingredients) (policies.Policy, error) {
	return Policy{o.recording}, nil
}

// Policy repeats a recording.
type Policy struct{ Recording *Recording }

// Name implements policies.Policy.
func (Policy) Name() string { return "replay" }

// Edit repeats the calls of the interaction with the same environment, repeat and number. It
// returns a Failure if there are none.
func (p Policy) Edit(ctx context.Context, task *policies.Task) (err error) {
	task.Trace.Ending = policies.Failed
	did := p.Recording.tasks[task.Step]
	if len(did.calls) == 0 {
		return policies.Failf(policies.NotRecorded, "no tool calls of interaction %d on %s, repeat %d", task.Step.Number, task.Step.Environment, task.Step.Repeat)
	}
	var session *tools.Session
	if did.published {
		session = task.PublishedSession(tools.Published())
	} else if session, err = task.Session(tools.All()); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, session.Close()) }()
	for _, c := range did.calls {
		began := time.Now()
		outcome, err := session.Call(ctx, c.Tool, *c.Arguments)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			return policies.ToolFailure(err)
		}
		task.Trace.AddCall(c.Turn, c.Tool, *c.Arguments, outcome, time.Since(began))
	}
	task.Trace.Ending = policies.Stopped
	if session.Finished() {
		task.Trace.Ending = policies.Finished
	}
	return nil
}
