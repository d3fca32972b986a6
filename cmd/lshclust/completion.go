package main

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/lshclust/lshclust/internal/harmless"
	"github.com/lshclust/lshclust/internal/runs"
)

func newCompletion() *cobra.Command {
	shells := map[string]func(*cobra.Command) error{
		"bash":       func(root *cobra.Command) error { return root.GenBashCompletionV2(printed, true) },
		"zsh":        func(root *cobra.Command) error { return root.GenZshCompletion(printed) },
		"fish":       func(root *cobra.Command) error { return root.GenFishCompletion(printed, true) },
		"powershell": func(root *cobra.Command) error { return root.GenPowerShellCompletionWithDesc(printed) },
	}
	return &cobra.Command{
		Use:   "completion bash|zsh|fish|powershell",
		Short: "Print the script that makes the Tab key complete command lines",
		Long: `Completion prints a script for a shell. With it, the Tab key completes commands, flags, values of flags, and the URLs
of a run: after "lshclust related RUN sqlite.org/", it lists what the run holds there. The packages for Linux and Homebrew
install the scripts. In bash, completion also needs the package bash-completion.`,
		Example: `  source <(lshclust completion bash)   # in ~/.bashrc
  lshclust completion zsh > "${fpath[1]}/_lshclust"
  lshclust completion fish > ~/.config/fish/completions/lshclust.fish
  lshclust completion powershell | Out-String | Invoke-Expression   # in $PROFILE`,
		ValidArgs: []string{"bash", "zsh", "fish", "powershell"},
		Args:      cobra.MatchAll(cobra.ExactArgs(1), cobra.OnlyValidArgs),
		RunE:      func(c *cobra.Command, args []string) error { return shells[args[0]](c.Root()) },
	}
}

// wordsOf returns the words that a flag takes, or nil.
func wordsOf(v pflag.Value) []string {
	switch v := v.(type) {
	case choice:
		return v.words
	case *optionValue:
		return v.Enum
	}
	return nil
}

// complete makes a command complete the values of its flags and, by its line of usage, its arguments.
func complete(c *cobra.Command) {
	c.Flags().VisitAll(func(f *pflag.Flag) {
		var values cobra.CompletionFunc
		if words := wordsOf(f.Value); words != nil {
			values = cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp)
		} else if name, _ := pflag.UnquoteUsage(f); name == "URL" && strings.Contains(c.Use, "RUN") {
			values = urlsOfRun
		}
		if values != nil {
			if err := c.RegisterFlagCompletionFunc(f.Name, values); err != nil {
				panic(err) // registered twice
			}
		}
	})
	if words := strings.Fields(c.Use); len(words) > 1 && strings.HasPrefix(words[1], "RUN") && c.Name() != "serve" {
		c.ValidArgsFunction = func(c *cobra.Command, args []string, begun string) ([]cobra.Completion, cobra.ShellCompDirective) {
			switch {
			case len(args) == 0 || strings.Contains(c.Use, "RUN2"):
				return nil, cobra.ShellCompDirectiveFilterDirs
			case strings.Contains(c.Use, "URL"):
				return urlsOfRun(c, args, begun)
			}
			return nil, cobra.ShellCompDirectiveDefault
		}
	}
}

// mostCompletions is the number of URLs that the Tab key lists.
const mostCompletions = 100

// urlsOfRun completes a URL of the run that the first argument names. Without such a URL, the shell completes files.
func urlsOfRun(_ *cobra.Command, args []string, begun string) ([]cobra.Completion, cobra.ShellCompDirective) {
	if len(args) == 0 {
		return nil, cobra.ShellCompDirectiveDefault
	}
	r, err := runs.Open(args[0])
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	defer r.Close()
	directive := cobra.ShellCompDirectiveDefault
	found, cut := runs.Complete(r, begun, mostCompletions)
	if cut {
		directive = cobra.ShellCompDirectiveNoSpace
	}
	for i := range found {
		found[i] = harmless.Line(found[i])
	}
	return found, directive
}
