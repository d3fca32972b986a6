package urls_test

import (
	"fmt"

	"github.com/lshclust/lshclust/crawl/urls"
)

func ExampleRules_Canonical() {
	rules := urls.DefaultRules()
	canonical, err := rules.Canonical("HTTP://www.Example.org:80/a/../docs/index.html?utm_source=x&b=1#top")
	fmt.Println(canonical, err)
	_, err = rules.Canonical("mailto:someone@example.org")
	fmt.Println(err)
	// Output:
	// https://example.org/docs?b=1 <nil>
	// mailto
}
