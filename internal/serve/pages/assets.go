package pages

import (
	"embed"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/zeebo/xxh3"
)

//go:embed assets templates
var embedded embed.FS

// Asset is a style sheet or a script.
type Asset struct {
	Path string // path on a server; it changes with the content, so that browsers may cache the asset forever
	Type string // media type
	Body []byte
}

// style and keys are the assets of every page.
const (
	style = "style.css"
	keys  = "keys.js"
)

// assets maps the names of files in the folder assets to assets. All style sheets form one asset, which begins with
// style.css.
var assets = func() map[string]Asset {
	sheets := read("assets/" + style)
	all := map[string]Asset{}
	for _, f := range folder("assets") {
		switch path.Ext(f) {
		case ".js":
			all[f] = newAsset(f, "text/javascript; charset=utf-8", read("assets/"+f))
		case ".css":
			if f != style {
				sheets = append(sheets, read("assets/"+f)...)
			}
		}
	}
	all[style] = newAsset(style, "text/css; charset=utf-8", sheets)
	return all
}()

func newAsset(name, kind string, body []byte) Asset {
	ext := path.Ext(name)
	return Asset{fmt.Sprintf("/assets/%s.%08x%s", strings.TrimSuffix(name, ext), uint32(xxh3.Hash(body)), ext), kind, body}
}

// folder returns the sorted names of the embedded files in a folder.
func folder(name string) (names []string) {
	files, err := embedded.ReadDir(name)
	if err != nil {
		panic(err) // cannot happen: files are embedded
	}
	for _, f := range files {
		names = append(names, f.Name())
	}
	return names
}

// read returns an embedded file.
func read(name string) []byte {
	body, err := embedded.ReadFile(name)
	if err != nil {
		panic(err) // cannot happen: files are embedded
	}
	return body
}

// Assets returns all assets.
func Assets() []Asset { return slices.Collect(maps.Values(assets)) }

// Version is a hash of everything that determines pages apart from the run.
var Version = func() string {
	h := xxh3.New()
	for _, dir := range []string{"assets", "templates"} {
		for _, f := range folder(dir) {
			h.Write(read(dir + "/" + f)) //nolint:errcheck // it never fails
		}
	}
	return fmt.Sprintf("%016x", h.Sum64())
}()
