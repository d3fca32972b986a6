package crawl

import (
	"context"
	"iter"
)

type warcSource struct {
	*members
	opts *Options
}

func openWARC(m *members, o *Options) Source { return &warcSource{members: m, opts: o} }
func (s *warcSource) Format() string         { return "warc" }
func (s *warcSource) Records(ctx context.Context) iter.Seq2[*Record, error] {
	return func(yield func(*Record, error) bool) {}
}
