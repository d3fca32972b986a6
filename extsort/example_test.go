package extsort_test

import (
	"context"
	"encoding/binary"
	"fmt"

	"github.com/lshclust/lshclust/extsort"
)

// Numbers are stored big-endian, so that the order of their bytes is their order.
func Example() {
	s, err := extsort.New(extsort.Config{Size: 8, Memory: 1 << 20})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer s.Close()
	a := s.Appender()
	for _, n := range []uint64{300, 7, 70_000} {
		if err := a.Append(binary.BigEndian.AppendUint64(nil, n)); err != nil {
			fmt.Println(err)
			return
		}
	}
	if err := a.Close(); err != nil {
		fmt.Println(err)
		return
	}
	sorted, err := s.Sort(context.Background())
	if err != nil {
		fmt.Println(err)
		return
	}
	for record, err := range sorted.All() {
		fmt.Println(binary.BigEndian.Uint64(record), err)
	}
	// Output:
	// 7 <nil>
	// 300 <nil>
	// 70000 <nil>
}
