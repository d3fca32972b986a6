package chart

import (
	"fmt"
	"html/template"
	"regexp"
)

// Sheet returns the style sheet of all figures, for pages that hold figures without their own.
func Sheet() string {
	all := map[string]bool{}
	for _, r := range rules {
		all[r.class] = true
	}
	return sheet(all)
}

// inline matches the style sheet of a figure. Text in a figure is escaped, so it matches nothing else.
var inline = regexp.MustCompile(`<style>[^<]*</style>\n`)

// Unstyled returns the same as HTML, without style sheets in it: for pages whose policy forbids inline styles. They
// must have the rules of Sheet.
func Unstyled(f Figure) (template.HTML, error) {
	styled, err := HTML(f)
	if err != nil {
		return "", fmt.Errorf("figure: %w", err)
	}
	return template.HTML(inline.ReplaceAllString(string(styled), "")), nil
}
