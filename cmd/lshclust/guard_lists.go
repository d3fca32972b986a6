package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/csv"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"

	"github.com/lshclust/lshclust/ask"
	"github.com/lshclust/lshclust/crawl/urls"
	"github.com/lshclust/lshclust/internal/ascii"
	"github.com/lshclust/lshclust/internal/ask/crawls"
	"github.com/lshclust/lshclust/internal/sites/rules"
)

// isRun reports whether a path is a run or a file of sketches rather than a list of URLs.
func isRun(path string) bool {
	info, err := os.Stat(path)
	if err != nil || info.IsDir() {
		return err == nil
	}
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	head, _ := bufio.NewReader(f).Peek(512)
	marks := []string{"\x1f\x8b", "\xff\xfe", "\xfe\xff"} // of compressed lists and lists in UTF-16
	return bytes.IndexByte(head, 0) >= 0 && !slices.ContainsFunc(marks, func(mark string) bool { return bytes.HasPrefix(head, []byte(mark)) })
}

// knownList gathers the URLs that a site must answer, and the lines that cannot be read.
type knownList struct {
	form  *urls.Rules
	base  string // of paths in the lists
	known []crawls.KnownURL
	wrong []ask.GuardFinding
}

// read reads a list with a URL on each line, a table, or a sitemap.
func (l *knownList) read(path string) error {
	f, err := openList(path)
	if err != nil {
		return err
	}
	defer f.Close()
	text, err := unpacked(f)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if text, _, err = transform.Bytes(unicode.BOMOverride(transform.Nop), text); err != nil || !utf8.Valid(text) {
		return fmt.Errorf("%s is neither a list of URLs, nor a sitemap, nor a run", path)
	}
	before := len(l.known) + len(l.wrong)
	if bytes.HasPrefix(bytes.TrimSpace(text), []byte("<")) {
		l.sitemap(path, text)
	} else {
		l.lines(path, string(text))
	}
	if len(l.known)+len(l.wrong) == before {
		return &exit{code: exitCondition, err: fmt.Errorf("%s holds no URL", path)}
	}
	return nil
}

// mostList is the maximum size of a compressed list: that of a sitemap is 50 MB.
const mostList = 256 << 20

func unpacked(f io.Reader) (text []byte, err error) {
	in := bufio.NewReader(f)
	if head, _ := in.Peek(2); string(head) != "\x1f\x8b" {
		return io.ReadAll(in)
	}
	z, err := gzip.NewReader(in)
	if err == nil {
		text, err = io.ReadAll(io.LimitReader(z, mostList+1))
	}
	if len(text) > mostList {
		err = fmt.Errorf("it holds more than %d MiB", mostList>>20)
	}
	return text, err
}

// lines adds the URLs at the starts of lines or, if the first line names columns, those of a table: in each row the first
// cell that is a URL or a path.
func (l *knownList) lines(path, text string) {
	n, isURL := 0, func(s string) bool { return strings.Contains(s, "://") || strings.HasPrefix(s, "/") }
	for line := range strings.Lines(text) {
		n++
		words := strings.Fields(line)
		if len(words) == 0 || words[0][0] == '#' {
			continue
		}
		named := strings.HasSuffix(strings.TrimSuffix(strings.ToLower(path), ".gz"), ".csv")
		if at := strings.IndexAny(line, separators); at >= 0 && (named || !isURL(words[0])) {
			l.table(path, text, separator(text, rune(line[at])), isURL)
			return
		}
		l.add(path, n, words[0])
	}
}

// separators are what may separate the cells of a table. URLs hold the later ones more often.
const separators = "\t,;"

// separator returns the separator by which the first rows of a table all have the same number of cells, or else the first
// one in the table.
func separator(text string, first rune) rune {
	for _, comma := range separators {
		in := tableReader(text, comma, 0)
		row, err := in.Read()
		for cells, n := len(row), 0; err == nil && cells > 1; n++ {
			if _, err = in.Read(); errors.Is(err, io.EOF) || n == 100 {
				return comma
			}
		}
	}
	return first
}

// tableReader reads the rows of a table; cells is the number in each, 0 for as many as in the first, -1 for any.
func tableReader(text string, comma rune, cells int) *csv.Reader {
	in := csv.NewReader(strings.NewReader(text))
	in.Comma, in.Comment, in.FieldsPerRecord, in.LazyQuotes = comma, '#', cells, true
	return in
}

