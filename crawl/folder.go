package crawl

import (
	"context"
	"iter"
)

type folderSource struct {
	*members
	opts *Options
}

func openHTMLFile(m *members, o *Options) Source { return &folderSource{members: m, opts: o} }
func openFolder(path string, o *Options) (Source, error) {
	return nil, nil
}
func (s *folderSource) Format() string { return "html" }
func (s *folderSource) Records(ctx context.Context) iter.Seq2[*Record, error] {
	return func(yield func(*Record, error) bool) {}
}
