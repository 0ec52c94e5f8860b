package main

import (
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"

	"agentd/internal/printable"
	"agentd/internal/usage"
)

func importCommand() *cobra.Command {
	var to string
	c := &cobra.Command{
		Use:   "import FILE [NAME...]",
		Short: "Write environments of a data set file as folders that can be edited",
		Long: "Read a file in the released format, or a folder, and write each environment as a folder:\n" +
			"environment.yaml, seed/, distractors/.",
		Example: "  agentd env import delegate52.jsonl --to environments/\n  agentd env import delegate52.jsonl 'accounting*' --to environments/",
		Args:    cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if to == "" {
				return usage.Errorf("give the folder to write to with --to")
			}
			if c.Flags().Changed("data") {
				return usage.Errorf("name the file as an argument, without --data")
			}
			source := envSource{data: args[0]}
			envs, err := source.choose(args[1:])
			if err != nil {
				return err
			}
			for i := range envs {
				if err := envs[i].Save(to); err != nil {
					return err
				}
			}
			_, err = printable.Fprintf(c.OutOrStdout(), "%s in %s\n", printable.Count(len(envs), "environment"), to)
			return err
		},
	}
	c.Flags().StringVar(&to, "to", "", "folder to write to, one folder for each environment")
	return c
}

func (s *envSource) exportCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "export [NAME...]",
		Short:   "Print environments in the released format, a line of JSON each",
		Long:    "Print environments in the released format, which has no oracles.",
		Example: "  agentd env export > mine.jsonl\n  agentd env export --data environments/ accounting1",
		RunE: func(c *cobra.Command, names []string) error {
			envs, err := s.choose(names)
			if err != nil {
				return err
			}
			encoder := json.NewEncoder(printable.ForJSON(c.OutOrStdout()))
			encoder.SetEscapeHTML(false)
			for i := range envs {
				if err := encoder.Encode(envs[i].Sample()); err != nil {
					return fmt.Errorf("writing %s: %w", envs[i].Name, err)
				}
			}
			return nil
		},
	}
}
