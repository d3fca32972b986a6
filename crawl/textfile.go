package crawl

import (
	"bytes"
	"path"
	"strings"

	"github.com/lshclust/lshclust/crawl/record"
)

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
