package experiment

import (
	"context"
	"errors"
	"fmt"
	"io"

	"agentd/environments"
	"agentd/environments/split"
	"agentd/internal/layout"
	"agentd/internal/usage"
)

// Split has a model divide the instructions of environments into several messages, saves the
// environments in a folder, and prints the result for each instruction.
func Split(ctx context.Context, w io.Writer, from *Environments, judge, to string) error {
	if judge == "" || to == "" {
		return usage.Errorf("name the model that writes the messages, and a folder for the environments: --judge NAME --to FOLDER")
	}
	envs, err := from.Choose()
	if err != nil {
		return err
	}
	ask, done, err := OpenAsker(ctx, judge, nil, nil)
	if err != nil {
		return err
	}
	err = splitAll(w, envs, func(env environments.Environment) (environments.Environment, []split.Instruction, error) {
		return split.Environment(env, ask)
	}, to)
	return errors.Join(err, done())
}

func splitAll(w io.Writer, envs []environments.Environment, one func(environments.Environment) (environments.Environment, []split.Instruction, error), to string) error {
	t := layout.NewTable(3, "environment", "edit", "direction", "messages", "")
	parted, whole := 0, 0
	for _, env := range envs {
		made, became, err := one(env)
		if err != nil {
			return err
		}
		if err := made.Save(to); err != nil {
			return err
		}
		for _, b := range became {
			why := ""
			if parted++; b.Why != "" {
				parted, whole, why = parted-1, whole+1, "stays whole: "+b.Why
			}
			t.Row(b.Environment, b.Edit, b.Direction, b.Messages, why)
		}
	}
	if err := t.Write(w); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "%d instructions are in parts, %d stay whole; agentd run --data %s --turns parts\n", parted, whole, to)
	return err
}
