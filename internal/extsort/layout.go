package extsort

// minMemory is the smallest memory for sorting and merging.
const minMemory = 1 << 20

// layout describes the division of the memory. While records are appended, there are buffers of equal size: one to
// fill, one spare, and for each worker one to sort and one of scratch. While runs are merged, scratch and free buffers
// are cut into blocks to read into. An eighth of the memory is for the blocks of the appenders and for the batches
// between the merge and the iterator.
type layout struct {
	stride  int // bytes of a record in memory and on disk, at least Config.Size
	buffers int // that hold records
	scratch int // of the same size, one a worker
	buffer  int // bytes of one, a multiple of stride
	block   int // bytes read from a run at once, likewise
	batch   int // bytes that an appender or the merge passes on at once, likewise
}

// The first buffer begins with firstBuffer bytes. Whenever it is full, it becomes growth times as large, up to the size
// of the others, so that few records take little memory.
const (
	firstBuffer = 64 << 10
	growth      = 4
)

const (
	minBlock = 4 << 10
	maxBlock = 256 << 10
	batches  = 3 // between merge and iterator
)

func newLayout(c Config, stride int) layout {
	l := layout{stride: stride, buffers: c.Workers + 2, scratch: c.Workers}
	l.block = l.round(min(max(c.Memory/2048, minBlock), maxBlock))
	l.batch = l.round(min(max(c.Memory/256, minBlock), maxBlock/4))
	l.buffer = l.round((c.Memory - c.Memory/8) / int64(l.buffers+l.scratch))
	return l
}

// MemoryFor returns the least Config.Memory with which each buffer of a Sorter holds n records of a size, so that none
// of them goes to disk and they are sorted at once.
func MemoryFor(size int, n int64, workers int) int64 {
	_, stride := kernelFor(size)
	buffers := int64(2*max(workers, 1) + 2)
	return max(minMemory, ((n+1)*int64(stride)*buffers+1)*8/7)
}

// round returns the multiple of the stride at or below n, but one record at least.
func (l layout) round(n int64) int { return max(int(n)/l.stride, 1) * l.stride }
