package pipeline

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/internal/capture"
	"github.com/lshclust/lshclust/internal/run"
	"github.com/zeebo/xxh3"
)

// checkInputs refuses more inputs than can be numbered.
func checkInputs(inputs []string) error {
	if len(inputs) > capture.MaxInputs {
		return fmt.Errorf("%d inputs are too many, the maximum is %d; combine them into larger files", len(inputs), capture.MaxInputs)
	}
	return nil
}

// digests describes the inputs for the manifest and for recognizing them when a stopped run continues. It describes a
// file by its size and content, a folder by the names and sizes of its files, and an index (.cdx, .cdxj) by its
// content and the names and sizes of its archives; it cannot describe standard input. The read stage counts inputs
// that cannot be read. digests fails if no input can be read, and if reading one fails now but may succeed later.
func digests(ctx context.Context, inputs []string) ([]run.Input, error) {
	out := make([]run.Input, 0, len(inputs))
	var unreadable []error
	for _, path := range inputs {
		in, err := digest(ctx, path, inputs)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if later(err) {
			return nil, fmt.Errorf("%w: leave this input out, or repeat the command if it can be read again", err)
		}
		if err != nil {
			unreadable = append(unreadable, err)
			in = run.Input{Path: path, Digest: unreadableDigest}
		}
		if full, err := filepath.Abs(path); err == nil && path != "-" {
			in.Path = full // so that diff finds it from any folder
		}
		out = append(out, in)
	}
	if len(unreadable) > 0 && len(unreadable) == len(inputs) {
		return nil, fmt.Errorf("no input can be read: %w", unreadable[0])
	}
	return out, nil
}

// hasStream reports whether an input can be read only once.
func hasStream(inputs []run.Input) bool {
	return slices.ContainsFunc(inputs, func(in run.Input) bool { return in.Digest == "" })
}

// nothingElse returns an error unless the streams among the inputs are empty standard input. A run that has read its
// stream continues without it, but cannot tell whether new data is the same.
func nothingElse(out string, inputs []run.Input) error {
	for _, in := range inputs {
		if in.Digest != "" {
			continue
		}
		if in.Path != "-" {
			return fmt.Errorf("%s: %w, which cannot be told from another one; remove the run or choose another output directory (-o)", out, ErrStream)
		}
		if _, err := os.Stdin.Read(make([]byte, 1)); !errors.Is(err, io.EOF) {
			return fmt.Errorf("%s: %w, which cannot be told from another one; give the same command with </dev/null to go on with what was read, or remove the run, or choose another output directory (-o)", out, ErrStream)
		}
	}
	return nil
}

// unreadableDigest is the digest of an input that cannot be read. A stopped run does not continue if the input has
// become readable.
var unreadableDigest = fmt.Sprintf("%032x", xxh3.HashString128("unreadable").Bytes())

// later reports whether what cannot be read now may be read later.
func later(err error) bool {
	skip := crawl.Skip{Err: err}
	return skip.Passing() || errors.Is(err, syscall.EIO)
}

func digest(ctx context.Context, path string, inputs []string) (run.Input, error) {
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
		return digestIndexed(ctx, in, inputs)
	case st.Mode()&(fs.ModeNamedPipe|fs.ModeCharDevice) == 0: // a socket or a disk
		return run.Input{}, fmt.Errorf("%s: neither a file nor a folder nor a pipe", path)
	}
	return run.Input{Path: path}, nil // a pipe can be read only once
}

// digestIndexed adds the names and sizes of the archives that an index refers to.
func digestIndexed(ctx context.Context, in run.Input, inputs []string) (run.Input, error) {
	archives, err := crawl.ArchivesOf(ctx, in.Path, crawl.Options{Archives: inputs})
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

// digestFolder describes a folder, which may be a symbolic link. It ignores run directories, which are not input: one
// of them may be the run under construction. A symbolic link in the folder has the size of the file that it points
// to.
func digestFolder(ctx context.Context, path string) (run.Input, error) {
	in := run.Input{Path: path}
	h := xxh3.New()
	err := fs.WalkDir(os.DirFS(path), ".", func(name string, e fs.DirEntry, err error) error {
		full := filepath.Join(path, filepath.FromSlash(name))
		switch {
		case err != nil && (name == "." || later(err)):
			return err
		case err != nil: // the read stage counts it
			return ctx.Err()
		case e.IsDir() && name != "." && crawl.IsRun(full):
			return fs.SkipDir
		case e.IsDir():
			return ctx.Err()
		}
		st, err := os.Stat(full)
		if later(err) {
			return err
		}
		if err == nil && !st.IsDir() {
			in.Bytes += st.Size()
			fmt.Fprintf(h, "%s\x00%d\x00", filepath.FromSlash(name), st.Size())
		}
		return ctx.Err()
	})
	in.Digest = fmt.Sprintf("%032x", h.Sum128().Bytes())
	return in, err
}

// sizeOf returns the size of an input for the progress bar, or 0 if unknown.
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
