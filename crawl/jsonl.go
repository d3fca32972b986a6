package crawl

import (
	"context"
	"iter"
)

type jsonlSource struct {
	*members
	opts *Options
}

func openJSONL(m *members, o *Options) Source { return &jsonlSource{members: m, opts: o} }
func (s *jsonlSource) Format() string         { return "jsonl" }
func (s *jsonlSource) Records(ctx context.Context) iter.Seq2[*Record, error] {
	return func(yield func(*Record, error) bool) {}
}
