package api

import (
	"fmt"
	"strings"
)

// Table returns the questions as a table in Markdown, from the same source as the OpenAPI document.
func Table() string {
	var b strings.Builder
	b.WriteString("| question | answer | parameters |\n| --- | --- | --- |\n")
	for _, o := range Operations() {
		var params []string
		for _, p := range o.Params {
			params = append(params, p.brief())
		}
		fmt.Fprintf(&b, "| `%s %s` | %s | %s |\n", o.Method, o.Path, o.Summary, strings.Join(params, ", "))
	}
	for _, p := range ServicePaths {
		fmt.Fprintf(&b, "| `GET %s` | %s | |\n", p.Path, p.Summary)
	}
	return b.String()
}

// brief returns the name of a parameter with its choices or its default; a required one is bold.
func (p *Param) brief() string {
	switch name := "`" + p.Name + "`"; {
	case p.Required:
		return "**" + name + "**"
	case p.Enum != nil:
		return name + " (" + strings.Join(p.Enum, ", ") + ")"
	case p.Default != "":
		return name + " (" + p.Default + ")"
	default:
		return name
	}
}
