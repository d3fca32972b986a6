// Package mappedtest makes corrupt tables for tests: their checksums are right but their numbers are wrong.
package mappedtest

import (
	"encoding/binary"
	"hash/crc32"
	"os"

	"github.com/lshclust/lshclust/internal/mapped"
)

// Sizes of the format, as described at the head of mapped/reader.go.
const (
	header, trailer = 24, 24
	entry, crcAt    = 48, 44
	block           = 64 << 10
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Forge writes a copy of the table from to the file to, in which change has changed the bytes of each section. All
// checksums are right.
func Forge(from, to string, change func(section string, b []byte)) error {
	f, err := mapped.OpenAny(from)
	if err != nil {
		return err
	}
	sections := f.Sections()
	if err := f.Close(); err != nil {
		return err
	}
	b, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	var sums []byte
	end, table := int64(header), b[len(b)-trailer-entry*len(sections):]
	for i, s := range sections {
		data := b[s.Offset : s.Offset+s.Length]
		change(s.Name, data)
		first := len(sums)
		for at := 0; at < len(data); at += block {
			sums = binary.LittleEndian.AppendUint32(sums, crc32.Checksum(data[at:min(at+block, len(data))], castagnoli))
		}
		binary.LittleEndian.PutUint32(table[entry*i+crcAt:], crc32.Checksum(sums[first:], castagnoli))
		end = (s.Offset + s.Length + 7) &^ 7
	}
	copy(b[end:], sums)
	crc := crc32.Checksum(b[:header], castagnoli)
	crc = crc32.Update(crc, castagnoli, table[:len(table)-trailer+12])
	binary.LittleEndian.PutUint32(b[len(b)-trailer+12:], crc)
	return os.WriteFile(to, b, 0o666)
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
