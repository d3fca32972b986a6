//go:build !amd64 || noasm

package lsh

func (j *judge) rows(hits []hit, a, rows []byte) (found int) { return j.rowsGo(hits, a, rows) }
