// Package mappedtest makes corrupt tables for tests: their checksums are right but their numbers are wrong.
package mappedtest

import (
	"os"

	"github.com/lshclust/lshclust/internal/mapped"
)

// Forge writes a copy of the table from to the file to, in which change has changed the bytes of each section. All
// checksums are right.
func Forge(from, to string, change func(section string, b []byte)) error {
	f, err := mapped.OpenAny(from)
	if err != nil {
		return err
	}
	defer f.Close()
	b, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	w := mapped.Create(to, f.Kind(), f.Version())
	defer w.Abort()
	for _, s := range f.Sections() {
		data := b[s.Offset : s.Offset+s.Length]
		change(s.Name, data)
		w.Section(s.Name, s.ElemSize).Bytes(data)
	}
	return w.Close()
}

// Sections lists the sections of a table that are not empty, with their lengths in bytes.
func Sections(path string) (names []string, lengths []int, err error) {
	f, err := mapped.OpenAny(path)
	if err != nil {
		return nil, nil, err
	}
	for _, s := range f.Sections() {
		if s.Length > 0 {
			names, lengths = append(names, s.Name), append(lengths, int(s.Length))
		}
	}
	return names, lengths, f.Close()
}
