package record_test

import (
	"fmt"

	"github.com/lshclust/lshclust/crawl/record"
)

func ExampleParseSelection() {
	s, err := record.ParseSelection("2020", "2021-05", []string{"200", "404"}, nil)
	fmt.Println(s.From.Format("2006-01-02"), s.To.Format("2006-01-02"), s.Status, err)
	// Output: 2020-01-01 2021-06-01 [200 404] <nil>
}
