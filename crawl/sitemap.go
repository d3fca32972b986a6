package crawl

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/klauspost/compress/gzip"
	"github.com/lshclust/lshclust/internal/ascii"

	"github.com/lshclust/lshclust/crawl/internal/payload"
	"github.com/lshclust/lshclust/crawl/record"
	"github.com/lshclust/lshclust/crawl/urls"
)

// sitemap holds the entries of the sitemaps in a folder.
type sitemap struct {
	files    fs.FS
	at       func(name string) string // the name of a file in positions
	rules    *urls.Rules
	lastmod  map[string]time.Time // by canonical URL
	locs     []string             // the first URLs as they are written, to find the base
	seen     map[string]bool      // sitemaps that were read
	problems []error              // each is a *Skip
	opts     *record.Options
	taken    int64 // bytes of memory that lastmod takes
	little   error // a *MemoryError
}

// lastmodBytes is the memory that a map entry takes in addition to its URL.
const lastmodBytes = 96

// Limits of the sitemap protocol and of this package. The protocol allows files of 50 MiB, and a site may have many.
const (
	maxSitemap     = 50 << 20
	maxSitemaps    = 1000
	maxSitemapURLs = 5_000_000
	maxSitemapLocs = 1000
)

// sitemapNames are the files to look for at the top of a folder.
var sitemapNames = []string{"sitemap.xml", "sitemap.xml.gz", "sitemap_index.xml", "sitemap_index.xml.gz", "sitemap-index.xml",
	"wp-sitemap.xml", "sitemap.txt"}

// readSitemaps reads the sitemaps at the top of a folder or a container, and the sitemaps that they list.
func readSitemaps(files fs.FS, at func(name string) string, o *record.Options) *sitemap {
	s := &sitemap{files: files, at: at, rules: o.Rules, opts: o, lastmod: map[string]time.Time{}, seen: map[string]bool{}}
	for _, name := range sitemapNames {
		if isFile(files, name) {
			s.file(name)
		}
	}
	s.robots()
	return s
}

// robots reads the sitemaps that robots.txt names.
func (s *sitemap) robots() {
	for line := range bytes.Lines(readHead(s.files, "robots.txt", 1<<20)) {
		key, loc, ok := strings.Cut(string(line), ":")
		if ok && strings.EqualFold(strings.TrimSpace(key), "sitemap") {
			s.entry(true, strings.TrimSpace(loc), time.Time{})
		}
	}
}

// file reads one sitemap under the folder.
func (s *sitemap) file(name string) {
	if s.seen[name] || len(s.seen) >= maxSitemaps || !fs.ValidPath(name) {
		return
	}
	s.seen[name] = true
	f, err := s.files.Open(name)
	if err != nil {
		return // on another host, or not in the copy
	}
	defer f.Close()
	in := bufio.NewReader(f)
	var from io.Reader = in
	if head, _ := in.Peek(len(payload.GzipMagic)); payload.IsGzip(head) {
		from, err = gzip.NewReader(in)
	}
	switch from = io.LimitReader(from, maxSitemap); {
	case err != nil:
	case strings.HasSuffix(strings.TrimSuffix(name, ".gz"), ".txt"):
		err = s.lines(from)
	default:
		err = s.parse(from)
	}
	if err != nil && s.little == nil {
		s.problems = append(s.problems, &record.Skip{Pos: record.Position{File: s.at(name)}, Reason: record.ReasonBadSitemap, Err: err})
	}
}

// lines reads a list of URLs, one on each line.
func (s *sitemap) lines(in io.Reader) error {
	lines := bufio.NewScanner(in)
	for lines.Scan() && s.little == nil {
		s.entry(false, strings.TrimSpace(strings.TrimPrefix(lines.Text(), "\uFEFF")), time.Time{})
	}
	return cmp.Or(s.little, lines.Err())
}

// parse reads a list of pages or a sitemap index. If it meets damage, it keeps the entries before it.
func (s *sitemap) parse(in io.Reader) error {
	d := xml.NewDecoder(in)
	d.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil }
	known := false
	for s.little == nil {
		t, err := d.Token()
		if err == io.EOF && !known { //nolint:errorlint // the decoder does not wrap it
			return errors.New("neither a list of pages nor an index")
		}
		if err == io.EOF { //nolint:errorlint // as above
			return nil
		}
		if err != nil {
			return err
		}
		start, ok := t.(xml.StartElement)
		if !ok {
			continue
		}
		switch start.Name.Local {
		case "urlset", "sitemapindex":
			known = true
		case "url", "sitemap":
			if !known {
				return fmt.Errorf("%s outside of a list", start.Name.Local)
			}
			var e struct {
				Loc     string `xml:"loc"`
				LastMod string `xml:"lastmod"`
			}
			if err := d.DecodeElement(&e, &start); err != nil {
				return err
			}
			s.entry(start.Name.Local == "sitemap", strings.TrimSpace(e.Loc), record.ParseTime(strings.TrimSpace(e.LastMod)))
		}
	}
	return s.little
}

func (s *sitemap) entry(isSitemap bool, loc string, at time.Time) {
	u, err := url.Parse(loc)
	if err != nil || u.Host == "" {
		return
	}
	if isSitemap { // a sitemap is at its place in the site, or next to the index
		s.file(strings.TrimPrefix(path.Clean(u.Path), "/"))
		s.file(path.Base(u.Path))
		return
	}
	if len(s.locs) < maxSitemapLocs {
		s.locs = append(s.locs, loc)
	}
	if c, err := s.rules.Canonical(loc); err == nil && len(s.lastmod) < maxSitemapURLs {
		if last, listed := s.lastmod[c]; !listed || at.After(last) { // the newest entry wins
			s.lastmod[c] = at
			s.taken += int64(len(c)) + lastmodBytes
			s.little = s.opts.Needs(2*s.taken, record.Position{File: s.at(".")}, "sitemaps of %d pages and more", len(s.lastmod))
		}
	}
}

// base returns the URL of the top of the folder: the URL under which most listed pages are files in the folder, or the
// shortest of several. It is empty if there is none, or if only one of several pages supports it, because every folder
// has a home page.
func (s *sitemap) base() string {
	best, most := "", 0
	for _, candidate := range s.candidates() {
		n := 0
		for _, loc := range s.locs {
			if rest, ok := strings.CutPrefix(loc+"/", candidate); ok && s.holds(strings.Trim(rest, "/")) {
				n++
			}
		}
		if _, err := siteBase(candidate); err == nil && n > most && (n > 1 || n == len(s.locs)) {
			best, most = candidate, n
		}
	}
	return best
}

// candidates returns the URLs of the folders that contain the shortest listed URL, shortest first.
func (s *sitemap) candidates() []string {
	if len(s.locs) == 0 {
		return nil
	}
	shortest := slices.MinFunc(s.locs, func(a, b string) int { return len(a) - len(b) })
	u, err := url.Parse(shortest)
	if err != nil {
		return nil
	}
	site := u.Scheme + "://" + u.Host + "/"
	out := []string{site}
	for segment := range strings.SplitSeq(strings.Trim(u.EscapedPath(), "/"), "/") {
		if segment != "" && len(out) < 10 {
			out = append(out, out[len(out)-1]+segment+"/")
		}
	}
	return out
}

// holds reports whether a page is a file in the folder.
func (s *sitemap) holds(name string) bool {
	name = ascii.Unescaped(name)
	forms := []string{name, path.Join(name, "index.html"), name + ".html"}
	return slices.ContainsFunc(forms, func(name string) bool { return isFile(s.files, path.Clean(name)) })
}
