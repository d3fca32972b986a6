package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use: "lshclust", Short: "Which pages of a crawl belong together",
		Long: rootHelp, Example: firstSteps, Version: versionLine(),
		SilenceUsage: true, SilenceErrors: true,
		CompletionOptions: cobra.CompletionOptions{DisableDefaultCmd: true},
		Args:              cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return c.Help()
			}
			return usage(&hint{unknownCommand(c, args[0]), c})
		},
	}
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return usage(&hint{wrongFlag(c, err), c})
	})
	root.SetHelpTemplate(rootTemplate)
	root.SetVersionTemplate("lshclust {{.Version}}\n")
	root.SetHelpCommand(newHelp())
	grouped(root, "Cluster a crawl", newDemo(), newDoctor(), newCluster(), newDedup(), newConfig())
	grouped(root, "Ask about pages", newTopics(), newRelated(), newExplain(), newClusters(), newClassify(),
		newDuplicates(), newQuery(), newFold(), newLinks(), newVersions())
	grouped(root, "Compare crawls of a site, runs and views", newChanges(), newMoved(), newGuard(), newCompare())
	grouped(root, "Show a run to others", newServe(), newExport())
	grouped(root, "Judge a run", newInfo(), newEval())
	grouped(root, "Set up this command", newCompletion())
	root.AddCommand(newTask()) // hidden
	ready(root.Commands())
	for _, c := range root.Commands() {
		c.SuggestFor = alsoCalled[c.Name()]
	}
	return root
}

// grouped adds commands under a heading of --help.
func grouped(root *cobra.Command, heading string, commands ...*cobra.Command) {
	root.AddGroup(&cobra.Group{ID: heading, Title: heading + ":"})
	for _, c := range commands {
		c.GroupID = heading
	}
	root.AddCommand(commands...)
}

// unknownTopic returns an error for a command that does not exist, and for --help of such a subcommand. Cobra would
// complain of the flags, or show the help of the parent command.
func unknownTopic(root *cobra.Command, args []string) error {
	root.InitDefaultHelpCmd()
	c, rest, err := root.Find(args)
	if c == root && len(rest) > 0 && strings.HasPrefix(rest[0], "__") { // a hidden command of cobra, for completions
		return nil
	}
	if c != root && !slices.Contains(args, "--help") && !slices.Contains(args, "-h") {
		return nil
	}
	if err != nil || !c.HasSubCommands() || len(rest) == 0 || strings.HasPrefix(rest[0], "-") {
		return nil
	}
	return usage(&hint{unknownCommand(c, rest[0]), c})
}

// alsoCalled maps commands to other names under which people may look for them.
var alsoCalled = map[string][]string{
	"dedup":      {"dedupe", "deduplicate", "deduplication", "unique", "uniq", "near-duplicates"},
	"cluster":    {"build", "crawl", "run"},
	"related":    {"search", "page", "similar", "neighbours", "neighbors"},
	"duplicates": {"copies", "near-duplicates", "dups"},
	"query":      {"search", "grep", "who"},
	"explain":    {"why", "diff"},
	"clusters":   {"recluster"},
	"versions":   {"canonical", "thin"},
	"moved":      {"redirects", "rules", "find", "lost"},
	"changes":    {"sweeps"},
	"guard":      {"links", "broken", "redirect"},
	"serve":      {"server", "web", "browse", "page", "report", "html", "site", "mcp"},
	"export":     {"dump", "csv"},
	"info":       {"show", "status", "stats", "check", "verify", "validate"},
	"doctor":     {"inspect", "lint"},
	"eval":       {"judge", "quality", "directory", "recall"},
}

// newHelp returns a help command like cobra's that also suggests commands for an unknown name.
func newHelp() *cobra.Command {
	c := &cobra.Command{
		Use: "help [COMMAND]", Short: "Help about any command", Args: cobra.ArbitraryArgs,
		Example: "  lshclust help cluster\n  lshclust help eval",
		RunE: func(c *cobra.Command, args []string) error {
			of, rest, err := c.Root().Find(args)
			if err != nil {
				return usage(err)
			}
			if len(rest) > 0 {
				return usage(&hint{unknownCommand(of, rest[0]), of})
			}
			of.InitDefaultHelpFlag()
			return of.Help()
		},
	}
	c.SetHelpTemplate(helpTemplate)
	return c
}

// ready makes commands and their subcommands show examples first, keep the order of flags, complete what is begun, and
// explain wrong usage.
func ready(commands []*cobra.Command) {
	for _, c := range commands {
		ready(c.Commands())
		c.Flags().SortFlags = false
		c.DisableFlagsInUseLine = true
		c.SetHelpTemplate(helpTemplate)
		complete(c)
		args := c.Args
		c.Args = func(c *cobra.Command, given []string) error {
			if args(c, given) != nil {
				return usage(&hint{wrongArguments(c, given), c})
			}
			return nil
		}
	}
}

// hint is an error of usage that says where to find help.
type hint struct {
	err error
	c   *cobra.Command
}

func (h *hint) Error() string {
	return h.err.Error() + "; see " + invocation() + strings.TrimPrefix(h.c.CommandPath(), "lshclust") + " --help"
}
func (h *hint) Unwrap() error { return h.err }
