package config_test

import (
	"fmt"

	"github.com/lshclust/lshclust/internal/config"
)

func Example() {
	c, err := config.Preset("web")
	if err != nil {
		fmt.Println(err)
		return
	}
	c.Views = []string{config.Syntactic} // near-duplicates only
	c.Resemblance = 0.8
	fmt.Println(c.Validate())

	c.Resemblance = 80
	fmt.Println(c.Validate())
	// Output:
	// <nil>
	// resemblance 80: must be above 0 and at most 1
}
