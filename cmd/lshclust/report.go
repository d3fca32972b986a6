package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/lshclust/lshclust/run"
	"github.com/lshclust/lshclust/serve/api"
	"github.com/lshclust/lshclust/serve/static"
	"github.com/spf13/cobra"
)

// reporting is the flags of report.
type reporting struct {
	directory string
	static.Options
}

func newReport() *cobra.Command {
	f := &reporting{}
	c := &cobra.Command{
		Use:   "report RUN -o DIRECTORY",
		Short: "Write the pages of serve as files, for people without a server",
		Long: `Report writes what lshclust serve shows in a browser as files: the home page, the run, the comparison of both views with its
corners, the largest clusters, and a sample of the views of documents with the reasons and the differences of pairs. Open
index.html. The files link to one another, need no network and no server, and may be moved or packed together. What was not
written, and what only a server can do, such as the search, has no link.

The same run gives the same files. DIRECTORY must be new, empty, or a report of lshclust that nobody has changed, which is
replaced in one step.`,
		Example: `  lshclust report RUN -o report
  lshclust report RUN -o report --pages 500 --clusters 100
  lshclust report RUN -o report --pages 0 --clusters 0      # the run and the comparison alone`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return f.run(c.Context(), args[0]) },
	}
	flags := c.Flags()
	flags.StringVarP(&f.directory, "output", "o", "", "write the files into `DIRECTORY`")
	flags.IntVar(&f.Pages, "pages", 100, "write the views of at most `N` documents")
	flags.IntVar(&f.Clusters, "clusters", 20, "write at most `N` clusters")
	inRange(flags, "pages", 0, 10000)
	inRange(flags, "clusters", 0, 10000)
	flags.SortFlags = false
	return c
}

func (f *reporting) run(ctx context.Context, path string) (err error) {
	if f.directory == "" {
		return usage(errors.New("name the output directory with -o"))
	}
	if err := run.CheckOutside(f.directory); err != nil {
		return err
	}
	opened, err := openRun(path)
	if err != nil {
		return err
	}
	name := runName(path)
	r := api.NewRun(opened, name, []string{name})
	defer func() { err = errors.Join(err, r.Close()) }()
	files, err := static.Export(ctx, r, f.Options)
	if err != nil {
		return err
	}
	if err := static.Write(f.directory, files); err != nil {
		if errors.Is(err, static.ErrForeign) {
			return usage(fmt.Errorf("%w; choose another output directory (-o)", err))
		}
		return err
	}
	say("%s; open index.html", count(int64(len(files)), "file"))
	return nil
}
