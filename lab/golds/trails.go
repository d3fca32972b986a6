package golds

import (
	"bytes"
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"
)

// crumb is one step of a trail.
type crumb struct {
	position  float64
	name, url string
}

// trails returns the breadcrumb trails of a page: first those in JSON-LD, then those in microdata, in document order.
func trails(page []byte) [][]crumb {
	if !bytes.Contains(page, []byte("BreadcrumbList")) {
		return nil
	}
	root, err := html.Parse(bytes.NewReader(page))
	if err != nil {
		return nil
	}
	var linked, micro [][]crumb
	for n := range root.Descendants() {
		switch {
		case n.Type != html.ElementNode:
		case n.Data == "script" && strings.HasPrefix(strings.ToLower(attribute(n, "type")), "application/ld+json"):
			var v any
			if json.Unmarshal([]byte(textOf(n)), &v) == nil {
				linked = append(linked, listsIn(v)...)
			}
		case isType(attribute(n, "itemtype"), "BreadcrumbList"):
			micro = append(micro, microdata(n))
		}
	}
	return slices.DeleteFunc(append(linked, micro...), func(t []crumb) bool { return len(t) == 0 })
}

// listsIn finds the trails anywhere in a JSON-LD value, in the order of the keys.
func listsIn(v any) (out [][]crumb) {
	switch v := v.(type) {
	case []any:
		for _, x := range v {
			out = append(out, listsIn(x)...)
		}
	case map[string]any:
		if hasType(v["@type"], "BreadcrumbList") {
			return [][]crumb{elementsOf(v["itemListElement"])}
		}
		for _, k := range slices.Sorted(maps.Keys(v)) {
			out = append(out, listsIn(v[k])...)
		}
	}
	return out
}

// elementsOf reads the list elements of a trail. The name is that of the element or of its item; the URL is the item or
// its @id.
func elementsOf(v any) (out []crumb) {
	list, ok := v.([]any)
	if !ok {
		list = []any{v}
	}
	for i, x := range list {
		m, ok := x.(map[string]any)
		if !ok {
			continue
		}
		c := crumb{position: number(m["position"], i)}
		c.name, _ = m["name"].(string)
		switch item := m["item"].(type) {
		case string:
			c.url = item
		case map[string]any:
			c.url, _ = item["@id"].(string)
			if u, ok := item["url"].(string); ok && c.url == "" {
				c.url = u
			}
			if name, ok := item["name"].(string); ok && c.name == "" {
				c.name = name
			}
		}
		out = append(out, c)
	}
	return byPosition(out)
}

// number returns a position, which pages write as a number or as text, or i if there is none.
func number(v any, i int) float64 {
	switch v := v.(type) {
	case float64:
		return v
	case string:
		if f, err := strconv.ParseFloat(strings.TrimSpace(v), 64); err == nil {
			return f
		}
	}
	return float64(i)
}

func byPosition(t []crumb) []crumb {
	slices.SortStableFunc(t, func(a, b crumb) int { return cmp.Compare(a.position, b.position) })
	return t
}

// microdata reads the list elements below a BreadcrumbList node.
func microdata(list *html.Node) (out []crumb) {
	for n := range list.Descendants() {
		if n.Type == html.ElementNode && hasWord(attribute(n, "itemprop"), "itemListElement") {
			out = append(out, element(n, len(out)))
		}
	}
	return byPosition(out)
}

func element(n *html.Node, i int) crumb {
	c := crumb{position: float64(i)}
	for x := range n.Descendants() {
		if x.Type != html.ElementNode {
			continue
		}
		prop := attribute(x, "itemprop")
		if hasWord(prop, "item") && c.url == "" {
			c.url = cmp.Or(attribute(x, "href"), attribute(x, "itemid"), attribute(x, "content"))
		}
		if hasWord(prop, "name") && c.name == "" {
			c.name = strings.Join(strings.Fields(cmp.Or(attribute(x, "content"), textOf(x))), " ")
		}
		if hasWord(prop, "position") {
			c.position = number(cmp.Or(attribute(x, "content"), textOf(x)), i)
		}
	}
	return c
}

// isType reports whether a type is the named one of schema.org, with or without the URL of the vocabulary.
func isType(t, name string) bool {
	return slices.ContainsFunc(strings.Fields(t), func(w string) bool { return w == name || strings.HasSuffix(w, "/"+name) })
}

func hasType(v any, name string) bool {
	switch v := v.(type) {
	case string:
		return isType(v, name)
	case []any:
		return slices.ContainsFunc(v, func(x any) bool { return hasType(x, name) })
	}
	return false
}

func hasWord(s, word string) bool { return slices.Contains(strings.Fields(s), word) }

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
	for x := range n.Descendants() {
		if x.Type == html.TextNode {
			b.WriteString(x.Data)
		}
	}
	return b.String()
}
