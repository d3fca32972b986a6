package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/lshclust/lshclust/ask"
	"github.com/lshclust/lshclust/internal/run"
	"github.com/lshclust/lshclust/internal/serve"
	"github.com/lshclust/lshclust/internal/serve/api"
	"github.com/lshclust/lshclust/internal/serve/mcp"
	"github.com/lshclust/lshclust/internal/serve/static"
	"github.com/spf13/cobra"
)

// defaultListen is the default address of serve.
const defaultListen = "127.0.0.1:8080"

func newServe() *cobra.Command {
	o := &serving{Listen: defaultListen, report: ask.Defaults(static.Options{})}
	c := &cobra.Command{
		Use:   "serve RUN... | NAME=RUN...",
		Short: "Answer questions about runs over HTTP",
		Long: `Serve answers over HTTP what other commands answer on a terminal: pages, related pages, words, duplicates, clusters,
explanations, differences, comparisons. A browser shows them as pages. Programs get JSON, and lists also as NDJSON
or CSV; /openapi.json describes all questions. The first run answers, unless a request has run=NAME. A run goes by the name
of its folder or by NAME.

RUN is the folder of a run, or a symbolic link to it. If the link changes, or the run is replaced, the new run answers from
the next second on, and at once on SIGHUP. Requests that have begun are
finished with the old one. An interrupt finishes them, for up to ten seconds, and ends the server.

By default, the server answers only programs on this machine. With another --listen, use --token-file, or anybody who reaches
the address may ask. The server does not encrypt. Put a proxy in front of it for that, and name the host with --host if the
proxy passes it on.

With --write, serve writes the pages as files instead, for people without a server: the run, the comparison of both views,
the largest clusters, and a sample of the views of documents. Open index.html. The files link to one another and need no
network. The same run gives the same files. DIRECTORY must be new or empty.

With --mcp, serve answers an assistant that speaks the Model Context Protocol and starts this command, on standard input and
output. Its tools are most of the questions of the server; with a second run, that of an older crawl, also changes. The answers
hold text of crawled pages, which a language model may take for instructions. So give an assistant that reads pages of
strangers no tools that do harm.`,
		Example: `  lshclust serve RUN
  curl 'http://127.0.0.1:8080/v1/related?url=sqlite.org&limit=5'
  curl -H 'Accept: text/csv' 'http://127.0.0.1:8080/v1/search?q=incremental+backup'
  lshclust serve new=2024.run old=2023.run --listen 127.0.0.1:9000   # the page Changes compares them
  lshclust serve current --listen 0.0.0.0:8080 --token-file token.txt   # current is a link to a run
  lshclust serve RUN --write report --pages 500
  claude mcp add crawl -- lshclust serve /data/crawl.run --mcp`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if o.write != "" && (len(args) > 1 || o.MCP) || o.MCP && len(args) > 2 {
				return usage(errors.New("--write is for one run, --mcp for one or two, and they do not go together"))
			}
			switch {
			case o.MCP:
				return answerAssistant(c.Context(), args)
			case o.write != "":
				return writePages(c.Context(), args[0], o.write, o.report)
			}
			return o.run(c.Context(), args)
		},
	}
	f := c.Flags()
	bindQuestion(f, o)
	bindQuestion(f, &o.report)
	f.StringVar(&o.tokenFile, "token-file", "", "answer only requests with the token in the first line of `FILE`, as Authorization: Bearer TOKEN")
	f.StringArrayVar(&o.Origins, "cors", nil, "let web pages of `ORIGIN`, such as https://example.org, ask and read answers; may be given again")
	f.StringArrayVar(&o.Hosts, "host", nil, "also answer under `NAME`, as behind a proxy, if listening on the loopback interface; may be given again")
	f.DurationVar(&o.Timeout, "timeout", 30*time.Second, "spend at most `TIME` on an answer, such as 10s")
	o.MaxBody = 1 << 20
	f.Var((*byteSize)(&o.MaxBody), "max-body", "accept documents of at most `SIZE` bytes")
	oneOf(f, &o.log, "log", "text", []string{"text", "json", "none"}, "log requests on standard error as `FORMAT`")
	f.StringVar(&o.write, "write", "", "write the pages as files into `DIRECTORY`, and serve nothing")
	return c
}

// mostBody is the greatest value of --max-body.
const mostBody = 64 << 20

// serving holds the flags of serve.
type serving struct {
	serve.Options
	report                static.Options
	Listen                string `value:"ADDRESS" doc:"listen at ADDRESS, a host and a port; port 0 chooses a free one"`
	MCP                   bool   `doc:"answer the Model Context Protocol on standard input and output"`
	tokenFile, log, write string
}

