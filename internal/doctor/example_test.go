package doctor_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/internal/doctor"
)

func ExampleExamine() {
	dir, err := os.MkdirTemp("", "doctor")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "pages.jsonl")
	lines := "{\"url\": \"http://example.org/\", \"html\": \"<a href=/a>one</a>\"}\nnot JSON\n"
	if err := os.WriteFile(path, []byte(lines), 0o600); err != nil {
		fmt.Println(err)
		return
	}
	report, err := doctor.Examine(context.Background(), path, crawl.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(report.Verdict, report.Format, report.Pages, report.Links)
	for _, f := range report.Findings {
		fmt.Println(f.Count, f.Reason)
	}
	// Output:
	// damaged jsonl 1 1
	// 1 bad-json
}
