package main

import (
	"errors"
	"os"

	"github.com/spf13/cobra"

	"agentd/documents/requests"
	"agentd/harness/experiment"
	"agentd/internal/datafile"
	"agentd/internal/printable"
)

func answerCommand() *cobra.Command {
	var choice experiment.Sandbox
	c := &cobra.Command{
		Use:   "answer",
		Short: "Answer another program's questions about documents",
		Long: "Answer requests on standard input, a JSON object a line, until it ends. The package for Python\n" +
			"asks this way. \"do\" says what is asked for: score takes the fields of a line of agentd score\n" +
			"--pairs, and differences; diff takes before, after and domain; domains takes files, or nothing for\n" +
			"all domains; environments takes data; environment takes env and data; oracle takes env, edit,\n" +
			"direction, documents and data. What takes data also takes derived, a number of edits to derive of each\n" +
			"document, and paths, files and folders of documents to take in place of data. An answer is {\"id\", \"result\"} or {\"id\", \"error\"}. Several requests\n" +
			"are answered at a time, so the id says whose an answer is.",
		Example: `  echo '{"id":"1","do":"oracle","env":"accounting1","edit":"1"}' | agentd answer`,
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) (err error) {
			scoring := choice.Scoring(c.Context())
			defer func() { err = errors.Join(err, scoring.Close()) }()
			s := requests.Server{
				Scorer: requests.Scorer{Find: scoring.Find},
				Steps: func(from requests.Source) *experiment.Steps {
					return stepsOf(experiment.Environments{Data: from.Data, Derived: from.Derived}, from.Paths, scoring)
				},
			}
			in, err := datafile.OpenInput(c.Context(), "-", os.Stdin)
			if err != nil {
				return err
			}
			defer in.Close()
			return s.Serve(c.Context(), in, printable.ForJSON(c.OutOrStdout()))
		},
	}
	registerSandbox(c.Flags(), &choice)
	return c
}
