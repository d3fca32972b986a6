package extsort

import (
	"context"
	"slices"
)

// pool is the memory that merges read into, cut into blocks.
type pool struct {
	blocks [][]byte
}

// pool cuts the free memory into blocks. Sorted buffers stay where they are; the scratch alone is at least a quarter of
// the memory.
func (s *Sorter) pool() *pool {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := &pool{}
	if len(s.runs) == 0 {
		s.free, s.scratch = nil, nil
		return p
	}
	for _, b := range slices.Concat(s.free, s.scratch) {
		for b = b[:cap(b)]; len(b) >= s.layout.block; b = b[s.layout.block:] {
			p.blocks = append(p.blocks, b[:s.layout.block:s.layout.block])
		}
	}
	for len(p.blocks) < minFanIn {
		p.blocks = append(p.blocks, make([]byte, s.layout.block))
	}
	s.free, s.scratch = nil, nil
	return p
}

// minFanIn is the smallest number of blocks, two to merge and one to write.
const minFanIn = 3

// reduce merges runs into longer ones until one merge can read all of them. Each pass reads one file, writes another,
// and removes the first.
func (s *Sorter) reduce(ctx context.Context, p *pool) error {
	for len(s.runs) > len(p.blocks) {
		if err := s.pass(ctx, p); err != nil {
			return err
		}
	}
	return nil
}

// pass merges groups of runs, each with one run fewer than there are blocks.
func (s *Sorter) pass(ctx context.Context, p *pool) error {
	s.mu.Lock()
	f, err := s.newFileLocked()
	s.mu.Unlock()
	if err != nil {
		return err
	}
	fan := len(p.blocks) - 1
	out := p.blocks[fan]
	var merged []run
	for group := range slices.Chunk(s.runs, fan) {
		r, err := s.mergeTo(ctx, f, group, p, out)
		if err != nil {
			return err
		}
		merged = append(merged, r)
	}
	old := s.files[0]
	s.files, s.runs = s.files[1:], merged
	return old.remove()
}

// mergeTo merges a group of runs into one run of f.
func (s *Sorter) mergeTo(ctx context.Context, f *spill, group []run, p *pool, out []byte) (run, error) {
	var total int64
	for _, g := range group {
		total += g.bytes
	}
	r := run{file: f, offset: f.reserve(total), block: s.layout.block}
	m := s.kernel.merger(p.sources(ctx, group), s.uniqueKey())
	for {
		n, err := m.fill(out)
		if err == nil && n > 0 {
			err = r.append(out[:n])
		}
		if err != nil {
			return run{}, err
		}
		if n == 0 {
			break
		}
	}
	return r, nil
}

// sources assigns a block to each run.
func (p *pool) sources(ctx context.Context, runs []run) []source {
	out := make([]source, len(runs))
	for i, r := range runs {
		out[i] = r.source(ctx, p.blocks[i])
	}
	return out
}

// uniqueKey returns the number of key bytes by which to drop equal records, or 0 to drop none.
func (s *Sorter) uniqueKey() int {
	if s.c.Unique {
		return s.c.Key
	}
	return 0
}
