package text

import (
	"strings"
	"testing"
)

// read returns the text of a page with its blocks divided by slashes, and its links; those without words are marked.
func read(page string) (visible, links string) {
	var p Parser
	doc := p.HTML([]byte(page))
	var hrefs []string
	for _, l := range doc.Links {
		if l.Bare {
			l.Href += "*"
		}
		hrefs = append(hrefs, l.Href)
	}
	return strings.ReplaceAll(strings.TrimSpace(string(doc.Text)), "\n", "/"), strings.Join(hrefs, " ")
}

func TestHidden(t *testing.T) {
	for _, c := range []struct{ page, text, links string }{
		{"a<div hidden>b</div>c", "a/c", ""},
		{"a<div style='color:red; DISPLAY : none !important'>b<div>c</div></div>d", "a/d", ""},
		{"a<div style='display:none;display:block'>b</div>", "a/b", ""},
		{"a<span style=visibility:hidden>b<span>c</span></span>d", "ad", ""},
		{"a<div style='content-visibility:hidden'>b</div>", "a/b", ""},
		{"a<div hidden=until-found>b</div>", "a/b", ""},
		{"a<div aria-hidden=true>b</div><p class='hidden none'>c", "a/b/c", ""},
		{"<body style='visibility:hidden'>a", "a", ""},
		{"<div style='display:none'><p>a <a href=b>c</a></div>", "a c", "b"}, // a page that hides all of its text
		{"<p hidden>a<p>b", "b", ""},
		{"<ul><li hidden>a<ul><li>b<li>c</ul>d<li>e</ul>", "e", ""},
		{"<ul><li>a<li hidden>b</ul>c", "a/c", ""},
		{"<table><tr><td hidden>a<td>b<tr hidden><td>c<tr><td>d</table>e", "b/d/e", ""},
		{"<section>a<div hidden>b</section>c", "a/c", ""}, // no end tag
		{"a<div hidden>b</b></p></br>c<hr><br><img alt=x></div>d", "a/d", ""},
		{"a<img hidden alt=b>c<input hidden>d", "acd", ""},
		{"a<nav hidden><a href=b>c</a><iframe src=d></iframe></nav><a href=e>f</a>", "a/f", "b* d* e"},
		{"a<a hidden href=b>c</a>d", "ad", "b*"},
		{"a<div hidden><script>'</div>'</script>b<svg><title/></svg></div>c", "a/c", ""},
		{"a<div hidden><template><div></template></div>b", "a/b", ""},
		{"a<dialog>b</dialog><dialog open>c</dialog>", "a/c", ""},
		{"a<datalist><option>b</datalist>c<math><annotation encoding=TeX>d</annotation></math>e", "ace", ""},
		{"<x-y><template shadowrootmode=open><p>a <a href=b>c</a></template></x-y><template>d</template>", "a c", "b"},
		{"<frameset><frame src=a><frame><frame src=b></frameset><noframes>c</noframes>", "", "a* b*"},
		{"a <iframe src=b>c</iframe> d", "a d", "b*"},
		{"a <svg><a href=b><text>c</text></a><a xlink:href=d /><a href=g xlink:href=g /><use href=#e /></svg> f", "a f", "b* d* g*"},
	} {
		if text, links := read(c.page); text != c.text || links != c.links {
			t.Errorf("%s\ngives %q and %q, want %q and %q", c.page, text, links, c.text, c.links)
		}
	}
}

func TestTitle(t *testing.T) {
	for page, want := range map[string]string{
		"<title>a</title><meta property=og:title content=b><h1>c</h1>":            "a",
		"<meta property='OG:title' content=' b  d '><h1>c</h1>":                   "b d",
		"<title>Untitled Document</title><h1>c <b>d</b></h1><h1>e</h1>":           "c d",
		"<title>https://a.example/b</title><h1>c</h1>":                            "c",
		"<title>https://a.example/b</title><h2>c</h2>":                            "https://a.example/b",
		"<title>index</title><meta property=og:title content=Untitled><h1>c</h1>": "c",
		"<h1><img src=a></h1><h1>c</h1><p>d":                                      "c",
		"<title> </title><p>d":                                                    "",
	} {
		var p Parser
		if got := string(p.HTML([]byte(page)).Title); got != want {
			t.Errorf("%s has the title %q, want %q", page, got, want)
		}
	}
}

// FuzzHidden checks that a page is read to its end: what comes after the hidden elements is shown or hidden, and links stay.
func FuzzHidden(f *testing.F) {
	f.Add("<div hidden>", "<p>b</div>")
	f.Add("<li style=display:none>", "<ul><li>")
	f.Fuzz(func(t *testing.T, before, inside string) {
		var p Parser
		doc := p.HTML([]byte("first " + before + inside + "</p></div></section></body></html><a href=last>last</a>"))
		for _, l := range doc.Links {
			if l.From > l.To || int(l.To) > len(doc.Words) || l.Bare && l.From != l.To {
				t.Fatalf("a link with the words %d to %d of %d", l.From, l.To, len(doc.Words))
			}
		}
	})
}