// writePages writes the pages of a run as files.
func writePages(ctx context.Context, path, directory string, o static.Options) (err error) {
	if err := run.CheckOutside(directory); err != nil {
		return err
	}
	opened, err := openRun(path)
	if err != nil {
		return err
	}
	name := runName(path)
	r := api.NewRun(opened, name, []string{name})
	defer func() { err = errors.Join(err, r.Close()) }()
	if drawable(os.Stderr) {
		o.Progress = func(done, of int) { fmt.Fprintf(os.Stderr, "\rpages: %d of %d", done, of) }
		defer fmt.Fprintln(os.Stderr)
	}
	files, err := static.Write(ctx, directory, r, o)
	switch {
	case errors.Is(err, static.ErrNotEmpty):
		return usage(fmt.Errorf("%w; choose another directory", err))
	case err == nil:
		say("%s; open index.html", count(files, "file"))
	}
	return err
}

// answerAssistant serves an assistant on standard input and output until the input or the context ends. The second run,
// if there is one, is that of an older crawl.
func answerAssistant(ctx context.Context, args []string) (err error) {
	runs, names := make([]*api.Run, 2), []string{}
	for _, s := range sources(args) {
		names = append(names, s.Name)
	}
	for i, s := range sources(args) {
		opened, err := openRun(s.Path)
		if err != nil {
			return err
		}
		runs[i] = api.NewRun(opened, s.Name, names)
		defer func() { err = errors.Join(err, runs[i].Close()) }()
	}
	return mcp.Serve(ctx, runs[0], runs[1], versionLine(), os.Stdin, printed)
}

// run serves until the context ends.
func (o *serving) run(ctx context.Context, args []string) error {
	if err := o.check(); err != nil {
		return err
	}
	host, _, err := net.SplitHostPort(o.Listen)
	if err != nil {
		return usage(fmt.Errorf("--listen %s: must be a host and a port, such as %s", o.Listen, defaultListen))
	}
	s, err := serve.New(sources(args), o.Options)
	if err != nil {
		return err
	}
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", o.Listen)
	if err != nil {
		return errors.Join(err, s.Close())
	}
	if addr := l.Addr().(*net.TCPAddr); !addr.IP.IsLoopback() && o.Token == "" {
		say("warning: anybody who reaches %s may ask; --token-file keeps others out", o.Listen)
	}
	say("lshclust: serving at http://%s/, for programs see /openapi.json",
		net.JoinHostPort(cmp.Or(host, "localhost"), fmt.Sprint(l.Addr().(*net.TCPAddr).Port)))
	lingering.Store(true)
	defer lingering.Store(false)
	again := make(chan os.Signal, 1)
	signal.Notify(again, syscall.SIGHUP)
	defer signal.Stop(again)
	go func() {
		for {
			select {
			case <-again:
				s.Reload()
			case <-ctx.Done():
				return
			}
		}
	}()
	return s.Serve(ctx, l)
}

// check refuses flags that make no sense for a server, and reads the files that flags name.
func (o *serving) check() (err error) {
	o.Version = versionLine()
	if o.Timeout <= 0 {
		return usage(errors.New("--timeout: must be above 0, such as 10s"))
	}
	if o.MaxBody > mostBody {
		return usage(errors.New("--max-body: must be at most 64MiB, because requests hold their bodies in memory"))
	}
	switch o.log {
	case "text":
		o.Log = slog.New(slog.NewTextHandler(os.Stderr, nil))
	case "json":
		o.Log = slog.New(slog.NewJSONHandler(os.Stderr, nil))
	}
	if o.tokenFile != "" {
		o.Token, err = readToken(o.tokenFile)
	}
	return err
}

// leastToken is the least number of bytes of a token.
const leastToken = 16

// readToken returns the first line of a file.
func readToken(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, 4096)) // a device may have no end
	if err != nil {
		return "", err
	}
	line, _, _ := strings.Cut(string(text), "\n")
	token := strings.TrimSpace(line)
	if len(token) < leastToken {
		return "", usage(fmt.Errorf("--token-file %s: its first line must have at least %d characters that nobody guesses, such as those of openssl rand -hex 16", path, leastToken))
	}
	return token, nil
}

// sources reads the arguments: RUN or NAME=RUN.
func sources(args []string) (list []serve.Source) {
	for _, arg := range args {
		name, path, ok := strings.Cut(arg, "=")
		if _, err := os.Lstat(arg); err == nil || !ok {
			name, path = filepath.Base(filepath.Clean(arg)), arg
		}
		list = append(list, serve.Source{Name: name, Path: path})
	}
	return list
}
