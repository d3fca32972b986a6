package pipeline

import (
	"fmt"
	"runtime"
)

// LeastMemory is the least memory that a command should give a run: what the program takes by itself, and one worker. A library
// may give less, and then takes what it cannot do without.
const LeastMemory = 32 << 20

// workerMemory is the memory that a worker should have.
const workerMemory = 8 << 20

// muchMemory is the memory from which on what a stage leaves to the next one is not given back first: to take it again costs
// more than it is worth.
const muchMemory = 512 << 20

// WorkersFor returns how many of so many workers, or of those that there are processors for if 0, have enough memory.
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
