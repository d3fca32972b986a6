package run

import (
	"bytes"
	"os"
	"strconv"
)

// memoryInUse reads RssAnon and RssFile from /proc/self/status. If that fails, it asks the Go runtime.
func (s *sampler) memoryInUse() (anon, file int64) {
	if s.status == nil {
		s.status, _ = os.Open("/proc/self/status")
		s.buf = make([]byte, 8<<10)
	}
	n, _ := s.status.ReadAt(s.buf, 0)
	anon, ok := statusField(s.buf[:n], "RssAnon:")
	if !ok {
		return allocated(), 0
	}
	file, _ = statusField(s.buf[:n], "RssFile:")
	return anon, file
}

// statusField finds a line such as "RssAnon:          1234 kB" and returns its value in bytes.
func statusField(status []byte, name string) (int64, bool) {
	_, rest, ok := bytes.Cut(status, []byte(name))
	if !ok {
		return 0, false
	}
	line, _, _ := bytes.Cut(rest, []byte("\n"))
	fields := bytes.Fields(line)
	if len(fields) == 0 {
		return 0, false
	}
	n, err := strconv.ParseInt(string(fields[0]), 10, 64)
	return n << 10, err == nil
}
