package static

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/zeebo/xxh3"

	"github.com/lshclust/lshclust/internal/runs"
	"github.com/lshclust/lshclust/internal/serve/api"
	"github.com/lshclust/lshclust/internal/serve/pages"
)

// Options limit the size of a report.
type Options struct {
	Pages    int `default:"100" most:"10000" value:"N" doc:"with --write, write the views of at most N documents"`
	Clusters int `default:"20" most:"10000" value:"N" doc:"with --write, write at most N clusters"`

	Progress func(done, of int) // called when a page is done; may be nil
}

// File is a file of a report.
type File struct {
	Name string
	Body []byte
}

// most maps paths to the maximum number of pages. Kinds that are missing are not exported: the search and other pages
// that answer questions nobody has asked yet.
func (o Options) most() map[string]int {
	return map[string]int{
		"/": 1, "/run": 1, "/topics": 1, "/copies": 1, "/compare": 5 + mostCells, "/cluster": o.Clusters,
		"/page": o.Pages, "/explain": o.Pages, "/diff": o.Pages,
	}
}

// mostCells is the number of cells of the comparison whose pairs are listed.
const mostCells = 30

// widest is the number of pages of a kind that one page may add, so that the sample contains some of everything.
const widest = 12

// target is a requested page.
type target struct{ path, query string }

// export is the state of an export.
type export struct {
	run   *api.Run
	kinds map[string]*pages.Page // by path
	left  map[string]int         // how many more pages there may be, by path
	files map[target]string
	queue []target
	added map[string]int // pages added by the page that is being shown, by path; nil when no more pages are added
}

// Export returns the files of a report about a run.
func Export(ctx context.Context, run *api.Run, o Options) ([]File, error) {
	x := &export{run: run, kinds: map[string]*pages.Page{}, left: o.most(), files: map[target]string{}, added: map[string]int{}}
	for _, p := range pages.All() {
		x.kinds[strings.TrimSuffix(p.Path, "{$}")] = p
	}
	for _, path := range []string{"/", "/run", "/compare"} {
		x.take(target{path: path})
	}
	for i := 0; i < len(x.queue); i++ {
		if x.queue[i].path == "/diff" { // it reads texts, and adds hardly any page
			continue
		}
		clear(x.added)
		if _, err := x.page(ctx, x.queue[i]); err != nil {
			return nil, err
		}
	}
	x.added = nil
	if err := x.readTexts(ctx); err != nil {
		return nil, err
	}
	var files []File
	for i, t := range x.queue {
		body, err := x.page(ctx, t)
		if err != nil {
			return nil, err
		}
		files = append(files, File{x.files[t], body})
		if o.Progress != nil {
			o.Progress(i+1, len(x.queue))
		}
	}
	for _, a := range pages.Assets() {
		files = append(files, File{nameOf(target{path: a.Path}), a.Body})
	}
	slices.SortFunc(files, func(a, b File) int { return strings.Compare(a.Name, b.Name) })
	return files, nil
}

// readTexts reads the texts of all pages that show texts at once. A page without its text says why when it is shown.
func (x *export) readTexts(ctx context.Context) error {
	var ids []uint32
	for _, t := range x.queue {
		if t.path != "/diff" {
			continue
		}
		args, err := url.ParseQuery(t.query)
		if err != nil {
			return err
		}
		for _, name := range []string{"a", "b"} {
			if id, err := x.run.LookupPage(args.Get(name)); err == nil && x.run.Document(id).Crawled {
				ids = append(ids, id)
			}
		}
	}
	if err := runs.Prefetch(ctx, x.run.Run, ids...); err != nil && ctx.Err() != nil {
		return ctx.Err()
	}
	return nil
}

// place is the Place of the pages of a report.
func (x *export) place(path string, args url.Values) string {
	if strings.HasPrefix(path, "/assets/") {
		return nameOf(target{path: path})
	}
	if args.Has("cursor") || args.Has("row") || args.Has("format") || args.Has("only") { // the rest of a long list is left out
		return ""
	}
	t := target{path, args.Encode()}
	if name, ok := x.files[t]; ok {
		return name
	}
	if x.added == nil || x.added[path] >= widest {
		return ""
	}
	return x.take(t)
}

// take adds a page unless its quota is used up, and returns the name of its file.
func (x *export) take(t target) string {
	p := x.kinds[t.path]
	if x.left[t.path] <= 0 || p == nil {
		return ""
	}
	if _, err := p.Parse(t.query); err != nil { // such as a page that lacks its URL
		return ""
	}
	x.left[t.path]--
	x.added[t.path]++
	x.files[t] = nameOf(t)
	x.queue = append(x.queue, t)
	return x.files[t]
}

// nameOf returns the file name of a page or an asset. The name of a page with parameters contains a hash of them.
func nameOf(t target) string {
	switch name := strings.TrimPrefix(t.path, "/"); {
	case name == "":
		return "index.html"
	case strings.HasPrefix(name, "assets/"):
		return strings.TrimPrefix(name, "assets/")
	case t.query == "":
		return name + ".html"
	default:
		return fmt.Sprintf("%s-%016x.html", name, xxh3.HashString(t.query))
	}
}

// page shows and renders a page, or the reason why it cannot be shown.
func (x *export) page(ctx context.Context, t target) ([]byte, error) {
	site := pages.Site{Runs: []string{x.run.Name}, Place: x.place}
	p := x.kinds[t.path]
	args, err := p.Parse(t.query)
	if err != nil {
		return nil, err
	}
	q := &pages.Question{Links: site.Links(""), Of: p, Run: x.run, Args: args}
	v, err := p.Show(ctx, q)
	problem, expected := api.ProblemOf(err)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil && !expected:
		return nil, err
	case err != nil:
		return offline(site.Trouble(problem, "", ""))
	}
	return offline(site.Render(p, q, v))
}

// policy is the policy of a page without HTTP headers. Browsers treat the folder of a file as another site than the
// file, so the policy also names the scheme.
const policy = "default-src 'none'; style-src 'self' file:; style-src-attr 'unsafe-inline'; script-src 'self' file:; img-src data:; base-uri 'none'; form-action 'none'"

// offline adds the policy to a page.
func offline(page []byte, err error) ([]byte, error) {
	const charset = `<meta charset="utf-8">`
	return bytes.Replace(page, []byte(charset), []byte(charset+"\n"+`<meta http-equiv="Content-Security-Policy" content="`+policy+`">`), 1), err
}

// ErrNotEmpty is wrapped by the error for a folder that holds something.
var ErrNotEmpty = errors.New("it is not empty")

// Write writes a report about a run to a folder, which must be empty or not exist, and returns the number of files.
func Write(ctx context.Context, dir string, run *api.Run, o Options) (int, error) {
	switch there, err := os.ReadDir(dir); {
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return 0, err
	case len(there) > 0:
		return 0, fmt.Errorf("%s: %w", dir, ErrNotEmpty)
	}
	files, err := Export(ctx, run, o)
	if err != nil {
		return 0, err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return 0, err
	}
	for _, f := range files {
		if err := os.WriteFile(filepath.Join(dir, f.Name), f.Body, 0o666); err != nil {
			return 0, err
		}
	}
	return len(files), nil
}
