package gym

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"agentd/models"
	"agentd/policies"
	"agentd/policies/direct"
	"agentd/results"
	"agentd/tools"
	"agentd/vfs"
	"agentd/vfs/fenced"
)

// Policy hands each interaction of an episode to the client of the episode's session.
type Policy struct{}

// Name implements policies.Policy.
func (Policy) Name() string { return Name }

// Edit shows the client the task and carries out its actions, until it finishes, answers, or has used up what it may.
func (Policy) Edit(ctx context.Context, task *policies.Task) error {
	e, ok := ctx.Value(episodeKey{}).(*episode)
	if !ok {
		return errors.New("the policy gym works in episodes of a gym server alone")
	}
	w, err := e.take(task)
	if err != nil {
		return err
	}
	err = w.serve(ctx)
	return errors.Join(err, w.session.Close())
}

// Bounds of an interaction, in bytes.
const (
	mostSaid = 8 << 20 // all actions and results together
	mostMade = 1 << 20 // by which the workspace may grow, in addition to three times what was there
)

// work is one interaction of an episode.
type work struct {
	*episode
	number  int // in the episode, from 1
	task    *policies.Task
	session *tools.Session
	most    int  // bytes that the workspace may have
	left    int  // steps
	said    int  // bytes so far
	read    bool // whether all files were read, for a prompt
}

// take prepares an interaction and shows it to the client, with what came of the one before.
func (e *episode) take(task *policies.Task) (*work, error) {
	session, err := task.Session(tools.All())
	if err != nil {
		return nil, err
	}
	w := &work{episode: e, number: len(e.interactions) + 1, task: task, session: session, left: e.server.options.Steps}
	all, err := task.Workspace.Snapshot()
	if err != nil {
		return nil, err
	}
	w.most = 4*all.Bytes() + mostMade
	r := e.ending
	if r == nil {
		r = &reply{Metadata: e.metadata(1)}
	}
	e.ending = nil
	o := &r.Observation
	o.Instruction, o.Files, o.Targets, o.Documents, o.StepsLeft = task.Instruction, task.FileOrder, task.Targets, all.Texts(), w.left
	if e.chosen.prompt && !all.HasBinary() {
		if o.Prompt, err = e.server.reader.Prompt(task); err != nil {
			return nil, err
		}
		w.read = true
	}
	e.answer(r)
	return w, nil
}

// serve carries out actions until one ends the interaction.
func (w *work) serve(ctx context.Context) error {
	for {
		var a *action
		select {
		case a = <-w.actions:
		case <-ctx.Done():
			w.task.Trace.Ending = policies.Failed
			return ctx.Err()
		}
		w.steps.Add(1)
		w.left--
		r, ends, err := w.act(ctx, a)
		var failure *policies.Failure
		if err != nil && !errors.As(err, &failure) {
			return err
		}
		if r.Observation.StepsLeft = w.left; !ends && err == nil {
			w.answer(r)
			continue
		}
		if failure != nil {
			w.task.Trace.Ending = policies.Failed
		}
		if gradeErr := w.grade(r); gradeErr != nil {
			return gradeErr
		}
		w.ending = r
		return err
	}
}

// act carries out an action. A Failure, or ends, ends the interaction.
func (w *work) act(ctx context.Context, a *action) (r *reply, ends bool, err error) {
	r = &reply{Metadata: w.metadata(w.number)}
	w.said += a.bytes()
	switch a.Type {
	case listTools:
		r.Observation.Tools = allTools()
	case giveFiles:
		err = w.deliver(a)
		ends = true
	case callTool:
		err = w.call(ctx, a, &r.Observation)
		ends = w.session.Finished()
	}
	if ends && err == nil {
		w.task.Trace.Ending = map[bool]policies.Ending{true: policies.Finished, false: policies.Answered}[a.Type == callTool]
	}
	if err != nil {
		return r, ends, err
	}
	if err := w.bound(); err != nil {
		return r, true, err
	}
	if !ends && w.left == 0 {
		w.task.Trace.Ending = policies.OutOf
		return r, true, policies.Failf(policies.TurnBudget, "%d steps were used up", w.server.options.Steps)
	}
	return r, ends, nil
}

