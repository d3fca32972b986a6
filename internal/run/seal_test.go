package run

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/zeebo/xxh3"
)

// reseal corrects the digest of a manifest.
func reseal(path string) error {
	name := filepath.Join(path, ManifestName)
	b, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	at, ok := sealAt(b)
	if !ok {
		return errors.New("no digest in the manifest")
	}
	copy(b[at:], noSeal)
	copy(b[at:], hexDigest(xxh3.Hash128(b)))
	return os.WriteFile(name, b, 0o666)
}

// TestFlippedBits checks that flipped bits are found. The digest of a table covers all its bytes, so a few flipped
// bits are enough.
func TestFlippedBits(t *testing.T) { flipBits(t, 13, 2003) }

func TestLongFlippedBits(t *testing.T) { flipBits(t, 1, 61) }

// flipBits flips every n-th bit in every file of a run. Check must find each of them.
func flipBits(t *testing.T, ofManifest, ofTables int) {
	path := finished(t)
	if report, err := Check(t.Context(), path); err != nil || !report.OK() {
		t.Fatal(err, report.Err())
	}
	for _, name := range names(t, path) {
		good, err := os.ReadFile(filepath.Join(path, name))
		must(t, err)
		step := ofTables
		if name == ManifestName {
			step = ofManifest
		}
		for bit := 0; bit < 8*len(good); bit += step {
			bad := bytes.Clone(good)
			bad[bit/8] ^= 1 << (bit % 8)
			must(t, os.WriteFile(filepath.Join(path, name), bad, 0o666))
			var found error
			if name == ManifestName {
				_, found = Open(path)
			} else {
				report, err := Check(t.Context(), path)
				found = errors.Join(err, report.Err())
			}
			if found == nil {
				t.Errorf("%s: bit %d of byte %d (%q) is not checked", name, bit%8, bit/8, good[bit/8])
			}
		}
		must(t, os.WriteFile(filepath.Join(path, name), good, 0o666))
	}
}
