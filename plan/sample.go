package plan

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/lshclust/lshclust/config"
	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/internal/excerpt"
	"github.com/lshclust/lshclust/internal/tables"
	"github.com/lshclust/lshclust/pipeline"
	"github.com/lshclust/lshclust/run"
)

// ErrStream says that an input is a stream, from which no excerpt can be taken without losing it for the run.
var ErrStream = errors.New("a stream can be read only once, so it cannot be planned: save it to a file first")

// inputs are the files of which excerpts are made.
type inputs struct {
	paths []string
	sizes []int64
	total int64
}

// open lists the inputs with their sizes.
func open(ctx context.Context, args []string) (in inputs, err error) {
	files, _, err := crawl.Expand(args)
	if err != nil {
		return in, err
	}
	for _, path := range files {
		if path == "-" {
			return in, ErrStream
		}
		size, err := sizeOf(ctx, path)
		if err != nil {
			return in, err
		}
		in.paths, in.sizes, in.total = append(in.paths, path), append(in.sizes, size), in.total+size
	}
	return in, nil
}

// sizeOf returns the size in bytes of a file, or of all files of a folder.
func sizeOf(ctx context.Context, path string) (int64, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return 0, err
	case info.IsDir():
		return pipeline.DirSize(path), ctx.Err()
	case info.Mode()&(fs.ModeNamedPipe|fs.ModeCharDevice) != 0:
		return 0, fmt.Errorf("%s: %w", path, ErrStream)
	case !info.Mode().IsRegular():
		return 0, fmt.Errorf("%s: neither a file nor a folder", path)
	}
	return info.Size(), nil
}

// SizeOf returns the size in bytes of some inputs. Its errors are those of For.
func SizeOf(ctx context.Context, args []string) (int64, error) {
	in, err := open(ctx, args)
	return in.total, err
}

// mostInputs is the number of inputs from which pieces are taken for one excerpt.
const mostInputs = 24

// excerpts makes excerpts of about budget bytes of content in a folder. The inputs of which there are any are those in
// which the ends of equal parts of all bytes lie, so a large input is more likely to be among them than a small one.
func (in inputs) excerpts(dir string, budget int64) (paths []string, share, reached float64, err error) {
	parts := int64(min(mostInputs, len(in.paths)))
	chosen := map[int]int64{} // input: parts of the budget
	at, end := 0, int64(0)
	for i := range parts {
		place := (2*i + 1) * in.total / (2 * parts)
		for at < len(in.paths) && end+in.sizes[at] <= place {
			end += in.sizes[at]
			at++
		}
		chosen[min(at, len(in.paths)-1)]++
	}
	var taken, of float64 // bytes
	for i, path := range in.paths {
		n, ok := chosen[i]
		if !ok {
			continue
		}
		below := filepath.Join(dir, fmt.Sprint(i))
		if err := os.MkdirAll(below, 0o777); err != nil {
			return nil, 0, 0, err
		}
		x, err := excerpt.Make(below, path, n*budget/parts)
		if err != nil {
			return nil, 0, 0, err
		}
		if err := beside(x.Path, path); err != nil {
			return nil, 0, 0, err
		}
		paths = append(paths, x.Path)
		taken, of = taken+x.Share*float64(in.sizes[i]), of+x.Reached*float64(in.sizes[i])
		reached += float64(in.sizes[i])
	}
	if in.total == 0 {
		return paths, 1, 1, nil
	}
	return paths, taken / float64(in.total), of / reached, nil
}

// beside links to the files beside an index, since its archives are among them.
func beside(made, path string) error {
	if made == path || !strings.Contains(strings.ToLower(filepath.Base(path)), ".cdx") {
		return nil
	}
	full, err := filepath.Abs(filepath.Dir(path))
	if err != nil {
		return err
	}
	list, err := os.ReadDir(full)
	if err != nil {
		return err
	}
	for _, e := range list {
		if to := filepath.Join(filepath.Dir(made), e.Name()); to != made {
			if err := os.Symlink(filepath.Join(full, e.Name()), to); err != nil && !errors.Is(err, fs.ErrExist) {
				return err
			}
		}
	}
	return nil
}

// try builds a run over an excerpt of the inputs and removes it.
func (in inputs) try(ctx context.Context, dir string, budget int64, c config.Config, o Options) (t Trial, reached float64, err error) {
	defer os.RemoveAll(dir)
	paths, share, reached, err := in.excerpts(filepath.Join(dir, "inputs"), budget)
	if err != nil {
		return t, 0, err
	}
	r, err := pipeline.Cluster(ctx, filepath.Join(dir, "run"), paths, c, pipeline.Options{Workers: o.Workers, Memory: o.Memory})
	if err != nil {
		return t, 0, err
	}
	t = trialOf(share, r.Manifest.Stages)
	t.Seen, err = seenIn(filepath.Join(dir, "run"))
	return t, reached, err
}

// seenIn counts the documents of a run.
func seenIn(path string) (s Seen, err error) {
	d, err := tables.OpenDocuments(filepath.Join(path, tables.DocumentsFile))
	if err != nil {
		return s, err
	}
	defer d.Close()
	for id := range uint32(d.Len()) {
		n := d.InLinks(id)
		s.Most = max(s.Most, float64(n))
		if n > 0 {
			s.Linked++
		}
		if d.Crawled(id) {
			if n > 0 {
				s.Both++
			}
			n++
		}
		switch n {
		case 0, 1:
			s.Once++
		case 2:
			s.Twice++
		}
	}
	return s, nil
}

func trialOf(share float64, stages []run.StageStats) Trial {
	t := Trial{Share: share, Figures: FiguresOf(stages), Stages: costsOf(stages)}
	t.Recall, t.Recalls = recallOf(stages)
	return t
}

func costsOf(stages []run.StageStats) (out []Cost) {
	for _, s := range stages {
		out = append(out, Cost{s.Name, s.CPUSeconds, s.PeakAnon, s.PeakDisk})
	}
	return out
}
