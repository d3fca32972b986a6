// Command cmd writes an input of package skew to standard output:
//
//	go run ./internal/skew/cmd bomb-jsonl > bomb.jsonl.gz
//	go run ./internal/skew/cmd captures 1000 > captures.jsonl
//
// Without a name it lists the inputs.
package main

import (
	"fmt"
	"os"
	"strconv"

	"github.com/lshclust/lshclust/internal/skew"
)

func main() {
	if err := write(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func write(args []string) error {
	if len(args) == 0 {
		for _, in := range skew.Inputs {
			fmt.Printf("%-15s %-15s %10d  %s\n", in.Name, in.File, in.Size, in.About)
		}
		return nil
	}
	in, err := skew.ByName(args[0])
	if err != nil {
		return err
	}
	size := in.Size
	if len(args) > 1 {
		if size, err = strconv.ParseInt(args[1], 10, 64); err != nil || size < 1 {
			return fmt.Errorf("size %q: must be a positive number", args[1])
		}
	}
	return in.Write(os.Stdout, size)
}
