package text_test

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"testing"

	"github.com/zeebo/xxh3"

	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/crawl/text"
	"github.com/lshclust/lshclust/internal/sample"
)

// sampleDigest is the digest of all Docs of the embedded sample. A faster parser must not change it. If you change the
// content of a Doc, change the digest and the version of the format of runs.
const sampleDigest = 0x29c9b6ddcc7029f

func TestSampleDigest(t *testing.T) {
	v, err := text.NewVocabulary(text.Analysis{Language: "english", Stem: true, Stop: "snowball"})
	if err != nil {
		t.Fatal(err)
	}
	p, digest := text.Parser{Vocabulary: v}, xxh3.New()
	lines := json.NewDecoder(sample.Open())
	for {
		var line struct{ HTML string }
		if err := lines.Decode(&line); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		addDoc(t, digest, p.HTML([]byte(line.HTML)))
	}
	addWords(t, digest, v)
	if got := digest.Sum64(); got != sampleDigest {
		t.Errorf("digest %#x, want %#x", got, uint64(sampleDigest))
	}
}

func addDoc(t *testing.T, w io.Writer, d *text.Doc) {
	t.Helper()
	fmt.Fprintf(w, "%s\n%q %q %+v %+v", d.Text, d.Title, d.Base, d.Links, d.Heads)
	if err := binary.Write(w, binary.LittleEndian, d.Words); err != nil {
		t.Fatal(err)
	}
}

// addWords adds the distinct words with their counts.
func addWords(t *testing.T, w io.Writer, v *text.Vocabulary) {
	t.Helper()
	var lines []string
	err := v.Drain(func(t bags.Term, word string, count uint64) error {
		lines = append(lines, fmt.Sprintf("%x %s %d\n", t, word, count))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(lines)
	fmt.Fprint(w, lines)
}
