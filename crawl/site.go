package crawl

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"path"
	"strings"
	"time"

	"github.com/lshclust/lshclust/crawl/internal/payload"
	"github.com/lshclust/lshclust/crawl/record"
	"github.com/lshclust/lshclust/crawl/urls"
)

// site turns the names of the files of a site into URLs. The zero value with a base does so by the names alone.
type site struct {
	base  string               // ends with a slash
	hosts bool                 // a top-level folder may be a host
	top   string               // the folder around all files, with its slash, that is not part of the URLs
	times map[string]time.Time // modification times from the sitemap, by canonical URL
	files fs.FS                // to see whether a file exists; nil if names are taken literally
	votes *linkVotes           // what links call the files; nil if names are taken literally
}

// localBase is the base URL of a site whose URL is unknown.
const localBase = "https://localhost/"

// place finds the base: the one in the options, that of the sitemap, or the name of the folder if it is a host.
func (s *site) place(o *record.Options, listed, folder string) error {
	s.base, s.hosts = o.Base, o.Base == ""
	if s.hosts {
		s.base = localBase
		if listed != "" {
			s.base, s.hosts = listed, false
		} else if host := hostOf(folder); host != "" && host != localBase {
			s.base, s.hosts = host, false
		}
	}
	base, err := siteBase(s.base)
	if err != nil {
		return fmt.Errorf("base URL: %w", err)
	}
	s.base = base
	return nil
}

func siteBase(base string) (string, error) {
	u, err := urls.Base(base, "")
	if err != nil {
		return "", err
	}
	return strings.TrimRight(u.Scheme+"://"+u.Host+u.EscapedPath(), "/") + "/", nil
}

// hostOf returns the base URL of a folder that a mirroring tool names after a host, or "". wget writes the colon before
// a port as a plus sign for Windows.
func hostOf(folder string) string {
	name := folder
	if i := strings.LastIndexByte(name, '+'); i > 0 && !strings.Contains(name, ":") {
		name = name[:i] + ":" + name[i+1:]
	}
	if !urls.IsHostName(name) {
		return ""
	}
	if strings.HasPrefix(name, "127.") {
		return "http://" + name + "/"
	}
	return "https://" + name + "/"
}

// form says how a URL is made from a file name. The zero form takes the name as it is.
type form uint8

const (
	splitQuery form = 1 << iota // "a.php?x=1" has the query x=1; also "a.php@x=1"
	cutHTML                     // guide.html is /guide
	forms                       // number of forms
)

// url returns the URL of a file by its name alone.
func (s *site) url(name string) string { return s.urlAs(name, plainForm(name, s.hosts)) }

// plainForm returns the form that a name has if there is no evidence for another.
func plainForm(name string, mirror bool) form {
	file := path.Base(name)
	before, query, mark := cutQuery(file)
	page := isPageName(before)
	switch {
	case mark == "?" && !mirror && !strings.Contains(query, "="), mark == "@" && !page, mark == "":
		return 0
	case page && isHTMLName(strings.ToLower(query)): // wget --adjust-extension
		return splitQuery | cutHTML
	}
	return splitQuery
}

// isDynamic reports whether a name in lower case is that of a program that makes pages.
func isDynamic(name string) bool {
	switch path.Ext(name) {
	case ".php", ".php3", ".php4", ".php5", ".phtml", ".asp", ".aspx", ".ashx", ".jsp", ".jspx", ".cgi", ".pl", ".cfm", ".do", ".action":
		return true
	}
	return false
}

// urlAs returns the URL of a file in a form. It escapes the name, and an index file gets the URL of its folder.
func (s *site) urlAs(name string, f form) string {
	base, name := s.inHost(name)
	dir, file := path.Split(trimNumber(strings.TrimSuffix(name, ".gz")))
	query := ""
	if before, q, mark := cutQuery(file); f&splitQuery != 0 && mark != "" {
		file, query = before, "?"+q
	}
	if f&cutHTML != 0 && query != "" {
		query = query[:len(query)-len(path.Ext(query))]
	} else if f&cutHTML != 0 {
		file = file[:len(file)-len(path.Ext(file))]
	}
	if file == "index.html" || file == "index.htm" || file == "index.xhtml" {
		file = ""
	}
	return base + escapeName(dir+file) + query
}

