package table_test

import (
	"fmt"

	"github.com/lshclust/lshclust/crawl/table"
)

func ExampleParseMap() {
	columns, err := table.ParseMap("url=metadata.source", "text=body")
	fmt.Println(columns["url"], columns["text"], err)
	_, err = table.ParseMap("address=source")
	fmt.Println(err != nil)
	// Output:
	// metadata.source body <nil>
	// true
}
