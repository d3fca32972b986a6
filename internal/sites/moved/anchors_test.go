package moved

import (
	"slices"
	"testing"
)

// The text of a section is long enough to recognise it.
const (
	install   = "Download the archive for your system and put the only file in it into a folder of the search path."
	configure = "A file in the root of the project holds all settings, and flags of the command line override what it says."
	deploy    = "Copy the public folder to any server that can deliver files, nothing has to run there afterwards."
)

// TestSections reads headings with ids of their own, of a wrapper, of an anchor, and without any.
func TestSections(t *testing.T) {
	got := Sections([]byte(`<title>Not text</title><p id=top>Before.</p>
<section id="install"><span id="setup"></span><h2>Install <a href="#install">¶</a></h2><p id="inner">` + install + `</p></section>
<h2 id=conf><a name=old-conf>Configure</a></h2><script>hidden words</script><h3>Side bar</h3><h4></h4>`))
	type plain struct {
		ids     []string
		made    bool
		heading string
	}
	want := []plain{
		{[]string{"top"}, false, ""}, {[]string{"install", "setup", "inner"}, false, "install"}, {[]string{"conf", "old-conf"}, false, "configure"},
		{nil, false, "side bar"}, {nil, false, ""},
	}
	made := Sections([]byte(`<h3>What's New?</h3><h3>What's <em>New</em>?</h3><p id=p>Text.</p><h3>?</h3>`))
	if len(made) != 4 || !slices.Equal(made[1].IDs, []string{"whats-new"}) || !slices.Equal(made[2].IDs, []string{"whats-new-1", "whats-new_1", "p"}) || len(made[3].IDs) > 0 {
		t.Errorf("ids made of headings: %+v", made)
	}
	if len(got) != len(want) {
		t.Fatalf("%+v", got)
	}
	for i, s := range got {
		if p := (plain{s.IDs, s.Made, s.Heading}); !slices.Equal(p.ids, want[i].ids) || p.made != want[i].made || p.heading != want[i].heading {
			t.Errorf("section %d: %+v, want %+v", i, p, want[i])
		}
	}
	if len(got[2].text) != 0 || len(got[1].text) != 17 {
		t.Errorf("%d and %d shingles", len(got[2].text), len(got[1].text))
	}
}

// TestSectionsEnd: ids after the last text and a heading that is never closed are not lost, and nothing inside an
// element that is not shown counts.
func TestSectionsEnd(t *testing.T) {
	got := Sections([]byte(`<h2 id=a>First</h2><p>Text.</p><template><script>x</script><h2 id=t>Not shown</h2>neither</template><img id=picture>`))
	if len(got) != 2 || !slices.Equal(got[1].IDs, []string{"a", "picture"}) || len(got[1].text) != 1 {
		t.Errorf("%+v", got)
	}
	got = Sections([]byte(`<p>Text.</p><h2 id=b>Second`))
	if len(got) != 2 || got[1].Heading != "second" || !slices.Equal(got[1].IDs, []string{"b"}) {
		t.Errorf("%+v", got)
	}
}

// TestMapAnchor maps anchors of a page that was split into two.
func TestMapAnchor(t *testing.T) {
	old := Sections([]byte(`<h1 id=guide>Guide</h1><h2 id=install>Install</h2><p id=archive>` + install + `</p><h2 id=settings>Settings</h2><p>` + configure +
		`</p><h2 id=deploy>Deploy it</h2><p>` + deploy + `</p><h2 id=lost>Lost</h2><p>Nobody has written about this since, so that there is no place for it any more.</p><h2 id=faq>Faq</h2>`))
	places := [][]Section{
		Sections([]byte(`<h1 id=setup>Set up</h1><h2 id=installation>Installation</h2><p>` + install + ` Then try it.</p><h2 id=faq>Questions</h2>`)),
		Sections([]byte(`<h1 id=use>Use</h1><h2 id=s2>Settings</h2><p>Read the manual.</p><h2 id=putting>Going live</h2><p>` + deploy + `</p>`)),
	}
	for id, want := range map[string]Target{
		"install": {0, "installation", SameText, 0}, "archive": {0, "installation", SameText, 0}, "settings": {1, "s2", SameHeading, 0},
		"deploy": {1, "putting", SameText, 0}, "lost": {0, "", OnlyPage, 0}, "faq": {0, "faq", SameID, 0}, "never-there": {0, "", OnlyPage, 0},
		"use": {1, "use", SameID, 0},
	} {
		got := MapAnchor(id, old, places)
		if got.Score < 0 || got.Score > 1 {
			t.Errorf("%s: score %v", id, got.Score)
		}
		if got.Score = 0; got != want {
			t.Errorf("%s: %+v, want %+v", id, got, want)
		}
	}
}

