package runs

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/run"
	"github.com/lshclust/lshclust/internal/tables"
	"github.com/lshclust/lshclust/resemble"
	"github.com/lshclust/lshclust/shingles"
)

// A file of sketches contains what the text comparisons of [texts.Who], [crawls.TwoCrawls] and [texts.Across] need: the URL, the
// time and the sketch of each page, and which pages are equal. It contains no text, titles or links. The file of a
// run with whole sets of shingles is the same, byte for byte, as that of a run with --set sketch=KIND and otherwise
// the same settings.

// SketchSettings selects the sketches of a file. Zero fields stand for the settings of a run that keeps sketches, and
// for the kind var and the modulus of other runs.
type SketchSettings struct {
	Kind    config.Sketch
	Modulus uint64 // for the kinds mod and minmod
}

// OpenSketches opens a file of sketches in place of a run. It reads only the ends of the file, so that it takes the
// same time however many pages there are. Questions about links, stored pairs and clusters need a run.
func OpenSketches(path string) (*Run, error) {
	r := newRun(opened{
		Captures: new(tables.Captures), Redirects: new(tables.Redirects), Evidence: new(tables.Evidence),
		Sources: new(tables.Sources), Terms: new(tables.Terms),
	})
	r.SketchFile = path
	f := tables.Open(&r.set, path, tables.OpenSketchFile)
	r.set.Do(func() error {
		if err := r.takeSketches(f); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		return f.Err()
	})
	if err := r.set.Ready(); err != nil {
		return nil, err
	}
	return r, nil
}

// takeSketches takes the tables of a file of sketches, and its configuration, which must be that of a run with such sketches.
func (r *Run) takeSketches(f *tables.SketchFile) (err error) {
	r.Manifest = &run.Manifest{Config: slices.Clone(f.Config)}
	r.Docs, r.Pages, r.Equal = f.Documents, f.Pages, f.Equal
	if err := r.configure(); err != nil {
		return err
	}
	if err := r.Config.Validate(); err != nil {
		return err
	}
	onlyTexts := slices.Equal(r.Config.Views, []string{config.Syntactic})
	if !r.Config.Sketched() || r.Config.Sketcher() != r.Pages.Sketcher() || !onlyTexts {
		return fmt.Errorf("its configuration is not one of sketches %s", r.Pages.Sketcher())
	}
	r.Boilerplate, err = r.Equal.Boilerplate(r.Config.Boilerplate())
	return err
}

// WriteSketches writes a file of sketches and returns the number of its pages.
func WriteSketches(ctx context.Context, r *Run, path string, o SketchSettings) (pages int, err error) {
	c, err := sketchConfig(r, o)
	if err != nil {
		return 0, err
	}
	raw, err := json.Marshal(c)
	if err != nil {
		return 0, err
	}
	from := sketchesOf(r.Pages, c)
	w := tables.CreateSketchFile(path, c.Sketcher(), raw)
	defer w.Abort()
	for page := range uint32(from.Len()) {
		if page%1024 == 0 && ctx.Err() != nil {
			return 0, ctx.Err()
		}
		d := r.Docs.At(from.Document(page))
		w.Add(tables.SketchPage{URL: d.URL, Time: d.Time, Label: d.Label, ShinglePage: tables.ShinglePage{
			Host: from.Host(page), Notice: from.Notice(page), Bytes: from.Bytes(page), Lexical: from.Lexical(page), Shingles: from.Count(page),
			Values: from.Values(page), Distinct: uint32(min(int64(from.Size(page)), math.MaxUint32)), Digest: from.Digest(page),
		}})
	}
	equal, strip, _, err := resemble.FindEqualAndBoilerplate(ctx, from, c.Stripped(), resemble.Resources{})
	if err != nil {
		return 0, err
	}
	if err := r.Err(); err != nil { // a damaged run yields no file
		return 0, err
	}
	return from.Len(), w.Close(equal, strip)
}

