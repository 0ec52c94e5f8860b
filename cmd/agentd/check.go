package main

import (
	"github.com/spf13/cobra"

	"agentd/harness/experiment"
	"agentd/internal/usage"
	"agentd/models"
)

func checkCommand() *cobra.Command {
	var name string
	var server models.Spec
	c := &cobra.Command{
		Use:   "check",
		Short: "Ask a model once: does it answer, how fast, with tool calls, and how long may documents be",
		Long: "Ask a model for one short completion, and its server what it serves. A run begins with the\n" +
			"second, so a wrong address or key ends it at once.",
		Example: "  agentd check --model gpt-5.4\n" +
			"  agentd check --model qwen3-8b --base-url http://127.0.0.1:8080/v1",
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if name == "" {
				return usage.Errorf("name the model with --model")
			}
			tried, err := experiment.TryModel(c.Context(), experiment.AllNamed([]string{name}, server)[0])
			if err != nil {
				return err
			}
			return tried.Write(c.OutOrStdout())
		},
	}
	c.Flags().StringVar(&name, "model", "", "the model")
	registerServer(c.Flags(), &server)
	return c
}
