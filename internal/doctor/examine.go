package doctor

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/crawl/record"
	"github.com/lshclust/lshclust/crawl/text"
	"github.com/lshclust/lshclust/crawl/urls"
	"github.com/lshclust/lshclust/internal/capture"
	"github.com/lshclust/lshclust/internal/scratch"
	"github.com/zeebo/xxh3"
)

// memoryShares is the number of shares of the memory. A buffer larger than one share becomes a file.
const memoryShares = 64

// ownShare divides the memory: one part is for reading, the rest for what this package counts.
const ownShare = 2

// MemoryFor returns the Options.Memory with which Examine can read an input for which it returned e.
func MemoryFor(e *crawl.MemoryError) int64 {
	const mib = 1 << 20
	return (ownShare*e.Needed + mib - 1) / mib * mib
}

// Examine reads one input: a file, a folder or standard input ("-"). Problems of the input are in the report. The
// error is that of the context, or one that is not about the input, such as a *crawl.MemoryError.
func Examine(ctx context.Context, path string, o crawl.Options) (*Report, error) {
	o.Workers = 1
	o.Memory /= ownShare
	e := &examination{report: Report{File: path, Compression: crawl.Packing{Name: "none"}}, urls: map[uint64]capture.Tells{}}
	if e.rules = o.Rules; e.rules == nil {
		e.rules = urls.DefaultRules()
	}
	if o.Memory > 0 {
		e.parser.Use(scratch.New(o.TempDir, o.Memory/memoryShares).Pool())
	}
	src, err := crawl.Open(path, o)
	if err == nil {
		defer src.Close()
		e.report.Format, e.report.Bytes = src.Format(), max(src.Size(), 0)
		err = e.read(ctx, src)
	}
	if little := (*crawl.MemoryError)(nil); errors.As(err, &little) || err != nil && !e.ledger.Add(err) {
		return nil, err
	}
	return e.conclude(), nil
}

// examination is a report under construction.
type examination struct {
	report      Report
	first, last time.Time // earliest and latest time of the captures
	ledger      crawl.Ledger
	rules       *urls.Rules
	urls        map[uint64]capture.Tells // by the hash of the canonical URL: what tells its first page
	parser      text.Parser
}

func (e *examination) read(ctx context.Context, src crawl.Source) error {
	for rec, err := range src.Records(ctx) {
		var skip *crawl.Skip
		if little := (*crawl.MemoryError)(nil); errors.As(err, &little) {
			return little
		}
		switch {
		case err == nil:
			err = e.record(rec)
			rec.Release()
		case errors.As(err, &skip):
			e.skipped(skip)
			err = nil
		}
		if err != nil {
			return err
		}
	}
	e.report.Version, e.report.Compression = crawl.VersionOf(src), crawl.PackingOf(src)
	return ctx.Err()
}

// skipped counts what a source left out. If a record is not a page because of its type, the reason is the type.
func (e *examination) skipped(s *crawl.Skip) {
	e.ledger.Add(s)
	for _, kind := range []string{"warc-", "arc-"} {
		if name, ok := strings.CutPrefix(string(s.Reason), kind); ok && s.Reason != record.ReasonTruncated {
			e.report.Records++
			count(&e.report.Types, name)
			return
		}
	}
	if s.Reason == record.ReasonNotResponse {
		e.report.Records++
		count(&e.report.Types, "other")
	}
}

func (e *examination) record(rec *crawl.Record) error {
	r := &e.report
	r.Records++
	about := rec.About()
	if about.Type != "" {
		count(&r.Types, about.Type)
	}
	switch about.Type {
	case "response", "resource", "conversion":
		count(&r.Mime, about.MediaType)
	}
	if about.Type == "response" {
		count(&r.Status, strings.TrimPrefix(strconv.Itoa(about.Status), "0"))
		if about.Encoding != "" {
			count(&r.Encodings, about.Encoding)
		}
	}
	page, err := rec.Page()
	if err != nil {
		if !e.ledger.Add(err) {
			return err
		}
		return nil
	}
	e.ledger.AddPage(&page)
	e.page(&page)
	return nil
}

func (e *examination) page(p *crawl.Page) {
	r := &e.report
	e.when(p.Time)
	r.Links += int64(len(p.Links))
	if p.OnlyLinks() {
		e.distinct(p, capture.Tells{})
		r.Sources++
		return
	}
	r.Pages++
	r.Content += int64(len(p.HTML) + len(p.Text))
	if p.Charset != "" {
		count(&r.Charsets, p.Charset)
	}
	if p.HTML == nil {
		e.distinct(p, capture.Tells{Text: capture.TextOf(capture.Digest(p)), Trace: e.rules.Trace(p.URL, p.Canonical)})
		return
	}
	doc := e.parser.HTML(p.HTML)
	e.distinct(p, capture.Tells{Text: capture.TextOf(xxh3.Hash(doc.Text)), Trace: e.rules.Trace(p.URL, p.Canonical)})
	r.Links += int64(len(doc.Links))
	e.parser.Release()
}

// distinct counts a URL, and a page with another text than the first page of the URL.
func (e *examination) distinct(p *crawl.Page, tells capture.Tells) {
	h := xxh3.HashString(p.Canonical)
	first, known := e.urls[h]
	switch {
	case known && first.Text == 0 && tells.Text != 0, !known && len(e.urls) < maxDistinct:
		e.urls[h] = tells
	case !known:
		e.report.More = true
	case p.Rendered != crawl.NotRendered: // of the first one
	default:
		if rule := first.JoinedBy(tells); rule != "" && (rule != capture.SameID || p.Time.IsZero()) {
			count(&e.report.OtherTexts, rule)
		}
	}
}

func (e *examination) when(t time.Time) {
	if t.IsZero() {
		return
	}
	if e.first.IsZero() || t.Before(e.first) {
		e.first = t
	}
	if t.After(e.last) {
		e.last = t
	}
}

// conclude completes the report.
func (e *examination) conclude() *Report {
	r := &e.report
	r.URLs = int64(len(e.urls))
	if !e.first.IsZero() {
		r.FirstTime, r.LastTime = e.first.Format(time.RFC3339), e.last.Format(time.RFC3339)
	}
	for _, t := range e.ledger.Tallies() {
		r.Findings = append(r.Findings, Finding{t, t.Reason.Note(), Advice(t.Reason)})
	}
	switch {
	case e.ledger.Damaged() > 0:
		r.Verdict = Damaged
	case slices.ContainsFunc(r.Findings, func(f Finding) bool { return f.Reason.Doubt() }):
		r.Verdict = Doubtful
	case r.Pages+r.Links == 0:
		r.Verdict = Nothing
	default:
		r.Verdict = Sound
	}
	return r
}

// maxDistinct is the maximum number of distinct URLs that are counted.
const maxDistinct = 1 << 19

// maxNames is the maximum number of names that one map counts, because headers may contain anything.
const maxNames = 1000

func count(m *map[string]int64, name string) {
	if *m == nil {
		*m = map[string]int64{}
	}
	if name = cmp.Or(name, "none"); len(name) > 80 {
		name = strings.ToValidUTF8(name[:80], "") + "…"
	}
	if _, known := (*m)[name]; !known && len(*m) >= maxNames {
		name = "others"
	}
	(*m)[name]++
}
