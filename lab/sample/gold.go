package sample

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/lshclust/lshclust/internal/sample"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Gold returns the places of the pages in the manual's tables of contents, as lines of a URL, a tab and a category
// path such as "The SQL Language/Indexes", in order of the tables. A page with pages below it is in the category of
// its own name. The tables are on the pages of the eight parts of the manual.
func Gold() ([]byte, error) {
	var gold strings.Builder
	gold.WriteString("# url\tcategory path: part and chapter of the PostgreSQL 15 manual\n")
	lines := json.NewDecoder(sample.Open())
	for {
		var page struct{ URL, HTML string }
		if err := lines.Decode(&page); errors.Is(err, io.EOF) {
			return []byte(gold.String()), nil
		} else if err != nil {
			return nil, err
		}
		if err := partGold(&gold, page.URL, page.HTML); err != nil {
			return nil, fmt.Errorf("%s: %w", page.URL, err)
		}
	}
}

// number matches the number of a part, chapter or section at the beginning of its title.
var number = regexp.MustCompile(`^(Part\s+)?([IVX]+|[A-Z]|[0-9]+)(\.[0-9]+)*\.\s+`)

// title returns the text of a node without its number, as a level of a path.
func title(n *html.Node) string {
	text := strings.Join(strings.Fields(textOf(n)), " ")
	return strings.ReplaceAll(number.ReplaceAllString(text, ""), "/", " ")
}

// partGold adds the table of contents of a page if the page is a part of the manual.
func partGold(gold *strings.Builder, pageURL, page string) error {
	if !strings.Contains(page, "<title>Part\u00a0") { // most pages, which need not be parsed
		return nil
	}
	doc, err := html.Parse(strings.NewReader(page))
	if err != nil {
		return err
	}
	head := first(doc, func(n *html.Node) bool { return n.DataAtom == atom.Title })
	toc := first(doc, func(n *html.Node) bool { return n.DataAtom == atom.Dl && attribute(n, "class") == "toc" })
	if head == nil || toc == nil {
		return nil
	}
	base, err := url.Parse(pageURL)
	if err != nil {
		return err
	}
	contents(gold, base, toc, []string{title(head)})
	return nil
}

// contents adds the entries of a list. An entry is a term with the link to a page, perhaps followed by a list of the
// entries below it.
func contents(gold *strings.Builder, base *url.URL, list *html.Node, path []string) {
	for term := range list.ChildNodes() {
		if term.DataAtom != atom.Dt {
			continue
		}
		link := first(term, func(n *html.Node) bool { return n.DataAtom == atom.A })
		if link == nil {
			continue
		}
		under := path
		var below *html.Node
		if next := term.NextSibling; next != nil && next.DataAtom == atom.Dd {
			below = first(next, func(n *html.Node) bool { return n.DataAtom == atom.Dl })
			under = append(slices.Clip(path), title(link))
		}
		if to, err := base.Parse(attribute(link, "href")); err == nil && to.Fragment == "" {
			fmt.Fprintf(gold, "%s\t%s\n", to, strings.Join(under, "/"))
		}
		if below != nil {
			contents(gold, base, below, under)
		}
	}
}

// first returns the first wanted node below n, in the order of the page, or nil.
func first(of *html.Node, wanted func(*html.Node) bool) *html.Node {
	for n := range of.Descendants() {
		if n.Type == html.ElementNode && wanted(n) {
			return n
		}
	}
	return nil
}

func attribute(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

func textOf(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data)
		}
	}
	return b.String()
}
