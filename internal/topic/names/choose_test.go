package names

import "testing"

func TestChoose(t *testing.T) {
	common := map[string]bool{"hn": true, "diffify": true, "sqlite": true, "allversions": true, TitleEnd("https://a.example/", "Site"): true,
		TitleEnd("https://a.example/", "Manual (version 1)"): true}
	links := func(pairs ...string) (out []Link) { // before, text
		for i := 0; i < len(pairs); i += 2 {
			out = append(out, Link{Before: pairs[i], Text: pairs[i+1]})
		}
		return out
	}
	for _, test := range []struct {
		name string
		Document
		want string
	}{
		{"the title", Document{URL: "https://a.example/b", Title: " A page ", Links: links("", "other")}, "A page"},
		{"the title without the site", Document{URL: "https://www.a.example/b", Title: "A page - part 1 — Site "}, "A page - part 1"},
		{"the title without the site in brackets", Document{URL: "https://a.example/b", Title: "A page (Manual (version 1)) "}, "A page"},
		{"brackets that few titles have", Document{URL: "https://a.example/b", Title: "A page (Site) (draft)"}, "A page (Site) (draft)"},
		{"a title in brackets", Document{URL: "https://a.example/b", Title: "(Site)"}, "(Site)"},
		{"the title without the host", Document{URL: "https://www.orchard.example/b", Title: "Apples | Orchard"}, "Apples"},
		{"the title without the host in full", Document{URL: "https://orchard.example/b", Title: "Apples - Orchard.Example"}, "Apples"},
		{"the title of the main page", Document{URL: "https://orchard.example/", Title: "Apples | Orchard"}, "Apples | Orchard"},
		{"the rest says nothing", Document{URL: "https://orchard.example/b", Title: "Download | Orchard"}, "Download | Orchard"},
		{"a title that is a host with www", Document{URL: "https://orchard.example/", Title: "www.orchard.example"}, "orchard.example"},
		{"the title of another site", Document{URL: "https://b.example/b", Title: "A page — Site"}, "A page — Site"},
		{"the title is the site", Document{URL: "https://a.example/b", Title: "| Site"}, "| Site"},
		{"a title that is a URL", Document{URL: "https://a.example/b", Title: "https://a.example/b?x=1", Links: links("", "Orchards")}, "Orchards"},
		{"a title that is the URL without scheme", Document{URL: "https://a.example/fruit-trees", Title: "www.a.example/fruit-trees"}, "fruit trees"},
		{"a title about URLs", Document{URL: "https://a.example/b", Title: "How to clone git:// URLs"}, "How to clone git:// URLs"},
		{"a title that is the host", Document{URL: "https://a.example", Title: "a.example"}, "a.example"},
		{"the text of a link without the host", Document{URL: "https://orchard.example/x", Links: links("", "Apples - orchard.example")}, "Apples"},
		{"the text of most links", Document{URL: "https://a.example/x", Links: links("", "Vim", "", "an editor", "", "vim", "", "vim")}, "vim"},
		{"letters alone tell texts apart", Document{URL: "https://a.example/x", Links: links("", "a-b", "", "A B", "", "c")}, "A B"},
		{"a common text", Document{URL: "https://a.example/x", Links: links("", "diffify", "", "diffify", "", "The new purrr")}, "The new purrr"},
		{"a common text that is the host", Document{URL: "https://www.sqlite.org/", Links: links("", "SQLite")}, "SQLite"},
		{"a common text that is the path", Document{URL: "https://en.example/wiki/SQLite", Links: links("", "SQLite")}, "SQLite"},
		{"words before a common text", Document{URL: "https://news.example/item?id=35896505", Links: links("Windows 11 in Svelte (", "HN")}, "Windows 11 in Svelte"},
		{"brackets and a description", Document{URL: "https://news.example/item?id=3", Links: links("Wails v2 (2022) - Desktop apps. (Reddit) (", "HN")}, "Wails v2"},
		{"a sentence does not name", Document{URL: "https://a.example/the-guide", Links: links("you can read more", "here")}, "the guide"},
		{"the path", Document{URL: "https://a.example/docs/Large%20objects.html", Links: links("", "docs")}, "Large objects"},
		{"no words of the way", Document{URL: "https://a.example/orchard/item/12/index.html?page=2"}, "orchard"},
		{"the page of a wiki", Document{URL: "https://a.example/wiki?action=edit&title=User%3AApple_pie"}, "User:Apple pie"},
		{"a place of a project", Document{URL: "https://code.example/people/orchard/pull/26569"}, "orchard"},
		{"not the URL again", Document{URL: "https://a.example/orchard/", Links: links("", "https://a.example/orchard", "", "a.example/orchard")}, "orchard"},
		{"the host", Document{URL: "https://www.a.example/item?id=12", Links: links("", "HN")}, "a.example"},
		{"no letters", Document{URL: "https://a.example/12", Links: links("", "2", "(", "*")}, "a.example"},
		{"nothing", Document{}, ""},
	} {
		test.Common = func(name string) bool { return common[name] }
		if got := Choose(test.Document); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}