// sketchConfig returns the configuration of a file of sketches of the run.
func sketchConfig(r *Run, o SketchSettings) (c config.Config, err error) {
	if err := r.Need(config.Syntactic); err != nil {
		return c, err
	}
	if err := json.Unmarshal(r.Manifest.Config, &c); err != nil {
		return c, err
	}
	had := c
	c.Sketch = cmp.Or(o.Kind, c.Sketch, config.SketchVar)
	c.Modulus = cmp.Or(o.Modulus, c.Modulus)
	if had.Sketched() && c.Sketcher() != had.Sketcher() {
		return c, fmt.Errorf("%w: its sketches %s cannot be made into %s; build a run without --set sketch", ErrSketches, had.Sketcher(), c.Sketcher())
	}
	if c.Modulus <= config.MaxModulus && c.Sketcher().M == 0 {
		c.Modulus = shingles.DefaultM // not in use
	}
	dropUnused(&c)
	return c, c.Validate()
}

// dropUnused sets the settings on which sketches do not depend, so that equal sketches have equal files: those of other views,
// those that say how the crawl was read, and those that this kind of sketches does not allow.
func dropUnused(c *config.Config) {
	c.Views, c.IndexOneIn = []string{config.Syntactic}, 0
	c.Base, c.Map, c.From, c.To, c.Status, c.Mime = "", nil, "", "", nil, nil
	if kind := c.Sketcher().Kind; !kind.Containment() {
		c.LinkContain = 0
		if !kind.Drops() {
			c.Strip = config.StripNone
		}
	}
}

// sketchTable presents a table of whole sets of shingles as a table of sketches, which it makes on demand.
type sketchTable struct {
	PageTable
	config config.Config
}

// sketchesOf returns the sketches of pages as a configuration defines them.
func sketchesOf(pages PageTable, c config.Config) PageTable {
	if pages.Sketched() || !c.Sketched() {
		return pages
	}
	return sketchTable{pages, c}
}

// Sketched returns true.
func (t sketchTable) Sketched() bool { return true }

// Sketcher returns how the sketches are made.
func (t sketchTable) Sketcher() shingles.Sketcher { return t.config.Sketcher() }

// Values returns the sketch of a page.
func (t sketchTable) Values(page uint32) []uint64 {
	s := t.Sketcher().New()
	s.AddAll(t.PageTable.Values(page))
	return s.Values()
}

// AppendValues appends the sketch of a page.
func (t sketchTable) AppendValues(dst []uint64, page uint32) []uint64 {
	return append(dst, t.Values(page)...)
}

// Stored returns the number of values in the sketch of a page.
func (t sketchTable) Stored(page uint32) int { return len(t.Values(page)) }

// Size returns the number of distinct shingles of a page.
func (t sketchTable) Size(page uint32) int { return t.PageTable.Stored(page) }

// Alike makes runs, or files of sketches in their place, comparable by their texts. If some keep whole sets of
// shingles and others sketches, it makes sketches of the former. The error is a *SettingsError if other settings
// differ. The results have no topical view, and are valid until the runs are closed.
func Alike(ctx context.Context, runs []*Run) ([]*Run, error) {
	var sketched *Run
	for _, r := range runs {
		if err := r.Need(config.Syntactic); err != nil {
			return nil, err
		}
		if sketched == nil && r.Sketched() {
			sketched = r
		}
	}
	out := slices.Clone(runs)
	for i, r := range runs {
		if sketched != nil && !r.Sketched() {
			var err error
			if out[i], err = like(ctx, r, sketched); err != nil {
				return nil, err
			}
		}
		if err := sameTexts(out[0], out[i]); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// like returns the run with sketches of the kind that another one keeps.
func like(ctx context.Context, r *Run, other *Run) (*Run, error) {
	c, err := sketchConfig(r, SketchSettings{Kind: other.Config.Sketch, Modulus: other.Config.Modulus})
	if err != nil {
		return nil, err
	}
	out := newRun(opened{
		Manifest: r.Manifest, Rules: r.Rules, Docs: r.Docs, Captures: r.Captures, Redirects: r.Redirects, Evidence: r.Evidence,
		Sources: r.Sources, Terms: r.Terms, Index: r.Index, Pages: sketchesOf(r.Pages, c), Equal: r.Equal,
	})
	out.Config = c
	_, out.Boilerplate, _, err = resemble.FindEqualAndBoilerplate(ctx, out.Pages, c.Stripped(), resemble.Resources{})
	return out, err
}
