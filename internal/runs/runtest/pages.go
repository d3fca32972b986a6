package runtest

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
)

// MadeWords returns n words of five letters that depend on the seed only.
func MadeWords(seed uint64, n int) string {
	random := rand.New(rand.NewPCG(seed, 17))
	words := make([]string, n)
	for i := range words {
		words[i] = fmt.Sprintf("%c%c%c%c%c", 'a'+random.IntN(26), 'a'+random.IntN(26), 'a'+random.IntN(26), 'a'+random.IntN(26), 'a'+random.IntN(26))
	}
	return strings.Join(words, " ")
}

// SitePage returns a line of JSON Lines: a page with a title, paragraphs and links.
func SitePage(url, title, time string, paragraphs []string, links ...string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "<title>%s</title><h1>%s</h1>", title, title)
	for _, p := range paragraphs {
		fmt.Fprintf(&b, "<p>%s</p>", p)
	}
	for _, l := range links {
		fmt.Fprintf(&b, `<p>See <a href="%s">%s</a>.</p>`, l, l[strings.LastIndexByte(l, '/')+1:])
	}
	raw, _ := json.Marshal(map[string]string{"url": url, "html": b.String(), "timestamp": time})
	return string(raw)
}
