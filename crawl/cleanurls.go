package crawl

import (
	"bytes"
	"io"
	"io/fs"
	"net/url"
	"path"
	"strings"

	"github.com/lshclust/lshclust/crawl/internal/payload"
	"github.com/lshclust/lshclust/crawl/urls"
)

// Many servers give guide.html under the URL /guide. The form of a name that a page has as URL is, in this order, the
// one that its canonical link names, that a sitemap lists, or that most links to it use. If no link to it is known, most
// links to any page decide.

// Bounds of what is read to see how links call files. A site is written by one program, so its first pages suffice.
const (
	maxVoters  = 100     // pages
	maxBallots = 2 << 20 // bytes of them
	maxBallot  = 128 << 10
	maxTargets = 1 << 14 // distinct links
)

// linkVotes counts how links call the files of a site.
type linkVotes struct {
	all  [3][forms]int // by class and form
	file map[string]*[forms]int
}

// classOf tells names with a query, 1, and those with a query and an ending of HTML, 2, from others, 0.
func classOf(name string) int {
	_, query, mark := cutQuery(path.Base(name))
	switch {
	case mark == "":
		return 0
	case isHTMLName(strings.ToLower(query)):
		return 2
	}
	return 1
}

// evidence makes s look for other forms than the names of files in a folder or a container.
func (s *site) evidence(files fs.FS) {
	s.files, s.votes = files, &linkVotes{file: map[string]*[forms]int{}}
	pages, size := 0, 0
	seen := map[string]ballot{}
	_ = fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case pages >= maxVoters, size >= maxBallots, len(seen) >= maxTargets:
			return fs.SkipAll
		case err != nil || name == ".":
			return nil
		case d.IsDir() && (strings.HasPrefix(d.Name(), ".") || isCompanion(strings.ToLower(d.Name())) || isRun(files, name)):
			return fs.SkipDir
		case !d.Type().IsRegular(), kindOf(d.Name()) > pageKind, strings.HasSuffix(d.Name(), ".gz"):
			return nil
		}
		page := readHead(files, name, maxBallot)
		if len(page) == 0 {
			return nil
		}
		pages, size = pages+1, size+len(page)
		if kindOf(d.Name()) == pageKind || payload.SniffHTML(page) {
			s.poll(name, page, seen)
		}
		return nil
	})
}

func readHead(files fs.FS, name string, limit int64) []byte {
	f, err := files.Open(name)
	if err != nil {
		return nil
	}
	defer f.Close()
	b, _ := io.ReadAll(io.LimitReader(f, limit))
	return b
}

// ballot is what a link says: the form in which it calls a file.
type ballot struct {
	votes *[forms]int // of the file; nil if there is none
	class int
	form  form
}

// poll counts the links of a page.
func (s *site) poll(name string, page []byte, seen map[string]ballot) {
	base, below := s.inHost(name)
	top := strings.TrimSuffix(name, below) // the folder of the host
	at, err := urls.Base(s.url(name), "")
	site, err2 := url.Parse(base)
	if err != nil || err2 != nil {
		return
	}
	dir := path.Dir(name) + "\x00"
	for tag := range payload.Tags(page) {
		if tag.Name != "a" && tag.Name != "base" {
			continue
		}
		href := tag.Attribute("href")
		if tag.Name == "base" && href != "" {
			if based, err := urls.Base(s.url(name), href); err == nil {
				at = based
			}
		}
		if tag.Name != "a" || href == "" || href[0] == '#' || strings.Contains(href, "//") && !strings.Contains(href, site.Hostname()) {
			continue
		}
		b, known := seen[dir+href]
		if !known {
			if u, err := at.Parse(strings.TrimSpace(href)); err == nil && sameHost(u, site) {
				if rest, ok := strings.CutPrefix(u.Path, site.Path); ok && rest+u.RawQuery != "" {
					b = s.ballot(top+rest, u.RawQuery)
				}
			}
			if len(seen) < maxTargets {
				seen[dir+href] = b
			}
		}
		if b.votes != nil {
			b.votes[b.form]++
			s.votes.all[b.class][b.form]++
		}
	}
}

