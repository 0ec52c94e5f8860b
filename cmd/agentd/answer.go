package main

import (
	"errors"
	"os"
	"sync"

	"github.com/spf13/cobra"

	domaincatalog "agentd/domains/catalog"
	"agentd/environments"
	"agentd/experiment"
	"agentd/harness/pairs"
	"agentd/internal/printable"
	"agentd/requests"
)

func answerCommand() *cobra.Command {
	var choice experiment.Sandbox
	c := &cobra.Command{
		Use:   "answer",
		Short: "Answer another program's questions about documents",
		Long: "Answer requests on standard input, a JSON object a line, until it ends. The package for Python\nasks this way.\n\n" +
			"  do            with                                                         answers\n" +
			"  score         domain, reference, candidate, metadata, scaffold,            as agentd score --pairs\n" +
			"                differences; or env, edit, direction, candidate\n" +
			"  diff          before, after, domain                                        as agentd diff --format json\n" +
			"  domains       files, or nothing for all                                    the domains that read them\n" +
			"  environments  data                                                         their edits, without documents\n" +
			"  environment   env, data                                                    all of one\n" +
			"  oracle        env, edit, direction, documents, data                        what the exact program makes\n\n" +
			"An answer is {\"id\", \"result\"} or {\"id\", \"error\"}. Requests are answered at the same time, so an answer\n" +
			"may come before that of an earlier request: the id says whose it is.",
		Example: `  echo '{"id":"1","do":"oracle","env":"accounting1","edit":"1"}' | agentd answer`,
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) (err error) {
			runs := choice.Programs(c.Context())
			defer func() { err = errors.Join(err, runs.Close()) }()
			load := func(data string) ([]environments.Environment, error) {
				all, err := (&experiment.Environments{Data: data}).LoadAll()
				for i := range all {
					all[i].Programs = runs
				}
				return all, err
			}
			builtin := sync.OnceValues(func() ([]environments.Environment, error) { return load("") })
			s := requests.Server{
				Scorer: pairs.Scorer{Find: domaincatalog.Running(runs)},
				Environments: func(data string) ([]environments.Environment, error) {
					if data == "" {
						return builtin()
					}
					return load(data)
				},
			}
			in, err := pairs.Open(c.Context(), "-", os.Stdin)
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
