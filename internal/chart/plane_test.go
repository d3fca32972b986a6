package chart

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestPlane: the picture is well-formed and holds every count, and text in it stays text.
func TestPlane(t *testing.T) {
	h := Plane{
		Frame:  Frame{Title: `</svg><script>alert("x")</script>` + "\x00\xff", X: Axis{Label: "a < b"}, Y: Axis{Label: "c & d"}},
		Counts: [][]uint64{{1, 0, 0, 0}, {0, 0, 0, 1234}, {0, 0, 0, 0}, {0, 0, 0, 0}}, Corners: [4]string{"<1>", "<2>", "<3>", "<4>"},
		XMarks: []float64{0.5}, YMarks: []float64{0, 1},
	}
	first, err := h.SVG()
	if err != nil {
		t.Fatal(err)
	}
	if second, _ := h.SVG(); !bytes.Equal(first, second) {
		t.Error("two pictures of one plane differ")
	}
	var texts []string
	d := xml.NewDecoder(bytes.NewReader(first))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		switch token := token.(type) {
		case xml.StartElement:
			if token.Name.Local == "script" {
				t.Error("a title became an element")
			}
		case xml.CharData:
			texts = append(texts, string(token))
		}
	}
	for _, want := range []string{"</svg><script>alert(\"x\")</script>  ", "a < b", "c & d", "<1>", "<4>", "1.2k", "1", "a < b 0 to 0.333, c & d 0.667 to 1: 1234"} {
		if !slices.Contains(texts, want) {
			t.Errorf("no text %q in %q", want, texts)
		}
	}
	want := [][]any{{"0", "0", int64(1)}, {"0 to 0.333", "0.667 to 1", int64(1234)}}
	if d := cmp.Diff(want, h.Table().Rows); d != "" {
		t.Error(d)
	}
	if _, err := (Plane{Counts: [][]uint64{{0, 0}, {0, 0}}}).SVG(); err != nil {
		t.Error("a plane without counts:", err)
	}
}

func TestBrief(t *testing.T) {
	for n, want := range map[uint64]string{
		0: "0", 999: "999", 1000: "1.0k", 1234: "1.2k", 9949: "9.9k", 9950: "10k", 99_999: "100k", 999_499: "999k", 999_500: "1.0M",
		6_700_000: "6.7M", math.MaxUint64: "18E",
	} {
		if got := Brief(n); got != want {
			t.Errorf("%d is %s, not %s", n, got, want)
		}
	}
}
