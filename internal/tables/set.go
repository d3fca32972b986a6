package tables

import "errors"

// Table is an open table.
type Table interface {
	// Err returns the first damage found in what was read of the table, even after Close.
	Err() error
	// Close unmaps the table.
	Close() error
}

// Set is a set of tables that are opened together, either all or none:
//
//	var set tables.Set
//	bags := tables.Open(&set, dir.Path(tables.BagsFile), tables.OpenBags)
//	nodes := tables.Open(&set, dir.Path(tables.NodesFile), tables.OpenNodes)
//	if err := set.Ready(); err != nil {
//		return err
//	}
//	defer set.Close()
//
// After the first failure Open opens nothing more, and the caller need not check errors before Ready. The zero Set is
// empty and ready to use.
type Set struct {
	// Verify, if not nil, is called with the path of each table before it is opened. Its error is a failure.
	Verify func(path string) error

	open []Table
	err  error // the first failure
}

// Open opens a table and adds it to the set. It returns the zero value of T if this or an earlier step failed.
func Open[T Table](s *Set, path string, open func(path string) (T, error)) (table T) {
	s.Do(func() error {
		if s.Verify != nil {
			if err := s.Verify(path); err != nil {
				return err
			}
		}
		t, err := open(path)
		if err != nil {
			return err
		}
		table = t
		s.open = append(s.open, t)
		return nil
	})
	return table
}

// Do calls step unless an earlier step failed. An error of step is a failure, too.
func (s *Set) Do(step func() error) {
	if s.err == nil {
		s.err = step()
	}
}

// Ready returns nil if every step succeeded. Otherwise it closes the open tables and returns the first failure.
func (s *Set) Ready() error {
	if s.err != nil {
		s.Close()
	}
	return s.err
}

// Err returns the first damage found in each table, even after Close.
func (s *Set) Err() error { return s.each(Table.Err) }

// Close closes every table.
func (s *Set) Close() error { return s.each(Table.Close) }

func (s *Set) each(do func(Table) error) error {
	var errs []error
	for _, t := range s.open {
		errs = append(errs, do(t))
	}
	return errors.Join(errs...)
}
