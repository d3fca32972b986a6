package framed

import "testing"

// TestStreamsOnFullDisk checks that Append and Close report a full disk.
func TestStreamsOnFullDisk(t *testing.T) {
	s, err := CreateStreams("/dev/full", 2)
	must(t, err)
	if err := s.Append(0, make([]byte, BlockHead+1)); err == nil {
		t.Error("Append on a full disk")
	}
	if err := s.Append(1, make([]byte, BlockHead+1)); err == nil {
		t.Error("Append after an error")
	}
	if err := s.Close(); err == nil {
		t.Error("Close on a full disk")
	}
}
