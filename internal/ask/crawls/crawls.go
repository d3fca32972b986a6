package crawls

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/lshclust/lshclust/crawl/urls"
	"github.com/lshclust/lshclust/internal/runs"
)

// Crawls holds runs over crawls of the same sites in order of time; the last one is the present ([S1] section 4,
// "updating and rerunning", and section 5, "lost and found"). Several goroutines may use it at once.
type Crawls struct {
	runs []*runs.Run

	mu  sync.Mutex
	two map[[2]int]*TwoCrawls // comparisons of a run with the next or the last one, made on first use
}

// ErrNoRuns is the error of NewCrawls without runs.
var ErrNoRuns = errors.New("give a run")

// NewCrawls prepares questions about runs, or files of sketches in their place, in order of time. If one of them is a
// file of sketches, the others are compared by sketches, too. The error is a *SettingsError if the settings of two of
// them do not allow a comparison. The runs must stay open until the last question is answered.
func NewCrawls(ctx context.Context, list ...*runs.Run) (*Crawls, error) {
	if len(list) == 0 {
		return nil, ErrNoRuns
	}
	if slices.ContainsFunc(list, func(r *runs.Run) bool { return r.SketchFile != "" }) {
		var err error
		if list, err = runs.Alike(ctx, list); err != nil {
			return nil, err
		}
	}
	for _, r := range list[1:] {
		if err := runs.SameSettings(list[0], r); err != nil {
			return nil, err
		}
	}
	return &Crawls{runs: list, two: map[[2]int]*TwoCrawls{}}, nil
}

// ErrOrder is wrapped by the error for runs in the wrong order.
var ErrOrder = errors.New("the first run is of the newer crawl")

// CheckOrder returns an error that wraps ErrOrder if a tenth of the captures of a run are later than the last
// captures of the next run that has dates. A few wrong times therefore do no harm. Pages without a time and times in
// the future are ignored.
func (c *Crawls) CheckOrder() error {
	now, before, at := time.Now().UnixMilli(), int64(0), 0 // nine in ten captures of run at were made before this time
	for i, r := range c.runs {
		times := times(r)
		n, _ := slices.BinarySearch(times, now+1)
		if n > 0 {
			last := times[n-1-n/100] // one capture in a hundred of a large crawl may be wrong
			if before != 0 && last < before && before <= now {
				return fmt.Errorf("%w: a tenth of the pages of run %d are of %s or later, the last ones of run %d are of %s", ErrOrder, at+1,
					dateOf(before), i+1, dateOf(last))
			}
		}
		if len(times) > 0 {
			before, at = times[(len(times)-1)*9/10], i
		}
	}
	return nil
}

// mostTimes is the maximum number of captures whose times are read.
const mostTimes = 100_000

// times returns the times of captures of a run in milliseconds since 1970, sorted. For a large run it returns a
// sample, which is random because documents are sorted by the hashes of their URLs.
func times(r *runs.Run) (out []int64) {
	for id := range uint32(r.Docs.Len()) {
		if t := r.Docs.At(id).Time; t != 0 && len(out) < mostTimes {
			out = append(out, t)
		}
	}
	slices.Sort(out)
	return out
}

func dateOf(millis int64) string { return time.UnixMilli(millis).UTC().Format(time.DateTime) }

// Runs returns the runs in order of time.
func (c *Crawls) Runs() []*runs.Run { return c.runs }

// Last returns the run of the newest crawl.
func (c *Crawls) Last() *runs.Run { return c.runs[len(c.runs)-1] }

// Newest returns the comparison of the last two runs, which [Find] uses, too. There must be two runs.
func Newest(c *Crawls) (*TwoCrawls, error) { return c.between(len(c.runs)-2, len(c.runs)-1) }

// between returns the comparison of a run with a later one, which is the next or the last.
func (c *Crawls) between(from, to int) (*TwoCrawls, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.two[[2]int{from, to}]
	if s == nil {
		var err error
		if s, err = NewTwoCrawls(c.runs[from], c.runs[to]); err != nil {
			return nil, err
		}
		c.two[[2]int{from, to}] = s
	}
	return s, nil
}

// newest returns the index of the newest run that has a page at a canonical URL, or -1.
func (c *Crawls) newest(url string) int {
	for i := len(c.runs) - 1; i >= 0; i-- {
		if _, ok := c.runs[i].At(url); ok {
			return i
		}
	}
	return -1
}

func (c *Crawls) err() error {
	var all []error
	for _, r := range c.runs {
		all = append(all, r.Err())
	}
	return errors.Join(all...)
}

// pathOf splits a canonical URL into the folder, with the host, and the last segment of its path.
func pathOf(url string) (folder, segment string) {
	host, path := urls.Cut(strings.TrimSuffix(url, "/"))
	if at := strings.LastIndexByte(path, '/'); at >= 0 {
		return host + "/" + path[:at], path[at+1:]
	}
	return host, path
}
