package query

import (
	"context"
	"sync"

	"github.com/lshclust/lshclust/resemble"
)

// templates are the shingles that most pages of a host share, of each host of two runs. They are more than the
// boilerplate of the runs. That keeps a text of which a host has many copies, such as a licence, since frequency alone
// does not tell it from a menu. But whatever it is, what most pages of a host say does not tell where one of them went.
type templates struct {
	once         sync.Once
	older, newer *resemble.Boilerplate
	err          error
}

// leastOwn is the number of shingles that a page must have besides the template of its host. A page with fewer, such as
// one of many copies, is compared with its template.
const leastOwn = 5

// templateMemory bounds the memory to find templates in.
const templateMemory = 64 << 20

// template finds the templates of the hosts of a run. A run that keeps sketches, or no boilerplate at all, has no others
// than its boilerplate.
func (r *Run) template(ctx context.Context) (*resemble.Boilerplate, error) {
	if r.Config.Sketched() || r.Config.Stripped() == nil {
		return r.strip, nil
	}
	equal, err := r.equal.Load()
	if err != nil {
		return nil, err
	}
	const anyShare = 1e-9 // of the text: leastOwn alone decides
	c := resemble.BoilerplateConfig{Own: anyShare, Least: leastOwn}
	out, _, err := resemble.FindBoilerplate(ctx, r.pages, equal, c, resemble.Resources{Memory: templateMemory})
	return out, err
}

// prepare finds the templates of both runs, once.
func (s *Sweeps) prepare(ctx context.Context) error {
	t := s.plain
	t.once.Do(func() {
		if t.older, t.err = s.Older.template(ctx); t.err == nil {
			t.newer, t.err = s.Newer.template(ctx)
		}
	})
	return t.err
}

// oldText returns the text of a page of the older run without the template of its host.
func (s *Sweeps) oldText(id uint32) (ownText, bool) { return s.Older.textWithout(s.plain.older, id) }

// newText is oldText for the newer run.
func (s *Sweeps) newText(id uint32) (ownText, bool) { return s.Newer.textWithout(s.plain.newer, id) }
