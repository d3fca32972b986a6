package pipeline

import (
	"fmt"
	"runtime"
)

// LeastMemory is the least memory limit that a command should accept: enough for the program itself and one worker.
// Options.Memory may be less, but the limit is then not kept.
const LeastMemory = 32 << 20

// workerMemory is the memory that a worker should have.
const workerMemory = 8 << 20

// muchMemory is the limit below which freed memory goes back to the system between stages, so that each stage begins with
// all of it. With more memory that is not needed, and to take it from the system again costs time.
const muchMemory = 512 << 20

// WorkersFor returns the number of workers to use with a memory limit: at most workers, or the number of processors if that
// is 0, and at least one.
func WorkersFor(workers int, memory int64) int {
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	return int(max(1, min(int64(workers), (memory-LeastMemory)/workerMemory)))
}

// MemoryError says that the work cannot be done within Options.Memory. The stages before are kept, and the same run goes on with
// more.
type MemoryError struct {
	Memory int64  // Options.Memory
	Least  int64  // that it takes
	What   string // that takes it
}

// Error says how much is needed, and for what.
func (e *MemoryError) Error() string {
	mib := func(n int64) int64 { return (n + 1<<20 - 1) >> 20 }
	return fmt.Sprintf("%d MiB of memory are too little for %s: give the same command with --memory %dMiB to go on", mib(e.Memory), e.What, mib(e.Least))
}
