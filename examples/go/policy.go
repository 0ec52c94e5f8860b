// Package minimal is a policy in Go, as docs/policies.md tells it: the least loop in
// which a model works with tools.
package minimal

import (
	"context"
	"fmt"
	"strings"
	"time"

	"agentd/models"
	"agentd/policies"
	"agentd/tools"
)

// Policy has a model work with the five published tools.
type Policy struct{ Model models.Model }

// Name implements policies.Policy.
func (Policy) Name() string { return "minimal" }

// Edit asks and does until the model calls finish or calls nothing.
func (p Policy) Edit(ctx context.Context, task *policies.Task) error {
	session := tools.NewSession(task.Workspace, task.NewRunner, tools.Standard())
	defer session.Close()
	var offered []models.Tool
	for _, t := range tools.Standard() {
		offered = append(offered, models.Tool{Name: t.Name, Description: t.Description, Parameters: t.Parameters})
	}
	messages := []models.Message{{Role: models.User, Content: fmt.Sprintf("%s\n\nFiles:\n- %s\n\nFiles to produce:\n- %s",
		task.Instruction, strings.Join(task.FileOrder, "\n- "), strings.Join(task.Targets, "\n- "))}}
	for range 25 {
		answer, err := p.Model.Complete(ctx, models.Request{Messages: messages, Tools: offered, Seed: task.Seed})
		if err != nil {
			return policies.ModelFailure(ctx, task, err)
		}
		turn := task.Trace.AddTurn(answer, nil)
		messages = append(messages, answer.Message)
		for _, call := range answer.Message.ToolCalls {
			began := time.Now()
			outcome, err := session.Call(ctx, call.Name, call.Arguments)
			if err != nil {
				return policies.Failf(policies.SandboxFailure, "%v", err)
			}
			task.Trace.AddCall(turn, call.Name, call.Arguments, outcome, time.Since(began))
			messages = append(messages, models.Message{Role: models.ToolRole, ToolCallID: call.ID, Content: outcome.Text})
		}
		if session.Finished() || len(answer.Message.ToolCalls) == 0 {
			task.Trace.Ending = policies.Finished
			return nil
		}
	}
	return policies.Failf(policies.TurnBudget, "not finished after 25 turns")
}
