// Package mappedtest makes tables for tests that no writer would make: whose checksums are right and whose numbers are not.
package mappedtest

import (
	"bytes"

	"github.com/lshclust/lshclust/internal/mapped"
)

// Forge writes the table from again as to, each section as change leaves it. Its length is to stay.
func Forge(from, to string, change func(section string, b []byte)) error {
	f, err := mapped.OpenAny(from)
	if err != nil {
		return err
	}
	defer f.Close()
	w, err := mapped.Create(to, f.Kind(), f.Version())
	if err != nil {
		return err
	}
	defer w.Abort()
	for _, s := range f.Sections() {
		c, err := f.Bytes(s.Name)
		if err != nil {
			return err
		}
		b := bytes.Clone(c.All())
		change(s.Name, b)
		w.Section(s.Name, s.ElemSize).Bytes(b)
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
