package frames

import "os"

// gathered tells which blocks of a file or stream have come.
type gathered struct {
	head   Frame // of the first one, without data
	blocks map[uint64]uint32
	sum    uint64 // of the checksums of the different blocks
}

// add adds a block. fresh is false if the same block has come before.
func (g *gathered) add(f *Frame) (fresh bool, err error) {
	if g.blocks == nil {
		g.head, g.blocks = *f, map[uint64]uint32{}
		g.head.Data = nil
	}
	if f.Size != g.head.Size || f.Part != g.head.Part {
		return false, wrong(f, "it belongs to %d bytes for part %d, and another block to %d for part %d", f.Size, f.Part, g.head.Size, g.head.Part)
	}
	if sum, ok := g.blocks[f.Offset]; ok {
		if sum != f.sum {
			return false, wrong(f, "the block has come twice, and differs")
		}
		return false, nil
	}
	g.blocks[f.Offset] = f.sum
	g.sum += uint64(f.sum)
	return true, nil
}

// complete returns an error that names the first block that is missing.
func (g *gathered) complete() error {
	n := blocks(g.head.Size)
	if uint64(len(g.blocks)) == n {
		return nil
	}
	f := g.head
	for f.Offset = 0; ; f.Offset += BlockSize {
		if _, ok := g.blocks[f.Offset]; !ok {
			return wrong(&f, "the block is missing; %d of %d blocks are there", len(g.blocks), n)
		}
	}
}

// Files puts blocks together to files.
type Files struct {
	Path  func(name string) string // where a file is put together
	files map[string]*gathered
}

// Add writes a block to its file.
func (s *Files) Add(f *Frame) error {
	if s.files == nil {
		s.files = map[string]*gathered{}
	}
	g := s.files[f.Name]
	if g == nil {
		g = &gathered{}
		s.files[f.Name] = g
	}
	fresh, err := g.add(f)
	if err != nil || !fresh {
		return err
	}
	to, err := os.OpenFile(s.Path(f.Name), os.O_WRONLY|os.O_CREATE, 0o666)
	if err != nil {
		return err
	}
	if _, err := to.WriteAt(f.Data, int64(f.Offset)); err != nil {
		to.Close()
		return err
	}
	return to.Close()
}

// Complete returns the names of the files, all blocks of which must have come.
func (s *Files) Complete() ([]string, error) {
	names := make([]string, 0, len(s.files))
	for name, g := range s.files {
		if err := g.complete(); err != nil {
			return nil, err
		}
		names = append(names, name)
	}
	return names, nil
}

// Remove removes what was put together of the files and still is where Path says.
func (s *Files) Remove() {
	for name := range s.files {
		os.Remove(s.Path(name))
	}
}