// ballot finds the file that a link calls.
func (s *site) ballot(to, query string) ballot {
	folder := strings.HasSuffix(to, "/") || to == ""
	type call struct {
		name string
		form form
	}
	var calls []call
	switch {
	case query != "":
		if folder {
			to += "index.html"
		}
		calls = []call{{to + "?" + query, splitQuery}, {to + "@" + query, splitQuery}, {to + "?" + query + ".html", splitQuery | cutHTML},
			{to + "@" + query + ".html", splitQuery | cutHTML}}
	case folder && s.isFile(to+"index.html"):
		return ballot{}
	default:
		to = strings.TrimSuffix(to, "/")
		calls = []call{{to, 0}, {to + ".html", cutHTML}, {to + ".htm", cutHTML}, {to + ".xhtml", cutHTML}}
	}
	for _, c := range calls {
		if !s.isFile(c.name) {
			continue
		}
		v := s.votes.file[c.name]
		if v == nil {
			v = &[forms]int{}
			s.votes.file[c.name] = v
		}
		return ballot{v, classOf(c.name), c.form}
	}
	return ballot{}
}

func (s *site) isFile(name string) bool { return isFile(s.files, name) }

// choose returns the form of the URL of a file.
func (s *site) choose(name string, plain form, canonical string, rules *urls.Rules) form {
	candidates := []form{plain}
	if _, _, mark := cutQuery(path.Base(name)); mark != "" {
		candidates = []form{plain, plain ^ splitQuery, plain ^ cutHTML, plain ^ splitQuery ^ cutHTML}
	} else {
		candidates = append(candidates, cutHTML)
	}
	if canonical != "" {
		for _, f := range candidates {
			if s.canCut(name, f) && s.isForm(name, f, canonical, rules) {
				return f
			}
		}
	}
	if len(s.times) > 0 {
		for _, f := range candidates {
			c, err := rules.Canonical(s.urlAs(name, f))
			if _, listed := s.times[c]; err == nil && listed && s.canCut(name, f) {
				return f
			}
		}
	}
	v := s.votes.file[name]
	if v == nil {
		v = &s.votes.all[classOf(name)]
	}
	best := plain
	for _, f := range candidates {
		if v[f] > v[best] && s.canCut(name, f) {
			best = f
		}
	}
	if best == 0 { // what has the form of a query is one, even if links were converted to names
		return plain
	}
	return best
}

// isForm reports whether a canonical link is the URL of a file in a form. If the URL of the site is unknown, the ends of
// their paths decide.
func (s *site) isForm(name string, f form, canonical string, rules *urls.Rules) bool {
	own := s.urlAs(name, f)
	base, err := urls.Base(own, "")
	if err != nil {
		return false
	}
	to, err := rules.Resolve(base, canonical)
	if err != nil {
		return false
	}
	c, err := rules.Canonical(own)
	if err != nil || c == to {
		return err == nil
	}
	end, local := strings.CutPrefix(c, strings.TrimSuffix(localBase, "/"))
	return local && end != "" && strings.HasSuffix(to, end)
}

// canCut reports whether a file may have a form: an ending is only cut if nothing else has the URL without it.
func (s *site) canCut(name string, f form) bool {
	if f&cutHTML == 0 {
		return true
	}
	name = strings.TrimSuffix(name, ".gz")
	ext := path.Ext(name)
	stem := name[:len(name)-len(ext)]
	base := path.Base(stem)
	if !isHTMLName(strings.ToLower(ext)) || base == "" || base == "." || strings.EqualFold(base, "index") || s.isFile(stem) {
		return false
	}
	for _, other := range []string{"/index.html", "/index.htm", "/index.xhtml", "/index.php", ".html"} {
		if stem+other != name && s.isFile(stem+other) {
			return false
		}
	}
	return true
}

// sameHost reports whether two URLs have one host, with or without www.
func sameHost(a, b *url.URL) bool {
	return strings.EqualFold(strings.TrimPrefix(a.Host, "www."), strings.TrimPrefix(b.Host, "www."))
}

// canonicalLink returns the canonical link of a page, if it is among its first bytes.
func canonicalLink(page []byte) string {
	page = page[:min(len(page), maxBallot)]
	if !bytes.Contains(page, []byte("anonical")) {
		return ""
	}
	for tag := range payload.Tags(page) {
		if tag.Name == "body" {
			break
		}
		if tag.Name == "link" && strings.EqualFold(strings.TrimSpace(tag.Attribute("rel")), "canonical") {
			return strings.TrimSpace(tag.Attribute("href"))
		}
	}
	return ""
}
