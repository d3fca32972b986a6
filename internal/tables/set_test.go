package tables

import (
	"errors"
	"slices"
	"testing"
)

// recorded is a table that notes in a list when it is opened and closed.
type recorded struct {
	path string
	list *[]string
}

func (r *recorded) Err() error { return nil }

func (r *recorded) Close() error {
	*r.list = append(*r.list, "close "+r.path)
	return nil
}

func TestSetOpensAllOrNone(t *testing.T) {
	errBroken := errors.New("broken")
	for _, test := range []struct {
		name       string
		verify     string // path that does not verify
		broken     string // path that does not open
		step       error
		want       []string
		wantFailed bool
	}{
		{name: "all", want: []string{"open a", "open b"}},
		{name: "first", broken: "a", wantFailed: true},
		{name: "second", broken: "b", want: []string{"open a", "close a"}, wantFailed: true},
		{name: "verify", verify: "b", want: []string{"open a", "close a"}, wantFailed: true},
		{name: "step", step: errBroken, want: []string{"open a", "close a"}, wantFailed: true},
	} {
		t.Run(test.name, func(t *testing.T) {
			var list []string
			open := func(path string) (*recorded, error) {
				if path == test.broken {
					return nil, errBroken
				}
				list = append(list, "open "+path)
				return &recorded{path, &list}, nil
			}
			set := Set{Verify: func(path string) error {
				if path == test.verify {
					return errBroken
				}
				return nil
			}}
			a := Open(&set, "a", open)
			set.Do(func() error { return test.step })
			b := Open(&set, "b", open)
			err := set.Ready()
			if errors.Is(err, errBroken) != test.wantFailed || !slices.Equal(list, test.want) {
				t.Fatalf("error %v and %q, want failure %t and %q", err, list, test.wantFailed, test.want)
			}
			if !test.wantFailed && (a.path != "a" || b.path != "b") {
				t.Errorf("opened %v, %v", a, b)
			}
		})
	}
}

func TestSetHasTheDamageOfItsTables(t *testing.T) {
	damage := errors.New("damage")
	set := Set{open: []Table{broken{damage}, broken{nil}}}
	if err := set.Close(); err != nil {
		t.Error(err)
	}
	if err := set.Err(); !errors.Is(err, damage) {
		t.Errorf("error %v, want %v", err, damage)
	}
}

type broken struct{ err error }

func (b broken) Err() error   { return b.err }
func (b broken) Close() error { return nil }
