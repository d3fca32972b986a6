// Package vectors writes the bags and links of a run as arrays, for trials of other similarities.
//
//	lab vectors RUN DIR
//
// DIR has urls.txt, the URL of each document; bags.u32, rows of document, term, and count; and links.u32, rows of document
// and linking page, all as uint32 in little-endian order. similarities.py reads it.
package vectors

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/lshclust/lshclust/internal/tables"
)

// Command is the verb vectors.
func Command(args []string) error {
	if len(args) != 2 {
		return errors.New("usage: lab vectors RUN DIR")
	}
	var set tables.Set
	defer set.Close()
	at := func(name string) string { return filepath.Join(args[0], name) }
	docs := tables.Open(&set, at(tables.DocumentsFile), tables.OpenDocuments)
	bags := tables.Open(&set, at(tables.BagsFile), tables.OpenBags)
	sources := tables.Open(&set, at(tables.SourcesFile), tables.OpenSources)
	if err := errors.Join(set.Ready(), os.MkdirAll(args[1], 0o777)); err != nil {
		return err
	}
	of := map[uint64]uint32{}
	for id := range uint32(docs.Len()) {
		of[docs.Hash(id)] = id
	}
	err := errors.Join(
		write(args[1], "urls.txt", docs.Len(), func(w *bufio.Writer, id uint32) { fmt.Fprintln(w, docs.URL(id)) }),
		write(args[1], "bags.u32", docs.Len(), func(w *bufio.Writer, id uint32) {
			bag := bags.At(id)
			for i, t := range bag.Terms {
				row(w, id, t, uint32(bag.Counts[i]))
			}
		}),
		write(args[1], "links.u32", docs.Len(), func(w *bufio.Writer, id uint32) {
			for _, hash := range sources.Of(id) {
				if page, ok := of[hash]; ok {
					row(w, id, page)
				}
			}
		}))
	return errors.Join(err, set.Err())
}

func write(dir, name string, n int, document func(w *bufio.Writer, id uint32)) error {
	f, err := os.Create(filepath.Join(dir, name))
	if err != nil {
		return err
	}
	w := bufio.NewWriter(f)
	for id := range uint32(n) {
		document(w, id)
	}
	return errors.Join(w.Flush(), f.Close())
}

func row(w *bufio.Writer, numbers ...uint32) {
	for _, n := range numbers {
		w.Write(binary.LittleEndian.AppendUint32(nil, n))
	}
}
