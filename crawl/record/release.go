package record

// Release removes the temporary files of a record and of the page made from it. Neither may be used afterwards.
func (r *Record) Release() { r.Room.Free() }

// Release is Record.Release for a caller that has only the page. Neither may be used afterwards.
func (p *Page) Release() {
	p.pool.Free()
	p.pool = nil
}
