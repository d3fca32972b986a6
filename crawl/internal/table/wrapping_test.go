package table

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/lshclust/lshclust/crawl/internal/stream"
	"github.com/lshclust/lshclust/crawl/record"
)

// What follows an object in another is not read, or copied, once more for each of them.
func TestObjectsInObjectsAreSearchedOnce(t *testing.T) {
	for _, inner := range []string{`{"x":1}`, `[{"x":1}]`} {
		var b strings.Builder
		for i := range 2000 {
			fmt.Fprintf(&b, `,"a%d":%s`, i, inner)
		}
		object := []byte("{" + b.String()[1:] + "}")
		s := &jsonlSource{objects: objects{Lines: stream.Lines{Opts: record.Options{}.WithDefaults()}}, names: knownNames}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if at, _ := s.array(object); at != 0 {
			t.Fatalf("a page at %d", at)
		}
		runtime.ReadMemStats(&after)
		if n := after.TotalAlloc - before.TotalAlloc; n > 16<<20 {
			t.Errorf("%.30s…: %d bytes took %d of memory", object, len(object), n)
		}
	}
}
