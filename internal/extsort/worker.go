package extsort

import "github.com/lshclust/lshclust/internal/huge"

// kickLocked starts a worker if there is work for one more.
func (s *Sorter) kickLocked() {
	for work := s.workLocked(); work > 0 && s.busy < s.c.Workers; work-- {
		s.busy++
		s.workers.Go(s.work)
	}
}

// workLocked returns how many buffers wait to be sorted or written.
func (s *Sorter) workLocked() int {
	if s.spilling && !s.sealed {
		return len(s.unsorted) + len(s.sorted)
	}
	return len(s.unsorted)
}

// work sorts and spills buffers until there is nothing to do. Writing has priority because it frees memory.
func (s *Sorter) work() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for s.err == nil && s.workLocked() > 0 {
		if s.spilling && !s.sealed && len(s.sorted) > 0 {
			s.spillOneLocked()
		} else {
			s.sortOneLocked()
		}
		s.changed.Broadcast()
	}
	s.busy--
	s.changed.Broadcast()
}

// sortOneLocked sorts a buffer. It releases the lock while it sorts.
func (s *Sorter) sortOneLocked() {
	b, scratch := pop(&s.unsorted), []byte(nil)
	workers := 1
	if s.sealed && s.made == 1 { // it is the only buffer
		workers = s.c.Workers
	}
	if len(s.scratch) > 0 {
		scratch = pop(&s.scratch)
	}
	s.mu.Unlock()
	if len(scratch) < len(b) {
		scratch = huge.Bytes(len(b))
	}
	s.kernel.sort(b, scratch, workers)
	if s.c.Unique {
		b = s.kernel.unique(b, s.c.Key)
	}
	s.mu.Lock()
	s.scratch = append(s.scratch, scratch)
	s.sorted = append(s.sorted, b)
}

// spillOneLocked writes a sorted buffer. It releases the lock while it writes.
func (s *Sorter) spillOneLocked() {
	b := pop(&s.sorted)
	f, err := s.fileLocked()
	if err != nil {
		s.err = err
		return
	}
	s.mu.Unlock()
	r, err := f.writeRun(b, s.layout.block)
	s.mu.Lock()
	if err != nil {
		if s.err == nil {
			s.err = err
		}
		return
	}
	s.runs = append(s.runs, r)
	s.free = append(s.free, b[:0])
}

// fileLocked returns the file for runs made from buffers.
func (s *Sorter) fileLocked() (*spill, error) {
	if len(s.files) > 0 {
		return s.files[0], nil
	}
	return s.newFileLocked()
}

func (s *Sorter) newFileLocked() (*spill, error) {
	f, err := s.create(s.c.Dir)
	if err != nil {
		return nil, err
	}
	s.files = append(s.files, &spill{f: f})
	return s.files[len(s.files)-1], nil
}

func pop(list *[][]byte) []byte {
	n := len(*list) - 1
	b := (*list)[n]
	*list = (*list)[:n]
	return b
}
