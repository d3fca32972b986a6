package latency

import (
	"bytes"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestMeasure checks that every kind of question is asked as often as it should be, and that a server of a run answers,
// without its files in the cache and with them.
func TestMeasure(t *testing.T) {
	dir := t.TempDir()
	binary, run := filepath.Join(dir, "lshclust"), filepath.Join(dir, "run")
	build := exec.Command("go", "build", "-o", binary, "./cmd/lshclust")
	build.Dir = filepath.Join("..", "..", "..") // another module
	for _, c := range []*exec.Cmd{build, exec.Command(binary, "demo", "-q", "-o", run)} {
		if said, err := c.CombinedOutput(); err != nil {
			t.Fatalf("%v: %v %s", c, err, said)
		}
	}
	const each = 5
	questions, err := draw(run, each, 1)
	if err != nil {
		t.Fatal(err)
	}
	asked := map[string]int{}
	for _, q := range questions {
		asked[q.kind]++
	}
	for _, k := range kinds {
		if asked[k.name] != each {
			t.Errorf("%s: %d questions, want %d", k.name, asked[k.name], each)
		}
	}
	if failed, err := measure(binary, run, each, 1); failed > 0 || err != nil {
		t.Errorf("%d questions failed, %v", failed, err)
	}
	h := &half{name: "cold", took: map[string][]time.Duration{}}
	if failed, err := h.ask(binary, run, []question{{"page", "/v1/page?x=y"}, {"page", "/healthz"}}); failed != 1 || err != nil || h.opened <= 0 || h.anon <= 0 {
		t.Errorf("%d failed, %v, %+v", failed, err, h)
	}
}

func TestShow(t *testing.T) {
	var out bytes.Buffer
	took := map[string][]time.Duration{"page": {3 * time.Millisecond, time.Millisecond, 2 * time.Millisecond}}
	show(&out, []*half{{"cold", time.Second, 2 << 20, took}, {"warm", time.Second / 2, 1 << 20, took}}, []question{{"page", ""}})
	for _, want := range []string{"| page | 3 | 2.0 | 2.0 | 3.0 | 2.0 | 2.0 | 3.0 |\n", "cold: open after 1.000 s, 2.0 MiB", "warm: open after 0.500 s, 1.0 MiB"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%s has no %q", out.String(), want)
		}
	}
}
