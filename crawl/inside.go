package crawl

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/lshclust/lshclust/crawl/internal/payload"
	"github.com/lshclust/lshclust/crawl/internal/stream"
	"github.com/lshclust/lshclust/crawl/internal/warc"
	"github.com/lshclust/lshclust/crawl/record"
)

// container is a file that holds files: a zip or a tar archive. Positions name a file in it CONTAINER!/NAME.
type container interface {
	record.Source
	// file opens a file in the container by its name in positions. The input can seek. The error is warc.ErrNotThere if
	// there is no such file.
	file(name string) (*stream.Input, error)
}

// zipMark separates the path of a container from the name of a file in it.
const zipMark = "!/"

// maxNesting is the maximum number of containers that are in one another.
const maxNesting = 3

// inside reads the files in one container.
type inside struct {
	opts  *record.Options
	site  site     // makes the URLs of pages
	found contents // kinds of the files, so far
	seen  int64    // pages so far
	wrong []error  // errors in the sitemap
}

// newInside returns a reader of the files in a container, or a *Skip if the container is in too many others.
func newInside(in *stream.Input, o *record.Options) (c *inside, err error) {
	if strings.Count(in.Name(), zipMark) >= maxNesting {
		return nil, in.Skip(record.ReasonUnsupportedFormat, fmt.Errorf("an archive in %d others: unpack these and give the folder", maxNesting))
	}
	c = &inside{opts: o}
	if err := c.site.place(o, "", ""); err != nil {
		return nil, in.Skip(record.ReasonBadURL, err)
	}
	return c, nil
}

// survey looks at the files of the site in a container: its sitemap and the links of its pages. If a sitemap lists the
// files in the one folder around all of them, that is not part of the URLs.
func (c *inside) survey(in *stream.Input, files fs.FS) error {
	entries, _ := fs.ReadDir(files, ".")
	root, top := files, ""
	if len(entries) == 1 && entries[0].IsDir() && hostOf(entries[0].Name()) == "" {
		top = entries[0].Name()
		root, _ = fs.Sub(files, top)
	}
	known := readSitemaps(root, func(name string) string { return nameIn(in.Name(), path.Join(top, name)) }, c.opts)
	if known.little != nil {
		return known.little
	}
	c.wrong = known.problems
	if base := known.base(); base != "" {
		c.site.top = strings.TrimPrefix(top+"/", "/")
		if err := c.site.place(c.opts, base, ""); err != nil {
			return in.Skip(record.ReasonBadURL, err)
		}
	}
	if !c.opts.Literal {
		c.site.evidence(files)
	}
	c.site.times = known.lastmod
	return nil
}

// nameIn returns the name of a file in a container for positions.
func nameIn(container, name string) string {
	return container + zipMark + strings.ToValidUTF8(name, "\uFFFD")
}

// safeName reports whether a name stays within the container.
func safeName(name string) bool {
	drive := len(name) > 1 && name[1] == ':'
	return !drive && !strings.ContainsAny(name, "\\\x00") && !strings.HasPrefix(name, "/") && !slices.Contains(strings.Split(name, "/"), "..")
}

// kindInside returns the kind of a file in a folder or a container by its path.
func kindInside(name string) kind {
	hidden := false
	for part := range strings.SplitSeq(name, "/") {
		if isCompanion(strings.ToLower(part)) {
			return companionKind
		}
		hidden = hidden || strings.HasPrefix(part, ".") && part != ".well-known"
	}
	k := kindOf(path.Base(name))
	if hidden && k != archiveKind && k != tableKind {
		return otherKind
	}
	return k
}

// isContainerName reports whether a name is that of a zip or tar archive.
func isContainerName(name string) bool {
	_, name = stream.KindOfName(strings.ToLower(name))
	ext := path.Ext(name)
	return kindsByExt[ext] == jsonKind && ext != ".json" && ext != ".har"
}

// read reads a file of a kind and closes it. If its name says nothing, its first bytes decide.
func (c *inside) read(ctx context.Context, k kind, name string, in *stream.Input, again bool, yield func(*record.Record, error) bool) bool {
	if k == unknownKind && c.found[pageKind] == 0 {
		head, _ := in.Raw.Peek(stream.BufferSize)
		if k = sniffKind(name, bytes.NewReader(head)); k == otherKind {
			k = unknownKind
		}
	}
	if k == pageKind || k == unknownKind || k == textKind {
		return yield(c.page(name, in))
	}
	return c.crawlFile(ctx, in, again, yield)
}

// headOf returns the first bytes of a file, and closes it.
func headOf(in *stream.Input, err error) []byte {
	if err != nil {
		return nil
	}
	defer in.Close()
	head, _ := in.Raw.Peek(headLen)
	return bytes.Clone(head)
}