// TestHas finds the parts of a page as browsers do.
func TestHas(t *testing.T) {
	page := Anchors([]byte(`<h2 id="tangent%3A-x">T</h2><p id="Кира">K`))
	for id, want := range map[string]bool{"tangent%3A-x": true, "tangent:-x": true, "Кира": true, "кира": false, "top": true, "TOP": true, "none": false} {
		if Has(page, id) != want {
			t.Errorf("%s: %t", id, !want)
		}
	}
}

// TestRepeatedHeadings maps the n-th of several headings with the same words to the n-th, unless the text shows
// otherwise.
func TestRepeatedHeadings(t *testing.T) {
	old := Sections([]byte(`<h2 id=add>Add</h2><h3 id=syntax>Syntax</h3><p>add a b</p><h2 id=get>Get</h2><h3 id=syntax_1>Syntax</h3><p>get a b</p>
<h2 id=put>Put</h2><h3 id=syntax_2>Syntax</h3><p>` + deploy + `</p>`))
	same := Sections([]byte(`<h2>Add</h2><h3>Syntax</h3><p>add a b</p><h2>Get</h2><h3>Syntax</h3><p>get a b</p><h2>Put</h2><h3>Syntax</h3><p>` + deploy + `</p>`))
	turned := Sections([]byte(`<h2>Put</h2><h3>Syntax</h3><p>` + deploy + `</p><h2>Add</h2><h3>Syntax</h3><p>add a b</p><h2>Get</h2><h3>Syntax</h3><p>get a b</p>`))
	fewer := Sections([]byte(`<h2>Add</h2><h3>Syntax</h3><p>add a b</p>`))
	renamed := Sections([]byte(`<h3 id=a>Syntax</h3><p>add a b</p><h3 id=b>Syntax</h3><p>get a b</p><h3 id=c>Syntax</h3><p>` + deploy + `</p>`))
	for _, x := range []struct {
		id   string
		page []Section
		want string
		how  How
	}{
		{"syntax", same, "syntax", SameID}, {"syntax_1", same, "syntax-1", SameHeading}, {"syntax-1", same, "syntax-1", SameID},
		{"syntax", renamed, "a", SameHeading}, {"syntax_1", renamed, "b", SameHeading}, {"syntax_2", renamed, "c", SameHeading},
		{"syntax_2", fewer, "syntax", SameHeading}, {"syntax_2", turned, "syntax", SameHeading},
	} {
		if got := MapAnchor(x.id, old, [][]Section{x.page}); got.ID != x.want || got.How != x.how {
			t.Errorf("%s: %+v, want %s by %s", x.id, got, x.want, x.how)
		}
	}
	shuffled := Sections([]byte(`<h3 id=c>Syntax</h3><p>` + deploy + `</p><h3 id=a>Syntax</h3><p>` + install + `</p><h3 id=b>Syntax</h3><p>` + configure + `</p>`))
	if got := MapAnchor("syntax_2", old, [][]Section{shuffled}); got.ID != "c" {
		t.Errorf("the text is below another heading of the same words: %+v", got)
	}
	made := Sections([]byte(`<h2>Step</h2><h2>Step</h2><h2>Step 1</h2><h2>Step</h2>`))
	var ids []string
	for _, s := range made {
		ids = append(ids, s.IDs...)
	}
	if want := []string{"step", "step-1", "step_1", "step-1-1", "step-1_1", "step-2", "step_2"}; !slices.Equal(ids, want) {
		t.Errorf("ids %q, want %q", ids, want)
	}
}
