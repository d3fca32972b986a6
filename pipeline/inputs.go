package pipeline

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/run"
	"github.com/zeebo/xxh3"
)

// digests describes the inputs for the manifest and for going on with a stopped run: files by size and content,
// folders by the names and sizes of what is in them, indexes (.cdx, .cdxj) by those of their archives as well, standard
// input by nothing.
func digests(ctx context.Context, inputs []string) ([]run.Input, error) {
	out := make([]run.Input, 0, len(inputs))
	for _, path := range inputs {
		in, err := digest(ctx, path)
		if err != nil {
			return nil, err
		}
		if full, err := filepath.Abs(path); err == nil && path != "-" {
			in.Path = full // so that diff finds it from any folder
		}
		out = append(out, in)
	}
	return out, nil
}

func digest(ctx context.Context, path string) (run.Input, error) {
	if path == "-" {
		return run.Input{Path: path}, nil
	}
	st, err := os.Stat(path)
	if err != nil {
		return run.Input{}, err
	}
	switch {
	case st.IsDir():
		return digestFolder(ctx, path)
	case st.Mode().IsRegular():
		in, err := run.DigestFile(ctx, path)
		if err != nil || !strings.Contains(strings.ToLower(filepath.Base(path)), ".cdx") {
			return in, err
		}
		return digestIndexed(ctx, in)
	}
	return run.Input{Path: path}, nil // a pipe is read once
}

// digestIndexed adds the names and sizes of the archives that an index leads to.
func digestIndexed(ctx context.Context, in run.Input) (run.Input, error) {
	archives, err := crawl.ArchivesOf(ctx, in.Path, crawl.Options{})
	if err != nil || len(archives) == 0 {
		return in, err
	}
	h := xxh3.New()
	fmt.Fprintf(h, "%s\x00", in.Digest)
	for _, path := range archives {
		size := int64(-1)
		if st, err := os.Stat(path); err == nil {
			size = st.Size()
		}
		fmt.Fprintf(h, "%s\x00%d\x00", filepath.Base(path), size)
	}
	in.Digest = fmt.Sprintf("%032x", h.Sum128().Bytes())
	return in, nil
}

func digestFolder(ctx context.Context, path string) (run.Input, error) {
	in := run.Input{Path: path}
	h := xxh3.New()
	err := filepath.WalkDir(path, func(p string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return ctx.Err() // what cannot be read is counted when it is read
		}
		if st, err := e.Info(); err == nil {
			in.Bytes += st.Size()
			name, _ := filepath.Rel(path, p)
			fmt.Fprintf(h, "%s\x00%d\x00", name, st.Size())
		}
		return ctx.Err()
	})
	in.Digest = fmt.Sprintf("%032x", h.Sum128().Bytes())
	return in, err
}

// sizeOf is the size of an input for the progress bar, 0 when not known.
func sizeOf(path string) int64 {
	if path == "-" {
		return 0
	}
	st, err := os.Stat(path)
	switch {
	case err != nil:
		return 0
	case st.IsDir():
		in, _ := digestFolder(context.Background(), path)
		return in.Bytes
	}
	return st.Size()
}