// crawlFile reads a file of any format but HTML, and closes it. A Fetcher can read the records of archives again if
// again is set. crawlFile returns false if the consumer stopped.
func (c *inside) crawlFile(ctx context.Context, in *stream.Input, again bool, yield func(*record.Record, error) bool) bool {
	src, err := sniff(in, c.opts)
	if err != nil {
		in.Close()
		return yield(nil, err)
	}
	if archive, ok := src.(*warc.Source); ok {
		src = archive.InRanges()
	}
	defer src.Close()
	_, nested := src.(container)
	for rec, err := range src.Records(ctx) {
		if rec != nil {
			rec.Fetchable = again && rec.Archive != nil && (rec.Fetchable || !nested)
		}
		if !yield(rec, err) {
			return false
		}
	}
	if skip := cutShort(in); skip != nil && ctx.Err() == nil {
		return yield(nil, skip)
	}
	return true
}

// page returns the record for a file of a site, and closes it. It reads the file at once, because the container may be
// closed when the record is decoded.
func (c *inside) page(name string, in *stream.Input) (*record.Record, error) {
	defer in.Close()
	c.seen++
	pos := record.Position{File: in.Name(), Record: c.seen}
	rec := &record.Record{Pos: pos, URL: c.site.url(name), Opts: c.opts, Room: c.opts.NewRoom(),
		Decode: func(r *record.Record) (record.Page, error) { return c.site.textPage(r, r.Data, name) }}
	described(rec, c.site.files, name)
	var err error
	if rec.Data, err = rec.Room.ReadUpTo(in.Raw, c.opts.MaxRecord(), stream.BufferSize); err != nil {
		rec.Release()
		return nil, rec.Skip(record.ReasonBadZip, rec.URL, err)
	}
	if skip := cutShort(in); skip != nil {
		skip.Pos.Record, skip.URL = pos.Record, record.Clip(rec.URL, 200)
		rec.Notes = append(rec.Notes, skip)
	}
	return rec, nil
}

// boundedFile is a file in a container that is cut where it has grown too much.
type boundedFile struct {
	*io.LimitedReader
	io.Closer
	packed uint64 // bytes in the container
}

// bounded returns an input that reads a file in a container up to the size to which it may grow.
func bounded(name string, r io.Reader, c io.Closer, packed uint64) *stream.Input {
	limit := max(payload.MaxRatio*int64(min(packed, math.MaxInt64/payload.MaxRatio)), payload.RatioFree)
	return stream.New(name, boundedFile{&io.LimitedReader{R: r, N: limit}, c, packed}, nil, -1)
}

// cutShort returns a warning if a file was cut because its compression ratio is not that of a crawl.
func cutShort(in *stream.Input) *record.Skip {
	f, ok := in.File.(boundedFile)
	if !ok || f.N > 0 {
		return nil
	}
	return in.Skip(record.ReasonRatio, fmt.Errorf("%d bytes decode to %d or more", f.packed, in.Offset()))
}

// sectionFile is a part of a file, which it does not close.
type sectionFile struct{ *io.SectionReader }

// Close implements io.Closer.
func (sectionFile) Close() error { return nil }

// section returns an input that reads a part of a file.
func section(name string, at io.ReaderAt, from, size int64) *stream.Input {
	part := io.NewSectionReader(at, from, size)
	in := stream.New(name, sectionFile{part}, part, size)
	in.Reopen = func() (*stream.Input, error) { return section(name, at, from, size), nil }
	return in
}

// maxUnpacked is the maximum size of the temporary copy of a file.
const maxUnpacked = 64 << 30

// unpacked returns an input that can seek: a temporary copy of what r reads. Closing the copy removes it. Of damaged
// data, it has the part before the damage, as when it was first read.
func unpacked(in *stream.Input, r io.Reader, o *record.Options) (*stream.Input, error) {
	to, err := os.CreateTemp(o.TempDir, "lshclust-*.unpacked")
	if err != nil {
		return nil, in.Skip(record.ReasonUnreadableFile, err)
	}
	os.Remove(to.Name())
	n, err := io.Copy(to, io.LimitReader(r, maxUnpacked))
	if failed := (*os.PathError)(nil); !errors.As(err, &failed) {
		_, err = to.Seek(0, io.SeekStart)
	}
	if err == nil && n == maxUnpacked {
		err = fmt.Errorf("it unpacks to %d GiB or more: unpack it and give the folder", maxUnpacked>>30)
	}
	if err != nil {
		to.Close()
		return nil, in.Skip(record.ReasonUnreadableFile, err)
	}
	return stream.New(in.Name(), to, to, n), nil
}

// containerPaths lists the containers that the name of a file in a position goes through, outermost first.
func containerPaths(name string) (out []string) {
	for i := 0; ; i += len(zipMark) {
		n := strings.Index(name[i:], zipMark)
		if n < 0 {
			return out
		}
		i += n
		info, err := os.Stat(name[:i])
		if len(out) > 0 || err == nil && !info.IsDir() { // the path of the file itself may contain the mark
			out = append(out, name[:i])
		}
	}
}
