package main

import (
	"io"

	"github.com/spf13/cobra"

	"agentd/documents/compare"
	domaincatalog "agentd/domains/catalog"
	"agentd/environments"
	"agentd/harness/experiment"
	"agentd/internal/printable"
	"agentd/internal/usage"
)

// What several commands say of the same flag.
const (
	dataUsage        = "data set file or folder (default the built-in environments)"
	distractorsUsage = "leave distractor files out"
)

// envSource is where the env commands find environments.
type envSource struct{ data string }

func (a *app) envCommand() *cobra.Command {
	var source envSource
	c := &cobra.Command{Use: "env", Short: "Work environments", Example: "  agentd env list\n  agentd env show accounting1\n  agentd env validate --data mine/"}
	c.PersistentFlags().StringVar(&source.data, "data", "", dataUsage)
	c.AddCommand(
		source.listCommand(), source.showCommand(), source.oracleCommand(),
		source.validateCommand(), a.envTestCommand(&source), source.propertiesCommand(), source.interferenceCommand(),
		a.resizeCommand(&source), newEnvCommand(), deriveCommand(), source.splitCommand(), importCommand(), source.exportCommand(), pullCommand(),
	)
	return c
}

// choose returns the environments that names or patterns select, all of them if
// there are none.
func (s *envSource) choose(wanted []string) ([]environments.Environment, error) {
	return (&experiment.Environments{Data: s.data, Names: wanted}).Choose()
}

func (s *envSource) load() ([]environments.Environment, error) {
	return (&experiment.Environments{Data: s.data}).LoadAll()
}

func (s *envSource) listCommand() *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "List environments", Example: "  agentd env list --data delegate52.jsonl", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			envs, err := s.load()
			if err != nil {
				return err
			}
			return environments.List(envs, domaincatalog.Lookup).Write(c.OutOrStdout())
		},
	}
}

func (s *envSource) showCommand() *cobra.Command {
	var files, judged bool
	format := compare.Text
	show := &cobra.Command{
		Use: "show NAME", Short: "Show one environment", Example: "  agentd env show accounting1 --files\n  agentd env show accounting1 --format json", Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			envs, err := s.load()
			if err != nil {
				return err
			}
			var names []string
			for i := range envs {
				if envs[i].Name == args[0] {
					if judged {
						if _, err := envs[i].AddJudged(); err != nil {
							return err
						}
					}
					if format == compare.JSON {
						_, err := io.WriteString(printable.ForJSON(c.OutOrStdout()), envs[i].Encode()+"\n")
						return err
					}
					return envs[i].Write(c.OutOrStdout(), domaincatalog.Lookup, files)
				}
				names = append(names, envs[i].Name)
			}
			return usage.Unknown("environment", args[0], names)
		},
	}
	show.Flags().BoolVar(&judged, "judged", false, "show the judged edits of a built-in environment too")
	oneOf(show.Flags(), &format, "format", "format", []string{compare.Text, compare.JSON}, "text or json; JSON has the files too")
	show.Flags().BoolVar(&files, "files", false, "print the files too")
	return show
}

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