func (w *work) call(ctx context.Context, a *action, o *observation) error {
	began := time.Now()
	arguments := a.arguments()
	outcome, err := w.session.Call(ctx, a.ToolName, arguments)
	if err != nil {
		return fmt.Errorf("the tool %s: %w", a.ToolName, err)
	}
	w.task.Trace.AddCall(0, a.ToolName, arguments, outcome, time.Since(began))
	w.said += len(outcome.Text)
	o.ToolName, o.Result, o.Failed = a.ToolName, outcome.Text, outcome.Failed
	return nil
}

// deliver reads a direct answer as the policy direct does: every file counts as read, and those of the
// answer take the place of the documents.
func (w *work) deliver(a *action) error {
	if !w.read {
		for _, name := range w.task.FileOrder {
			if _, err := w.task.Workspace.Read("prompt", name); err != nil && !errors.Is(err, vfs.ErrNotExist) {
				return err
			}
		}
	}
	if a.Text != nil {
		w.said += len(*a.Text)
		answer := models.Response{Message: models.Message{Content: *a.Text}, FinishReason: "answer"}
		w.task.Trace.AddTurn(answer, nil)
		return w.server.reader.Take(w.task, answer)
	}
	files, err := vfs.FromTexts(a.Files)
	if err != nil {
		return policies.Failf(policies.BadAnswer, "%v", err)
	}
	w.task.Trace.AddTurn(models.Response{Message: models.Message{Content: fenced.Format(files, files.Names())}}, nil)
	return direct.Deliver(w.task, files)
}

// bound ends an interaction that fills the memory. Of what it has made nothing is kept then.
func (w *work) bound() error {
	all, err := w.task.Workspace.Snapshot()
	if err != nil {
		return err
	}
	size := all.Bytes()
	if size <= w.most && w.said <= mostSaid {
		return nil
	}
	if err := restore(w.task.Workspace, all); err != nil {
		return err
	}
	if size > w.most {
		return policies.Failf(policies.BadAnswer, "the files are larger than %d bytes", w.most)
	}
	return policies.Failf(policies.TokenBudget, "actions and results are longer than %d bytes", mostSaid)
}

// restore gives a workspace the files that it began with; all are those that it has.
func restore(w *vfs.Workspace, all vfs.Files) error {
	start, err := w.Start()
	if err != nil {
		return err
	}
	for name := range all {
		if _, was := start[name]; was {
			continue
		}
		if err := w.Delete(name); err != nil {
			return err
		}
	}
	for name, text := range start {
		if all[name] == text {
			continue
		}
		if err := w.Write(name, text); err != nil {
			return err
		}
	}
	return nil
}

// grade adds the reward to the answer: that of the interaction, divided by how many there are. The step is
// compared with what the exact programs make of the seed, also in a relay whose documents were damaged before.
// Compared with what they make of the documents as they are, a relay would pay most for leaving little to edit.
func (w *work) grade(r *reply) error {
	left, err := w.task.Workspace.Snapshot()
	if err != nil {
		return err
	}
	m := &r.Metadata
	asked, err := w.server.worker.Asked(m.Environment, m.Edit, results.Direction(m.Direction))
	if err != nil {
		return fmt.Errorf("grading: %w", err)
	}
	g := asked.Grade(left)
	if results.Direction(m.Direction) == results.Forward {
		w.there = g.Reward
	} else if w.length() > 1 {
		g.Reward = min(g.Reward, w.there)
	}
	m.Grade = &g
	reward := g.Reward / float64(w.length())
	r.Reward = &reward
	return nil
}

func firstLine(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n")
	return line
}
