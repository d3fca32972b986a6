package resemble

import (
	"cmp"
	"errors"
	"math"
	"runtime"
)

// Documents is the input of the functions of this package: Len() documents, numbered from 0 by the rank of the hash of
// their URL. Several goroutines call the methods at once.
type Documents interface {
	Len() int
	AppendValues(dst []uint64, id uint32) []uint64 // appends the set of all shingles, ascending
	Stored(id uint32) int                          // size of that set
	Bytes(id uint32) uint64                        // digest of the decoded bytes
	Lexical(id uint32) uint64                      // digest of the canonical sequence of tokens
	Digest(id uint32) uint64                       // Digest of the set of all shingles
	Host(id uint32) uint32                         // number of the host
}

// scatterer is implemented by Documents in a file that may be larger than memory. The kernel reads far ahead of each
// access, which takes many times as long as the accesses if they are all over the file.
type scatterer interface {
	Scattered(on bool) // from now on, sets are read in random order
	Fetch(id uint32)   // this set will be read soon
}

// noticed is implemented by Documents some of which are notices, such as error pages. They may equal other documents, but
// are neither paired nor examined for boilerplate.
type noticed interface{ Notice(id uint32) bool }

// isNotice reports whether a document is a notice.
func isNotice(docs Documents, id uint32) bool {
	n, ok := docs.(noticed)
	return ok && n.Notice(id)
}

// valuesIn returns the set of a document in the buffer.
func valuesIn(buffer *[]uint64, docs Documents, id uint32) []uint64 {
	*buffer = docs.AppendValues((*buffer)[:0], id)
	return *buffer
}

// accessTo returns docs as a scatterer.
func accessTo(docs any) scatterer {
	if s, ok := docs.(scatterer); ok {
		return s
	}
	return inMemory{}
}

// inMemory is for Documents that are in memory.
type inMemory struct{}

func (inMemory) Scattered(bool) {}
func (inMemory) Fetch(uint32)   {}

// Document is a document of a Collection.
type Document struct {
	Values         []uint64 // the set of all shingles or other features, ascending
	Bytes, Lexical uint64   // digests
	Host           uint32
}

// Collection holds Documents in memory.
type Collection []Document

// Len returns the number of documents.
func (c Collection) Len() int { return len(c) }

// AppendValues appends the set of shingles of a document.
func (c Collection) AppendValues(dst []uint64, id uint32) []uint64 {
	return append(dst, c[id].Values...)
}

// Stored returns the size of the set of shingles of a document.
func (c Collection) Stored(id uint32) int { return len(c[id].Values) }

// Bytes returns the digest of a document's bytes.
func (c Collection) Bytes(id uint32) uint64 { return c[id].Bytes }

// Lexical returns the digest of a document's tokens.
func (c Collection) Lexical(id uint32) uint64 { return c[id].Lexical }

// Digest returns the digest of a document's set.
func (c Collection) Digest(id uint32) uint64 { return Digest(c[id].Values) }

// Host returns the number of a document's host.
func (c Collection) Host(id uint32) uint32 { return c[id].Host }

// Resources limits the resources of a function. No result depends on them.
type Resources struct {
	Memory  int64  // bytes for sorting; 0 means 256 MiB
	Dir     string // for data that does not fit; empty means the system's temporary folder
	Workers int    // goroutines; 0 means GOMAXPROCS
}

func (r Resources) workers() int  { return cmp.Or(max(r.Workers, 0), runtime.GOMAXPROCS(0)) }
func (r Resources) memory() int64 { return cmp.Or(max(r.Memory, 0), 256<<20) }

// errTooMany reports more documents than ids.
var errTooMany = errors.New("resemble: more than 2^32-1 documents")

func checkLen(docs Documents) error {
	if uint64(docs.Len()) > math.MaxUint32 {
		return errTooMany
	}
	return nil
}
