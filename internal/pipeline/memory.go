package pipeline

import (
	"fmt"
	"runtime"
)

// LeastMemory is the least memory limit that a command should accept: enough for the program itself and one worker.
// The process exceeds a lower Options.Memory.
const LeastMemory = 32 << 20

// workerMemory is the memory that a worker should have.
const workerMemory = 8 << 20

// WorkersFor returns the number of workers to use with a memory limit: at most workers, or the number of processors
// if workers is 0, and at least one.
func WorkersFor(workers int, memory int64) int {
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	return int(max(1, min(int64(workers), (memory-LeastMemory)/workerMemory)))
}

// MemoryError is the error for work that cannot be done within Options.Memory. Finished stages are kept; the run can
// continue with more memory.
type MemoryError struct {
	Memory int64  // Options.Memory
	Least  int64  // bytes that the work needs
	What   string // the work that needs it
}

// Error returns a message with the work and the memory that it needs.
func (e *MemoryError) Error() string {
	mib := func(n int64) int64 { return (n + 1<<20 - 1) >> 20 }
	return fmt.Sprintf("%d MiB of memory are too little for %s: give the same command with --memory %dMiB to go on", mib(e.Memory), e.What, mib(e.Least))
}