// inHost returns the base URL of a file and its name below that.
func (s *site) inHost(name string) (base, rest string) {
	name = strings.TrimPrefix(name, s.top)
	if !s.hosts {
		return s.base, name
	}
	top, below, ok := strings.Cut(name, "/")
	if ok && (top == "http" || top == "https") { // wget --protocol-directories
		if host, rest, ok := strings.Cut(below, "/"); ok && hostOf(host) != "" {
			return hostOf(host), rest
		}
	}
	if host := hostOf(top); ok && host != "" {
		return host, below
	}
	return s.base, name
}

var asInLinks = strings.NewReplacer("%3B", ";", "%2C", ",")

func escapeName(name string) string {
	segments := strings.Split(name, "/")
	for i := range segments {
		segments[i] = asInLinks.Replace(url.PathEscape(segments[i]))
	}
	return strings.Join(segments, "/")
}

// page decodes the page of a file, which may be compressed.
func (s *site) page(r *record.Record, raw []byte, name string) (record.Page, error) {
	p := record.Page{Pos: r.Pos, URL: r.URL, Time: r.Time, Warnings: r.Notes}
	if ext := path.Ext(strings.ToLower(strings.TrimSuffix(name, ".gz"))); ext == ".xhtml" || ext == ".xht" {
		p.ContentType = "application/xhtml+xml"
	}
	if payload.IsGzip(raw) {
		body, err := r.Room.Gunzip(raw, r.Opts.MaxPage+1)
		if err != nil {
			skip := r.Skip(record.ReasonBadGzip, r.URL, err)
			if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
				skip.Reason = record.ReasonTruncatedGzip
			}
			if len(body) == 0 {
				return record.Page{}, skip
			}
			p.Warn(skip)
		}
		raw = body
	}
	if len(strings.TrimSpace(string(raw[:min(len(raw), 64)]))) == 0 && len(raw) <= 64 {
		return record.Page{}, r.Skip(record.ReasonEmptyPage, r.URL, nil)
	}
	head := raw[:min(len(raw), payload.SniffLen)]
	if kindOf(path.Base(name)) == unknownKind {
		if skip := notPage(r, head); skip != nil {
			return record.Page{}, skip
		}
	}
	if bytes.Contains(head, []byte("SingleFileZ")) && bytes.Contains(raw, []byte("PK\x03\x04")) {
		return record.Page{}, r.Skip(record.ReasonUnsupportedFormat, r.URL,
			errors.New("a page that unpacks itself, by SingleFileZ: unpack it with unzip and give the folder"))
	}
	if bytes.Contains(head, []byte("Local index - HTTrack")) { // the list of sites at the top of a mirror
		return record.Page{}, r.Skip(record.ReasonCompanion, r.URL, errors.New("the index that a mirroring tool made"))
	}
	if err := r.CheckText(&p, raw, ""); err != nil {
		return record.Page{}, err
	}
	p.HTML = r.DecodeText(&p, raw, "")
	if !r.Given {
		s.locate(&p, name, r.Opts.Rules)
	}
	return r.Identify(p)
}

// notPage returns a *Skip if a file whose name says nothing is not a page.
func notPage(r *record.Record, head []byte) error {
	switch {
	case !payload.SniffHTML(head) && (formatOf(head) == "warc" || formatOf(head) == "arc" || formatOf(head) == "parquet"):
		return leftOut(r.Pos, archiveKind, "", nil)
	case !payload.SniffHTML(head):
		return r.Skip(record.ReasonNotHTML, r.URL, errors.New("neither the name nor the first bytes are those of a page"))
	case isSource(head):
		return r.Skip(record.ReasonLooksHTML, r.URL, errors.New("the source of a program"))
	}
	return nil
}

