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

func ExampleRules_Resolve() {
	base, err := urls.Base("https://example.org/docs/intro.html", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	target, err := urls.DefaultRules().Resolve(base, "../download/#latest")
	fmt.Println(target, err)
	// Output: https://example.org/download <nil>
}

func ExampleSURT() {
	fmt.Println(urls.SURT("https://docs.example.org/A?b=2&a=1"))
	// Output: org,example,docs)/a?a=1&b=2
}
