package run

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// left does a part in a copy of a run and returns its receipt with the file that the copy has.
func left(t *testing.T, from string, number int, content string) (r Receipt, at string) {
	t.Helper()
	d, err := Attach(from)
	if err != nil {
		t.Fatal(err)
	}
	files, err := d.StateFiles("pairs", 0)
	if err != nil {
		t.Fatal(err)
	}
	copied := filepath.Join(t.TempDir(), "copy")
	for _, f := range files {
		if err := copyFile(t.Context(), d.Path(f.Name), filepath.Join(copied, f.Name)); err != nil {
			t.Fatal(err)
		}
	}
	c, err := AttachCopy(copied)
	if err != nil {
		t.Fatal(err)
	}
	const name = "work/part"
	if err := os.WriteFile(c.Temp(name), []byte(content), 0o666); err != nil {
		t.Fatal(err)
	}
	if r, err = c.Receipt("pairs", number, content, name); err != nil {
		t.Fatal(err)
	}
	return r, c.Temp(name)
}

// A part that was done in a copy of a run is taken in once, with the file of the first attempt, and only if its file is
// what the receipt says.
func TestAccept(t *testing.T) {
	path := begun(t)
	r, at := left(t, path, 3, "content")
	accept := func(r Receipt, stage string, number int, at string) (bool, error) {
		d, err := Attach(path)
		if err != nil {
			t.Fatal(err)
		}
		return d.Accept(r, stage, number, func(f LeftFile) string {
			if at == "" {
				return d.Path(f.Left)
			}
			return at
		})
	}
	wrong := filepath.Join(t.TempDir(), "wrong")
	if err := os.WriteFile(wrong, []byte("contend"), 0o666); err != nil {
		t.Fatal(err)
	}
	strange := r
	strange.Attempt = "/../../x"
	flipped := r
	flipped.Line = strings.Replace(r.Line, "content", "contend", 1)
	for what, c := range map[string]struct {
		r        Receipt
		stage    string
		number   int
		at, says string
	}{
		"another file":    {r, "pairs", 3, wrong, "its file work/part has 7 bytes with digest"},
		"no file":         {r, "pairs", 3, "", "neither in the frames nor at"},
		"another stage":   {r, "sign", 3, at, "damaged or of another stage"},
		"another part":    {r, "pairs", 4, at, "damaged or of another stage"},
		"damaged":         {flipped, "pairs", 3, at, "damaged or of another stage"},
		"another attempt": {strange, "pairs", 3, at, "damaged or of another stage"},
	} {
		if known, err := accept(c.r, c.stage, c.number, c.at); !errors.Is(err, ErrReceipt) || known || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, %v", what, known, err)
		}
	}
	if now, err := Attach(path); err != nil || len(now.Parts("pairs")) > 0 {
		t.Errorf("after wrong ones: %v, %v", now.Parts("pairs"), err)
	}
	if err := os.Rename(at, filepath.Join(path, r.Files[0].Left)); err != nil {
		t.Fatal(err)
	}
	for i := range 2 {
		if known, err := accept(r, "pairs", 3, ""); err != nil || known != (i > 0) {
			t.Errorf("time %d: known %v, %v", i, known, err)
		}
	}
	again, at := left(t, path, 3, "content")
	if known, err := accept(again, "pairs", 3, at); err != nil || !known {
		t.Errorf("another attempt: known %v, %v", known, err)
	}
	d := begin(t, path)
	defer d.Close()
	if p := d.Parts("pairs"); len(p) != 1 || p[0].Number != 3 || !slices.Equal(p[0].Files, []string{"work/part"}) {
		t.Errorf("recorded: %+v", p)
	}
	if f, ok := d.Recorded("work/part"); !ok || f != r.Files[0].File {
		t.Errorf("recorded file: %+v, %v", f, ok)
	}
	if _, ok := d.Recorded("work/other"); ok {
		t.Error("a file that nobody has written is recorded")
	}
}

// The state of a run for a step has the receipts of the steps before it, and no others.
func TestStateFiles(t *testing.T) {
	path := begun(t)
	for _, number := range []int{3, 7} {
		r, at := left(t, path, number, "content")
		d, err := Attach(path)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := d.Accept(r, "pairs", number, func(LeftFile) string { return at }); err != nil {
			t.Fatal(err)
		}
	}
	d, err := Attach(path)
	if err != nil {
		t.Fatal(err)
	}
	files, err := d.StateFiles("pairs", 7)
	var names []string
	for _, f := range files {
		names = append(names, f.Name)
	}
	if want := []string{"work/state.json", "work/pairs-00003.receipt"}; err != nil || !slices.Equal(names, want) {
		t.Errorf("%q, want %q, %v", names, want, err)
	}
}
