package main

import (
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	domaincatalog "agentd/domains/catalog"
	"agentd/harness/experiment"
	"agentd/harness/standin"
	"agentd/internal/printable"
	"agentd/internal/usage"
	"agentd/models/sim"
)

func (a *app) simServerCommand() *cobra.Command {
	var address, data string
	var options sim.Options
	c := &cobra.Command{
		Use:   "sim-server",
		Short: "The stand-in model as an HTTP server, in the dialects of OpenAI, Anthropic and Google",
		Long: "Serve the stand-in models to any client of OpenAI's chat completions and Responses,\n" +
			"Anthropic's Messages or Google's generateContent. They know the edits of the built-in\n" +
			"environments, or of those that --data names. What a maker's server refuses they refuse.",
		Example: "  agentd sim-server --listen 127.0.0.1:8081\n" +
			"  OPENAI_BASE_URL=http://127.0.0.1:8081/v1 my-agent\n" +
			"  ANTHROPIC_BASE_URL=http://127.0.0.1:8081 my-agent\n" +
			"  GOOGLE_GEMINI_BASE_URL=http://127.0.0.1:8081 my-agent",
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) (err error) {
			if options.Faults < 0 || options.LastingFaults < 0 || options.Faults+options.LastingFaults > 1 {
				return usage.Errorf("--faults %v and --lasting-faults %v must be shares of 1 together", options.Faults, options.LastingFaults)
			}
			for _, rule := range options.Rules {
				if !slices.Contains(sim.AllRules(), rule) {
					return usage.Unknown("rule", rule, sim.AllRules())
				}
			}
			envs, err := (&experiment.Environments{Data: data}).LoadAll()
			if err != nil {
				return err
			}
			scoring := experiment.Sandbox{Name: experiment.Bwrap}.Scoring(c.Context())
			defer func() { err = errors.Join(err, scoring.Close()) }()
			for i := range envs {
				scoring.Equip(&envs[i])
			}
			server, err := sim.Listen(address, standin.NewIndex(envs, domaincatalog.Lookup), options)
			if err != nil {
				return err
			}
			ended := make(chan error, 1)
			go func() { ended <- server.Wait() }()
			if _, err := printable.Fprintf(c.OutOrStdout(), "%s\n", server.URL()); err != nil {
				return errors.Join(err, server.Close(), <-ended)
			}
			select {
			case err := <-ended:
				return err
			case <-c.Context().Done():
				return errors.Join(server.Close(), <-ended)
			}
		},
	}
	c.Flags().StringVar(&address, "listen", "127.0.0.1:8081", "address to listen on")
	c.Flags().StringVar(&data, "data", "", dataUsage)
	c.Flags().Float64Var(&options.Faults, "faults", 0, "share of requests that meet a fault which passes: 429, 500, 503, resets, cut-off answers, …")
	c.Flags().Float64Var(&options.LastingFaults, "lasting-faults", 0, "share of requests that meet one which stays: too long, filtered, ended at the output limit")
	c.Flags().Uint64Var(&options.Seed, "seed", 1, "which requests meet faults")
	c.Flags().DurationVar(&options.Stall, "stall", sim.DefaultStall, "how long a fault may keep a client waiting")
	c.Flags().StringSliceVar(&options.Rules, "rules", nil, "what some models refuse, or do unasked: "+strings.Join(sim.AllRules(), ", "))
	c.Flags().DurationVar(&options.Delay, "delay", 0, "time to wait before each completion")
	c.Flags().DurationVar(&options.Pace, "pace", 0, "time to wait between two events of a streamed answer")
	return c
}
