package main

import (
	"github.com/spf13/cobra"

	"agentd/experiment"
)

func (s *envSource) splitCommand() *cobra.Command {
	var judge, to string
	c := &cobra.Command{Use: "split [NAME...] --judge MODEL --to FOLDER", Short: "Have a model write instructions as several messages, for run --turns parts"}
	c.Example = "  agentd env split accounting1 --judge gpt-5.4 --to parts/\n  agentd run --data parts/ --turns parts"
	c.RunE = func(c *cobra.Command, names []string) error {
		return experiment.Split(c.Context(), c.OutOrStdout(), &experiment.Environments{Data: s.data, Names: names}, judge, to)
	}
	c.Flags().StringVar(&judge, "judge", "", "model that writes the messages")
	c.Flags().StringVar(&to, "to", "", "folder for the environments with parts")
	return c
}
