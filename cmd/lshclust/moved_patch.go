package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"html"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/lshclust/lshclust/crawl/urls"
	"github.com/lshclust/lshclust/internal/ask/crawls"
	"github.com/lshclust/lshclust/internal/runs"
	"github.com/lshclust/lshclust/internal/sites/moved"
	"github.com/lshclust/lshclust/internal/sites/rules"
)

// patched are the endings of the files in a folder that --patch mends.
var patched = []string{".md", ".markdown", ".mdx", ".html", ".htm", ".rst", ".adoc", ".txt"}

// linkText matches URLs in a text, and in Markdown and HTML links to a path of the site.
var linkText = regexp.MustCompile("https?://[^\\s<>\"'`\\\\\\[\\]{}|^]+|(?:\\]\\(|href=[\"']|\\]:\\s+)/[^\\s<>\"'()]*")

// mending looks up where dead links should lead.
type mending struct {
	*moving
	crawls *crawls.Crawls
	site   rules.Site
	host   string            // of links without one
	hosts  map[string]bool   // of the pages of all runs
	to     map[string]string // the new URL of each link that was looked up; empty if it stays
	doubt  map[string]string // why a dead link stays
	parts  []crawls.LostPage // the gone pages that links with a fragment point at
	anchor map[string]string // the new URLs of parts of them
	files  int
	mended int
	left   []string // dead links that stay, with their places
}

// patch prints a unified diff that replaces dead links in a file, or in the files of a folder.
func (f *moving) patch(ctx context.Context, w io.Writer, history *crawls.Crawls, path string) error {
	m := &mending{moving: f, crawls: history, host: crawls.Host(history.Last()), hosts: map[string]bool{}, to: map[string]string{}, doubt: map[string]string{}}
	if f.base != "" {
		m.host = f.base
	}
	for _, r := range history.Runs() {
		for _, url := range runs.PageURLs(r) {
			m.hosts[urls.Host(url)] = true
		}
	}
	m.site = crawls.Site(history.Last(), f.base)
	if err := m.walk(ctx, io.Discard, path); err != nil {
		return err
	}
	if len(m.parts) > 0 { // all at once, because each reading of the inputs takes time
		anchors, err := crawls.Anchors(ctx, history, m.parts)
		if err != nil {
			return err
		}
		m.anchor = map[string]string{}
		for _, a := range anchors {
			m.anchor[a.URL] = a.NewURL
		}
		m.to = map[string]string{}
	}
	m.files, m.mended, m.left = 0, 0, nil
	if err := m.walk(ctx, w, path); err != nil {
		return err
	}
	say("%s mended in %s; %s without a sure new place", count(m.mended, "link"), count(m.files, "file"), count(len(m.left), "dead link"))
	const most = 20
	for _, l := range m.left[:min(most, len(m.left))] {
		say("  %s", whole(l))
	}
	if more := len(m.left) - most; more > 0 {
		say("  and %d more", more)
	}
	return nil
}

// walk prints the diffs of a file or of the files of a folder.
func (m *mending) walk(ctx context.Context, w io.Writer, path string) error {
	return filepath.WalkDir(path, func(name string, d fs.DirEntry, err error) error {
		hidden := name != path && strings.HasPrefix(d.Name(), ".")
		switch {
		case err != nil:
			return err
		case d.IsDir() && hidden:
			return filepath.SkipDir
		case d.IsDir() || hidden || name != path && !slices.Contains(patched, strings.ToLower(filepath.Ext(name))):
			return nil
		}
		return m.mend(ctx, w, name)
	})
}

// mend prints the diff of a file.
func (m *mending) mend(ctx context.Context, w io.Writer, name string) error {
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	if bytes.IndexByte(text, 0) >= 0 {
		return nil // no text
	}
	var after bytes.Buffer
	number, n := 0, m.mended
	for line := range strings.Lines(string(text)) {
		number++
		after.WriteString(linkText.ReplaceAllStringFunc(line, func(link string) string {
			to, e := m.replacement(ctx, link, fmt.Sprintf("%s:%d", name, number))
			if e != nil {
				err = e
			}
			if e != nil || to == "" {
				return link
			}
			m.mended++
			return to
		}))
	}
	if err == nil && m.mended > n {
		m.files++
		err = unifiedDiff(w, filepath.ToSlash(name), text, after.Bytes())
	}
	return err
}

// replacement returns what replaces a match of linkText, or "" if it stays.
func (m *mending) replacement(ctx context.Context, match, place string) (string, error) {
	lead := match[:strings.LastIndexAny(match[:strings.IndexByte(match, '/')], "(\"' \t:")+1]
	if strings.HasPrefix(match, "http") {
		lead = ""
	}
	link := strings.TrimRight(match[len(lead):], ".,;:!?*_")
	for strings.HasSuffix(link, ")") && strings.Count(link, "(") < strings.Count(link, ")") {
		link = strings.TrimRight(link[:len(link)-1], ".,;:!?*_")
	}
	tail := match[len(lead)+len(link):]
	url := html.UnescapeString(link)
	if url[0] == '/' {
		url = m.host + url
	}
	plain, fragment, _ := strings.Cut(url, "#")
	canonical, err := m.site.Canonical(plain)
	if err != nil || !m.hosts[urls.Host(canonical)] || strings.HasPrefix(link, "//") {
		return "", nil //nolint:nilerr // it is no link
	}
	if _, known := m.to[url]; !known {
		if m.to[url], err = m.find(ctx, url, canonical, fragment); err != nil {
			return "", err
		}
	}
	to := m.to[url]
	if to == "" {
		if why := m.doubt[url]; why != "" {
			m.left = append(m.left, place+" "+link+": "+why)
		}
		return "", nil
	}
	if link[0] == '/' {
		to = strings.TrimPrefix(to, m.host)
	}
	return lead + strings.NewReplacer("(", "%28", ")", "%29").Replace(to) + tail, nil
}

// find returns the new URL of a link, or "".
func (m *mending) find(ctx context.Context, url, canonical, fragment string) (string, error) {
	found, err := crawls.Find(ctx, m.crawls, canonical, 0)
	switch {
	case err != nil:
		return "", err
	case len(found.Pages) == 0:
		m.doubt[url] = "no run tells where it went"
		return "", nil
	}
	p := found.Pages[0]
	switch {
	case p.How == crawls.HowThere:
		return "", nil
	case p.How == crawls.HowRedirect:
		return joined(m.site.Form(p.URL), fragment), nil
	case p.Score < m.confidence || found.Lost.Verdict.Kind == moved.Split:
		m.doubt[url] = fmt.Sprintf("%s %s, with a confidence of %.2f", p.How, p.URL, p.Score)
		return "", nil
	case fragment == "":
		return m.site.Form(p.URL), nil
	}
	m.parts = append(m.parts, *found.Lost)
	return cmp.Or(m.anchor[joined(canonical, fragment)], m.site.Form(p.URL)), nil
}

// joined returns a URL with a fragment, which may be empty.
func joined(url, fragment string) string { return strings.TrimSuffix(url+"#"+fragment, "#") }

// unifiedDiff writes the differences of two versions of a file, as git and patch take them.
func unifiedDiff(w io.Writer, name string, before, after []byte) error {
	name = strings.TrimPrefix(name, "/")
	_, hunks, _ := bytes.Cut(diff.Diff("a/"+name, before, "b/"+name, after), []byte("\n")) // without the line "diff OLD NEW"
	_, err := w.Write(hunks)
	return err
}
