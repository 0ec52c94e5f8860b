package main

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"agentd/documents/guard"
	"agentd/internal/printable"
	"agentd/internal/usage"
)

// liveFlags are the flags of agentd guard hook and agentd guard watch.
type liveFlags struct {
	*guardFlags
	skip []string
}

func (f *liveFlags) register(c *cobra.Command) {
	c.Flags().StringSliceVar(&f.allow, "allow", nil, "if given, changes that it does not name are refused too")
	c.Flags().StringSliceVar(&f.deny, "deny", nil, "changes to refuse (default lost, unless --allow is given)")
	c.Flags().StringSliceVar(&f.skip, "skip", []string{"node_modules"}, "names or patterns of what is not looked at; hidden folders never are")
}

// open opens the folder with the rule.
func (f *liveFlags) open(ctx context.Context) (*guard.Live, error) {
	if len(f.allow)+len(f.deny) == 0 {
		f.deny = []string{"lost"}
	}
	rule, folder, err := f.guardFlags.open(ctx)
	if err != nil {
		return nil, err
	}
	return guard.NewLive(folder, rule, f.skip)
}

func (f *guardFlags) hookCommand() *cobra.Command {
	live := liveFlags{guardFlags: f}
	var settings, install, yes bool
	c := &cobra.Command{
		Use:   "hook claude|codex",
		Short: "Guard a folder during an agent's own sessions, as a hook of the agent",
		Long: "Answer one hook event of Claude Code or Codex: read it from standard input, compare the folder with what it was\n" +
			"before, and answer on standard output. A change that the rule refuses is undone and named to the agent, whichever tool\n" +
			"made it. --settings prints the agent's settings that call this for every event, and --install writes them and says where.",
		Example: "  agentd guard hook claude --files books/ --deny lost --install\n  agentd guard hook codex --files books/ --settings",
		Args:    oneOfArgs(guard.Agents()),
		RunE: func(c *cobra.Command, args []string) error {
			switch {
			case install:
				return live.install(c, args[0], yes)
			case settings:
				text, err := live.settings(args[0])
				printable.Fprintf(c.OutOrStdout(), "%s", printable.Block(text))
				return err
			}
			guarded, err := live.open(c.Context())
			if err == nil {
				err = guarded.Hook(c.Context(), args[0], c.InOrStdin(), printable.ForJSON(c.OutOrStdout()))
			}
			if err != nil {
				return usage.Wrap(err) // agents take the exit status 2 for a refusal, and any other for none
			}
			return nil
		},
	}
	live.register(c)
	c.Flags().BoolVar(&settings, "settings", false, "print the agent's settings for this hook")
	c.Flags().BoolVar(&install, "install", false, "write the settings into the folder, after asking")
	c.Flags().BoolVar(&yes, "yes", false, "with --install: do not ask")
	return c
}

// oneOfArgs takes exactly one argument, of some values.
func oneOfArgs(values []string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) != 1 {
			return usage.Errorf("name the agent: %s", strings.Join(values, " or "))
		}
		if !slices.Contains(values, args[0]) {
			return usage.Unknown("agent", args[0], values)
		}
		return nil
	}
}

// settings are the agent's settings that call this hook, with this program and these flags.
func (f *liveFlags) settings(agent string) (string, error) {
	command, err := f.command(agent)
	if err != nil {
		return "", err
	}
	text, err := guard.Settings(agent, command)
	return string(text), err
}

// command is the shell command of a hook.
func (f *liveFlags) command(agent string) (string, error) {
	program, err := os.Executable()
	if err != nil {
		return "", err
	}
	folder, err := filepath.Abs(f.files)
	if err != nil {
		return "", err
	}
	command := []string{program, "guard", "hook", agent, "--files", folder}
	for _, list := range []struct {
		flag   string
		values []string
	}{{"--allow", f.allow}, {"--deny", f.deny}, {"--skip", f.skip}} {
		if len(list.values) > 0 {
			command = append(command, list.flag, strings.Join(list.values, ","))
		}
	}
	if f.log != "" {
		log, err := filepath.Abs(f.log)
		if err != nil {
			return "", err
		}
		command = append(command, "--log", log)
	}
	for i, word := range command {
		command[i] = quoted(word)
	}
	return strings.Join(command, " "), nil
}

