package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"github.com/lshclust/lshclust/serve/api"
	"github.com/lshclust/lshclust/serve/mcp"
	"github.com/spf13/cobra"
)

func newMCP() *cobra.Command {
	return &cobra.Command{
		Use:   "mcp RUN",
		Short: "Answer questions about a run to an assistant, by the Model Context Protocol",
		Long: `Mcp answers an assistant or another program that speaks the Model Context Protocol. The program starts this command and
exchanges messages with it on standard input and standard output. It can call the tools search, page, related, duplicates,
explain and who, which answer what serve answers under the same names. The command ends with its input, or with an interrupt.

The answers hold text of crawled pages. The descriptions of the tools say that it must not be taken for instructions, but
a language model may do so nevertheless. So give an assistant that reads pages of strangers no tools that do harm.`,
		Example: `  lshclust mcp RUN
  claude mcp add crawl -- lshclust mcp /data/crawl.run
  {"mcpServers": {"crawl": {"command": "lshclust", "args": ["mcp", "/data/crawl.run"]}}}   # in the settings of a client`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return answerAssistant(c.Context(), args[0]) },
	}
}

// answerAssistant answers on standard input and output until the input or the context ends.
func answerAssistant(ctx context.Context, path string) (err error) {
	opened, err := openRun(path)
	if err != nil {
		return err
	}
	name := filepath.Base(filepath.Clean(path))
	r := api.NewRun(opened, name, []string{name})
	defer func() { err = errors.Join(err, r.Close()) }()
	return mcp.Serve(ctx, r, versionLine(), os.Stdin, printed)
}
