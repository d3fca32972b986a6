// Package revisits has a test only: warcio reads the revisit records that lshclust writes, and check.py compares them
// with the WARC files.
package revisits

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/lshclust/lshclust"
	"github.com/lshclust/lshclust/ask"
	"github.com/lshclust/lshclust/internal/ask/crawls"
	"github.com/lshclust/lshclust/internal/shareddata"
)

// TestAgainstWarcio runs check.py over the WARC files of the shared data. It needs a python3 that has warcio; with
// CI=true it installs one.
func TestAgainstWarcio(t *testing.T) {
	data := shareddata.Dir(t, "warc")
	python := pythonWithWarcio(t)
	if python == "" {
		t.Skip("there is no python3 with warcio")
	}
	var files []string
	for _, pattern := range []string{"*.warc", "*.warc.gz"} {
		some, err := filepath.Glob(filepath.Join(data, pattern))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, some...)
	}
	r, err := lshclust.Cluster(context.Background(), filepath.Join(t.TempDir(), "run"), files, lshclust.Options{})
	if r == nil {
		t.Fatal(err) // some files are damaged, which is no reason to stop
	}
	defer r.Close()
	for _, zipped := range []bool{false, true} {
		var warc, index bytes.Buffer
		name := filepath.Join(t.TempDir(), "revisits.warc")
		n, err := crawls.Revisits(context.Background(), r, &warc, name, zipped, func(key string, l *crawls.RevisitLine) error {
			line, err := ask.Marshal(l)
			index.WriteString(key + " " + string(line) + "\n")
			return err
		})
		if err != nil || n.Revisits < 10 {
			t.Fatalf("%+v, %v", n, err)
		}
		for path, b := range map[string]*bytes.Buffer{name: &warc, name + ".cdxj": &index} {
			if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		said, err := exec.Command(python, append([]string{"check.py", name, name + ".cdxj"}, files...)...).CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, said)
		}
		t.Logf("%+v\n%s", n, said)
	}
}

// pythonWithWarcio returns the path of an interpreter, or "".
func pythonWithWarcio(t *testing.T) string {
	if exec.Command("python3", "-c", "import warcio").Run() == nil {
		return "python3"
	}
	if os.Getenv("CI") != "true" {
		return ""
	}
	dir := t.TempDir()
	for _, args := range [][]string{{"python3", "-m", "venv", dir}, {filepath.Join(dir, "bin", "pip"), "install", "-q", "warcio==1.8.1"}} {
		if said, err := exec.Command(args[0], args[1:]...).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, said)
		}
	}
	return filepath.Join(dir, "bin", "python3")
}