// quoted is a word as a shell reads it.
func quoted(word string) string {
	plain := func(r rune) bool {
		return r < 'a' && r != '-' && r != '.' && r != '/' && r != ',' && r != ':' && r != '_' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') || r > 'z'
	}
	if word != "" && !strings.ContainsFunc(word, plain) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// install writes the settings into the folder, with consent. A file that is there keeps every byte: the hooks are put in front of its
// other keys. It is a usage error if it has hooks already.
func (f *liveFlags) install(c *cobra.Command, agent string, yes bool) error {
	if _, err := f.open(c.Context()); err != nil { // the rule and the folder are looked at first
		return err
	}
	text, err := f.settings(agent)
	if err != nil {
		return err
	}
	root, err := os.OpenRoot(f.files)
	if err != nil {
		return usage.Wrap(err)
	}
	defer root.Close()
	name := guard.SettingsFile(agent)
	was, err := root.ReadFile(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	is, err := guard.Installed(was, []byte(text))
	if err != nil {
		return usage.Errorf("%s: %w; put these in by hand:\n%s", filepath.Join(f.files, name), err, text)
	}
	settings := filepath.Join(f.files, name)
	if err := f.aboutHooks(c, agent, settings); err != nil {
		return err
	}
	consent := askedOn(c, yes)
	if err := consent.Agrees(c.Context(), "write the hooks"); err != nil {
		return err
	}
	if err := root.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	part := name + ".part"
	if err := root.WriteFile(part, is, 0o600); err != nil {
		return err
	}
	if err := root.Rename(part, name); err != nil {
		return errors.Join(err, root.Remove(part))
	}
	printable.Fprintf(c.OutOrStdout(), "written; the next session of %s that starts in %s is guarded\n", agent, f.files)
	return nil
}

// aboutHooks says in a few lines what install writes, and how to undo it.
func (f *liveFlags) aboutHooks(c *cobra.Command, agent, settings string) error {
	command, err := f.command(agent)
	if err != nil {
		return err
	}
	printable.Fprintf(c.OutOrStdout(), "hooks for %s, for %d events: %s\n", agent, len(guard.HookEvents(agent)), strings.Join(guard.HookEvents(agent), ", "))
	printable.Fprintf(c.OutOrStdout(), "each runs: %s\n", command)
	printable.Fprintf(c.OutOrStdout(), "file: %s, as its key hooks (--settings prints all of it)\nto undo: delete the key hooks there\n", settings)
	return nil
}

func (f *guardFlags) watchCommand() *cobra.Command {
	live := liveFlags{guardFlags: f}
	var every, quiet time.Duration
	c := &cobra.Command{
		Use:   "watch [FOLDER]",
		Short: "Guard a folder while any program works in it, until interrupted",
		Long: "Look at a folder until interrupted. Whenever it has changed and then been quiet for a moment, compare its documents with\n" +
			"what they were. A document whose change the rule refuses is put back, and the loss is named on standard output; agentd\n" +
			"guard undo brings the change back. The exit status is 1 if anything was refused, and 0 otherwise.",
		Example: "  agentd guard watch books/ --deny lost",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 1 {
				f.files = args[0]
			}
			if every <= 0 || quiet < 0 {
				return usage.Errorf("--every %v must be more than 0, and --quiet %v not less", every, quiet)
			}
			guarded, err := live.open(c.Context())
			if err != nil {
				return err
			}
			refused := false
			ready := func() error {
				_, err := printable.Fprintf(c.OutOrStdout(), "watching %s; interrupt it (Ctrl-C) to end\n", f.files)
				return err
			}
			err = guarded.Watch(c.Context(), every, quiet, ready, func(found guard.Finding) error {
				refused = true
				text := "refused: " + found.String()
				if found.Change > 0 {
					text += printable.Sprintf("agentd guard undo %d --files %s brings the change back\n", found.Change, f.files)
				}
				_, err := printable.Fprintf(c.OutOrStdout(), "%s", printable.Block(text))
				return err
			})
			if err == nil && refused {
				return errDiffers
			}
			return err
		},
	}
	live.register(c)
	c.Flags().DurationVar(&every, "every", 200*time.Millisecond, "how often to look")
	c.Flags().DurationVar(&quiet, "quiet", 400*time.Millisecond, "how long nothing may change before documents are compared")
	return c
}