func isOnHost(a *url.URL, of string) bool {
	b, err := url.Parse(of)
	return err == nil && sameHost(a, b)
}

// locate sets the URL of a page, its time and its alias. The page itself may say them, or name a canonical URL that is
// a form of the name of its file. Otherwise, a sitemap or links may call it by another form than its name.
func (s *site) locate(p *record.Page, name string, rules *urls.Rules) {
	f, literal := plainForm(name, s.hosts), p.URL
	from, at := savedFrom(p.HTML)
	if from != nil && (s.base == localBase && strings.HasPrefix(literal, localBase) || isOnHost(from, literal)) {
		p.URL = from.String()
		if p.Time.IsZero() {
			p.Time = at
		}
	} else if s.votes != nil {
		f = s.choose(name, f, canonicalLink(p.HTML), rules)
		p.URL = s.urlAs(name, f)
	}
	canonical, _ := rules.Canonical(p.URL)
	if p.Time.IsZero() {
		p.Time = s.times[canonical]
	}
	if s.votes != nil && s.votes.all[classOf(name)][0] > 0 { // some links have the names of the files
		if alias, err := rules.Canonical(s.urlAs(name, 0)); err == nil && alias != canonical {
			p.Alias = alias
		}
	}
	if s.times != nil && p.Time.IsZero() {
		if c, err := rules.Canonical(literal); err == nil {
			p.Time = s.times[c]
		}
	}
}

// textPage decodes a file. In a folder without HTML, it may be plain text or Markdown. Its front matter, lines of "key: value"
// between two lines of "---", may say its URL, title and time.
func (s *site) textPage(r *record.Record, raw []byte, name string) (record.Page, error) {
	if kindOf(path.Base(name)) != textKind {
		return s.page(r, raw, name)
	}
	p := record.Page{Pos: r.Pos, URL: r.URL, Warnings: r.Notes}
	if err := r.CheckText(&p, raw, ""); err != nil {
		return record.Page{}, err
	}
	text := r.DecodeText(&p, raw, "")
	if matter, rest, ok := frontMatter(text); ok {
		text = rest
		for line := range bytes.Lines(matter) {
			key, value, _ := strings.Cut(string(bytes.TrimSpace(line)), ":")
			value = strings.Trim(strings.TrimSpace(value), `"'`)
			switch strings.ToLower(strings.NewReplacer("_", "", "-", "").Replace(key)) {
			case "url", "source", "sourceurl", "originalurl", "link":
				if isWebURL(value) {
					p.URL = value
				}
			case "title":
				p.Title = value
			case "date", "time", "timestamp", "crawledat", "fetchedat", "scrapedat":
				p.Time = record.ParseTime(value)
			}
		}
	}
	if len(bytes.TrimSpace(text)) == 0 {
		return record.Page{}, r.Skip(record.ReasonEmptyPage, r.URL, nil)
	}
	if heading, ok := bytes.CutPrefix(bytes.TrimSpace(text[:min(len(text), 1024)]), []byte("# ")); ok && p.Title == "" {
		line, _, _ := bytes.Cut(heading, []byte("\n"))
		p.Title = strings.TrimSpace(string(line))
	}
	p.Text = text
	return r.Identify(p)
}

// frontMatter cuts the front matter of Markdown, at most 64 KiB, from the rest.
func frontMatter(text []byte) (matter, rest []byte, ok bool) {
	start := bytes.IndexByte(text, '\n') + 1
	if string(bytes.TrimSpace(text[:min(start, 8)])) != "---" {
		return nil, text, false
	}
	end := bytes.Index(text[start:min(len(text), 64<<10)], []byte("\n---"))
	if end < 0 {
		return nil, text, false
	}
	rest = text[start+end+len("\n---"):]
	return text[start : start+end], bytes.TrimLeft(rest, "-\r"), true
}
