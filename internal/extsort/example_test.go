package extsort_test

import (
	"context"
	"encoding/binary"
	"fmt"

	"github.com/lshclust/lshclust/internal/extsort"
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
	err = s.Each(context.Background(), func(record []byte) error {
		fmt.Println(binary.BigEndian.Uint64(record))
		return nil
	})
	fmt.Println(err)
	// Output:
	// 7
	// 300
	// 70000
	// <nil>
}
