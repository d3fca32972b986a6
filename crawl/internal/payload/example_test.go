package payload_test

import (
	"fmt"
	"math"

	"github.com/lshclust/lshclust/crawl/internal/payload"
)

// The body of a response is decoded in the reverse order of its encodings: first the transfer encoding, then the
// content encodings, then the charset.
func Example() {
	var room payload.Room
	defer room.Free()
	body, err := room.Dechunk([]byte("4\r\n<p>c\r\n5\r\naf\xe9 \x80\r\n0\r\n\r\n"))
	if err != nil {
		fmt.Println(err)
		return
	}
	text, charset := room.ToUTF8(body, "text/html; charset=iso-8859-1", math.MaxInt64)
	fmt.Printf("%s (%s)\n", text, charset)
	// Output: <p>café € (windows-1252)
}

// A body that breaks off is kept up to the damage.
func ExampleRoom_Dechunk() {
	var room payload.Room
	body, err := room.Dechunk([]byte("4\r\npage\r\n8\r\n cut"))
	fmt.Printf("%q, %v\n", body, err)
	// Output: "page cut", chunk of 8 bytes has 4
}
