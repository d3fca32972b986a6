package pipeline

import (
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/peak"
)

// A page of a shape that takes much memory is read within the limit, and gives the same bytes as with much more.
func TestReadKeepsToMemory(t *testing.T) {
	const memory, free, size = 32 << 20, 36 << 20, 4 << 20
	config, err := config.Preset(config.DefaultPreset)
	if err != nil {
		t.Fatal(err)
	}
	input := t.TempDir()
	if err := os.WriteFile(filepath.Join(input, "page.html"), peak.Page(size), 0o600); err != nil {
		t.Fatal(err)
	}
	read := func(memory int64) string {
		out := filepath.Join(t.TempDir(), "run")
		if err := ClusterUntil(context.Background(), "read", out, []string{input}, config, Options{Workers: 1, Memory: memory}); err != nil {
			t.Fatal(err)
		}
		return out
	}
	want := hashes(t, read(4<<30))
	var out string
	if taken := peak.Of(func() { out = read(memory) }); taken > free {
		t.Errorf("%d MiB of live memory", taken>>20)
	}
	got := hashes(t, out)
	for file, hash := range want {
		if got[file] != hash {
			t.Errorf("%s is another", file)
		}
	}
}

// hashes returns the hashes of the intermediate files of a run. The records of a partition are in any order.
func hashes(t *testing.T, out string) map[string]string {
	t.Helper()
	found := map[string]string{}
	files, err := filepath.Glob(filepath.Join(out, "work", "*"))
	if err != nil || len(files) == 0 {
		t.Fatal(err, files)
	}
	for _, path := range files {
		name := filepath.Base(path)
		if name == "state.json" || name == "parts.jsonl" || strings.HasPrefix("work/"+name, partPrefix) { // they have times, and blocks of any size
			continue
		}
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		found[name] = fmt.Sprintf("%x", sha256.Sum256(b))
	}
	for stream, hash := range hashesOfRecords(t, out) {
		found[fmt.Sprint("stream ", stream)] = hash
	}
	return found
}

// hashesOfRecords returns for each stream of the parts that holds partitions a hash of its records.
func hashesOfRecords(t *testing.T, out string) []string {
	t.Helper()
	b := &build{partitions: fewPartitions}
	files, err := filepath.Glob(filepath.Join(out, partPrefix+"*"))
	if err != nil || len(files) == 0 {
		t.Fatal(err, files)
	}
	hashes := make([]string, b.moreStream(0))
	for stream := range hashes {
		var records []string
		for _, path := range files {
			err := eachRecord(t.Context(), []piece{{path: path, streams: b.streamsOfPart(), stream: stream}}, func(body []byte) error {
				records = append(records, fmt.Sprintf("%x", sha256.Sum256(body)))
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		slices.Sort(records)
		hashes[stream] = fmt.Sprintf("%x", sha256.Sum256([]byte(strings.Join(records, " "))))
	}
	return hashes
}
