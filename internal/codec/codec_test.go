package codec

import (
	"bytes"
	"encoding/binary"
	"errors"
	"testing"
)

func TestRecords(t *testing.T) {
	body := binary.LittleEndian.AppendUint64([]byte{7}, 1<<40)
	body = AppendBytes(binary.AppendUvarint(body, 300), []byte("url"))
	file := AppendBytes(AppendBytes(nil, body), []byte("x"))
	got, rest, err := Next(file)
	if !bytes.Equal(got, body) || err != nil {
		t.Fatalf("%x, error %v; want %x", got, err, body)
	}
	d := Decoder{B: got}
	if a, b, c, s := d.U8(), d.U64(), d.Uvarint(), d.Bytes(); a != 7 || b != 1<<40 || c != 300 || string(s) != "url" || d.Err != nil || len(d.B) != 0 {
		t.Errorf("%d %d %d %q, error %v, %d bytes left", a, b, c, s, d.Err, len(d.B))
	}
	if got, rest, err = Next(rest); string(got) != "x" || len(rest) != 0 || err != nil {
		t.Errorf("second record %q, %d bytes left, error %v", got, len(rest), err)
	}
	if got, _, err = Next(rest); got != nil || err != nil {
		t.Errorf("at the end: %q, error %v", got, err)
	}
	for n := 1; n <= len(body); n++ {
		if _, _, err := Next(file[:n]); !errors.Is(err, ErrMalformed) {
			t.Errorf("%d bytes of a record: error %v", n, err)
		}
	}
}

func TestDecoderAfterError(t *testing.T) {
	d := Decoder{B: []byte{1}}
	if d.U64() != 0 || !errors.Is(d.Err, ErrMalformed) {
		t.Fatalf("eight bytes of one: error %v", d.Err)
	}
	if d.U8() != 0 || d.Uvarint() != 0 || d.Bytes() != nil || !bytes.Equal(d.Take(2), []byte{0, 0}) {
		t.Error("the decoder reads on after an error")
	}
}
