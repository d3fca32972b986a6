package main

import (
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// roomOf are types of what takes its buffers from a run if one is given, which only this module can do.
var roomOf = []string{"internal/scratch.Pool", "crawl/internal/payload.Room"}

// TestPublic checks that what public packages export is of types with public names, or that constants can be given for it.
func TestPublic(t *testing.T) {
	list := exec.CommandContext(t.Context(), "go", "list", "-export", "-deps", "-f", "{{.ImportPath}} {{.Export}}", "./...")
	list.Dir = "../.."
	out, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	const module = "github.com/lshclust/lshclust"
	file, shown, named := map[string]string{}, map[string]types.Type{}, slices.Clone(roomOf)
	imports := importer.ForCompiler(token.NewFileSet(), "gc", func(path string) (io.ReadCloser, error) { return os.Open(file[path]) })
	for line := range strings.Lines(string(out)) {
		path, export, _ := strings.Cut(strings.TrimSpace(line), " ")
		file[path] = export // those of its imports are before it
		if room, ours := strings.CutPrefix(path, module); ours && !regexp.MustCompile("internal|cmd|serve").MatchString(room) {
			p, err := imports.Import(path)
			if err != nil {
				t.Fatal(err)
			}
			for _, name := range p.Scope().Names() {
				if token.IsExported(name) {
					named = append(named, addShown(shown, room+"."+name, p.Scope().Lookup(name)))
				}
			}
		}
	}
	for where, is := range shown {
		for _, m := range regexp.MustCompile(module+`/([\w/]*internal/[\w/]+)\.(\w+)`).FindAllStringSubmatch(types.TypeString(is, nil), -1) {
			p, err := imports.Import(module + "/" + m[1])
			if err != nil {
				t.Fatal(err)
			}
			_, basic := p.Scope().Lookup(m[2]).Type().Underlying().(*types.Basic)
			if name := m[1] + "." + m[2]; !basic && !slices.Contains(named, name) {
				t.Errorf("%s shows %s, which has no public name", where, name)
			}
		}
	}
	if len(shown) < 1000 {
		t.Errorf("%d fields, methods, functions and values looked at", len(shown))
	}
}

// addShown adds the types that an exported object shows. It returns the full name of a type.
func addShown(to map[string]types.Type, where string, o types.Object) string {
	is, ok := types.Unalias(o.Type()).(*types.Named)
	if _, isType := o.(*types.TypeName); !ok || !isType {
		to[where] = o.Type()
		return ""
	}
	for m := range is.Methods() {
		if m.Exported() {
			to[where+"."+m.Name()] = m.Type()
		}
	}
	if fields, ok := is.Underlying().(*types.Struct); ok {
		for f := range fields.Fields() {
			if f.Exported() {
				to[where+"."+f.Name()] = f.Type()
			}
		}
	} else {
		to[where] = is.Underlying()
	}
	return strings.TrimPrefix(types.TypeString(is, nil), "github.com/lshclust/lshclust/")
}
