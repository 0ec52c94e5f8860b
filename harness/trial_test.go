package harness

import (
	"context"
	"errors"
	"testing"

	"agentd/policies"
	"agentd/policies/noop"
	"agentd/policies/oracle"
	"agentd/results"
)

func TestEveryEditIsTriedAlone(t *testing.T) {
	t.Parallel()
	envs := builtin(t)[:2]
	x := experiment(envs, oracle.Policy{}, noop.Policy{})
	x.Repeats = 2
	trials, err := NewWorker(x).Trials(t.Context(), 2)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for i := range envs {
		for _, edit := range envs[i].Edits {
			for _, arm := range x.Arms {
				for run := 1; run <= x.Repeats; run++ {
					got := trials[n]
					n++
					if got.Environment.Name != envs[i].Name || got.Edit.Name != edit.Name || got.Arm != arm || got.Run != run {
						t.Fatalf("trial %d is of %s, %s, run %d", n, got.Environment.Name, got.Edit.Name, got.Run)
					}
					checkTrial(t, &got)
				}
			}
		}
	}
	if len(trials) != n {
		t.Errorf("%d trials, want %d", len(trials), n)
	}
}

func checkTrial(t *testing.T, trial *Trial) {
	t.Helper()
	there, back := trial.Forward, trial.Backward
	if there.Edit != trial.Edit.Name || back.Edit != trial.Edit.Name ||
		there.Direction != results.Forward || back.Direction != results.Backward {
		t.Errorf("%s: the steps are %s %s and %s %s", trial.Edit.Name, there.Edit, there.Direction, back.Edit, back.Direction)
	}
	exact := trial.Arm.Policy.Name() == "oracle"
	if back.Score == nil || back.Score.Value != 1 || (*there.Forward == 1) != exact || (there.Failure == "") != exact {
		t.Errorf("%s by %s: score %+v, forward %v, %q", trial.Edit.Name, trial.Arm.Policy.Name(), back.Score, *there.Forward, there.Failure)
	}
}

func TestInterruptedTrialsSaySo(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if trials, err := NewWorker(experiment(builtin(t), waiting{})).Trials(ctx, 2); !errors.Is(err, context.Canceled) || trials != nil {
		t.Errorf("%d trials, %v", len(trials), err)
	}
}

// waiting is a policy that works until it is interrupted.
type waiting struct{}

func (waiting) Name() string { return "waiting" }

func (waiting) Edit(ctx context.Context, _ *policies.Task) error {
	<-ctx.Done()
	return ctx.Err()
}