func (l *knownList) table(path, text string, comma rune, isURL func(string) bool) {
	in := tableReader(text, comma, -1)
	for first := true; ; first = false {
		row, err := in.Read()
		if errors.Is(err, io.EOF) {
			return
		}
		at := slices.IndexFunc(row, isURL)
		switch line, _ := in.FieldPos(0); {
		case err != nil:
			l.fail(path, line, "", err.Error())
		case at >= 0:
			l.add(path, line, strings.TrimSpace(row[at]))
		case !first:
			l.fail(path, line, row[0], "the row has no URL")
		}
	}
}

// sitemap adds the URLs of a sitemap.
func (l *knownList) sitemap(path string, text []byte) {
	in := xml.NewDecoder(bytes.NewReader(text))
	in.CharsetReader = func(_ string, text io.Reader) (io.Reader, error) { return text, nil } // it is UTF-8 by now
	space := ""                                                                               // of the sitemap, whose extensions have a loc too
	for {
		t, err := in.Token()
		line, _ := in.InputPos()
		switch start, ok := t.(xml.StartElement); {
		case errors.Is(err, io.EOF):
			return
		case err != nil:
			l.fail(path, line, "", err.Error())
			return
		case ok && start.Name.Local == "sitemapindex":
			l.fail(path, line, "", "it is an index of sitemaps: give the sitemaps")
			return
		case ok && start.Name.Local == "urlset":
			space = start.Name.Space
		case ok && start.Name.Local == "loc" && start.Name.Space == space:
			var loc string
			if err := in.DecodeElement(&loc, &start); err == nil {
				l.add(path, line, strings.TrimSpace(loc))
			}
		}
	}
}

func (l *knownList) add(path string, line int, raw string) {
	plain, fragment, _ := strings.Cut(raw, "#")
	fragment, _, _ = strings.Cut(fragment, ":~:") // before words to highlight
	fragment = ascii.Unescaped(fragment)
	_, site, _ := strings.Cut(l.base, "://")
	top, folder, ok := strings.Cut(site, "/")
	if strings.HasPrefix(plain, "/") && !strings.HasPrefix(plain, "//") {
		if ok && strings.HasPrefix(plain+"/", "/"+folder+"/") { // a path from the top of the host
			plain = "https://" + top + plain
		} else {
			plain = l.base + plain
		}
	}
	scheme := strings.Contains(plain, "://")
	if !scheme {
		plain = "https://" + plain
	}
	canonical, err := l.form.Canonical(plain)
	if err == nil && !scheme && !strings.Contains(urls.Host(canonical), ".") {
		err = errors.New("it has no host")
	}
	if err != nil {
		l.fail(path, line, raw, "it is no URL: "+err.Error())
		return
	}
	l.known = append(l.known, crawls.KnownURL{URL: canonical, Fragment: fragment, File: path, Line: line})
}

func (l *knownList) fail(path string, line int, of, why string) {
	l.wrong = append(l.wrong, ask.GuardFinding{Kind: string(rules.Unread), File: path, Line: line, URL: of, Why: why, URLs: []string{}})
}

// readRules reads FILE or FORMAT:FILE of rules, and adds the lines that cannot be read to lists.
func readRules(path string, site rules.Site, lists *knownList) ([]rules.Rule, string, error) {
	format, file, ok := strings.Cut(path, ":")
	if ok = ok && slices.Contains(rules.Readable, format); ok {
		path = file
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, "", err
	}
	if !ok {
		format = rules.Detect(path, text)
	}
	if format == "" {
		return nil, "", fmt.Errorf("%s is in none of the formats %s by its name and what it holds; if it is, name it: --rules FORMAT:%[1]s",
			path, strings.Join(rules.Readable, ", "))
	}
	list, wrong, err := rules.Read(text, format, path, site)
	for i := range list {
		list[i].File = path
	}
	for _, w := range wrong {
		lists.fail(path, w.Line, "", w.Why)
		if w.Never {
			lists.wrong[len(lists.wrong)-1].Kind = string(rules.Superfluous)
		}
	}
	return list, format, err
}

// writeSnapshot prints the known URLs, each once, in order.
func writeSnapshot(lists *knownList) error {
	var all []string
	for _, k := range lists.known {
		if k.Fragment != "" {
			k.URL += "#" + (&url.URL{Fragment: k.Fragment}).EscapedFragment()
		}
		all = append(all, k.URL)
	}
	slices.Sort(all)
	for _, url := range slices.Compact(all) {
		fmt.Fprintln(printed, whole(url))
	}
	if n := len(lists.wrong); n > 0 {
		return &exit{code: exitSkipped, err: fmt.Errorf("%s not read, the first is %s line %d: %s", count(n, "line"), lists.wrong[0].File, lists.wrong[0].Line, lists.wrong[0].Why)}
	}
	return nil
}
