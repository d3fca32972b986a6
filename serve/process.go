package serve

import (
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"runtime/pprof"
	"strconv"
	"strings"
	"time"
)

// runtime writes the figures of the Go runtime, named as in Prometheus' own client.
func (e *exposition) runtime() {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	gc := debug.GCStats{PauseQuantiles: make([]time.Duration, 5)}
	debug.ReadGCStats(&gc)
	e.family("go_gc_duration_seconds", "summary", "Time for which a garbage collection stops the program.")
	for i, q := range gc.PauseQuantiles {
		e.value(q.Seconds(), "quantile", number(float64(i)/4))
	}
	e.part("_sum", gc.PauseTotal.Seconds())
	e.part("_count", float64(gc.NumGC))
	settings := []metrics.Sample{{Name: "/gc/gogc:percent"}, {Name: "/gc/gomemlimit:bytes"}}
	metrics.Read(settings)
	e.single("go_gc_gogc_percent", "gauge", "GOGC: by how much the heap grows until the next garbage collection.", float64(settings[0].Value.Uint64()))
	e.single("go_gc_gomemlimit_bytes", "gauge", "GOMEMLIMIT: the limit of the memory of the Go runtime.", float64(settings[1].Value.Uint64()))
	e.single("go_goroutines", "gauge", "Number of goroutines.", float64(runtime.NumGoroutine()))
	e.family("go_info", "gauge", "The version of Go.")
	e.value(1, "version", runtime.Version())
	for _, f := range []struct {
		name, kind, help string
		value            uint64
	}{
		{"alloc_bytes", "gauge", "Bytes of the objects on the heap.", m.Alloc},
		{"alloc_bytes_total", "counter", "Bytes allocated on the heap so far.", m.TotalAlloc},
		{"buck_hash_sys_bytes", "gauge", "Bytes of the hash tables for profiles.", m.BuckHashSys},
		{"frees_total", "counter", "Objects on the heap that were freed.", m.Frees},
		{"gc_sys_bytes", "gauge", "Bytes of the data of the garbage collection.", m.GCSys},
		{"heap_alloc_bytes", "gauge", "Bytes of the objects on the heap.", m.HeapAlloc},
		{"heap_idle_bytes", "gauge", "Bytes of the heap that hold nothing.", m.HeapIdle},
		{"heap_inuse_bytes", "gauge", "Bytes of the parts of the heap that hold objects.", m.HeapInuse},
		{"heap_objects", "gauge", "Objects on the heap.", m.HeapObjects},
		{"heap_released_bytes", "gauge", "Bytes of the heap that were given back to the system.", m.HeapReleased},
		{"heap_sys_bytes", "gauge", "Bytes of the heap.", m.HeapSys},
		{"mallocs_total", "counter", "Objects that were allocated on the heap.", m.Mallocs},
		{"mcache_inuse_bytes", "gauge", "Bytes of mcache structures in use.", m.MCacheInuse},
		{"mcache_sys_bytes", "gauge", "Bytes for mcache structures.", m.MCacheSys},
		{"mspan_inuse_bytes", "gauge", "Bytes of mspan structures in use.", m.MSpanInuse},
		{"mspan_sys_bytes", "gauge", "Bytes for mspan structures.", m.MSpanSys},
		{"next_gc_bytes", "gauge", "Bytes of the heap at which the next garbage collection ends.", m.NextGC},
		{"other_sys_bytes", "gauge", "Bytes for other data of the runtime.", m.OtherSys},
		{"stack_inuse_bytes", "gauge", "Bytes of stacks in use.", m.StackInuse},
		{"stack_sys_bytes", "gauge", "Bytes for stacks.", m.StackSys},
		{"sys_bytes", "gauge", "Bytes that the Go runtime got from the system.", m.Sys},
	} {
		e.single("go_memstats_"+f.name, f.kind, f.help, float64(f.value))
	}
	e.single("go_memstats_last_gc_time_seconds", "gauge", "Time of the last garbage collection, in seconds since 1970.", float64(m.LastGC)/1e9)
	e.single("go_sched_gomaxprocs_threads", "gauge", "GOMAXPROCS: the threads that run Go code at the same time.", float64(runtime.GOMAXPROCS(0)))
	e.single("go_threads", "gauge", "Threads that were created.", float64(pprof.Lookup("threadcreate").Count()))
}

// process writes what Linux reports about the process, named as in Prometheus' own client. On other systems it writes
// nothing.
func (e *exposition) process() {
	// Fields are numbered as in proc(5). The second is a name in parentheses that may contain anything.
	stat := procFile("self/stat")
	fields := strings.Fields(stat[strings.LastIndexByte(stat, ')')+1:])
	if len(fields) < 22 {
		return
	}
	field := func(n int) float64 { return figure(fields[n-3:]) }
	const ticks = 100 // USER_HZ, ticks per second
	limits := procFile("self/limits")
	e.single("process_cpu_seconds_total", "counter", "User and system time of the process.", (field(14)+field(15))/ticks)
	e.single("process_max_fds", "gauge", "Files that the process may have open.", figure(lineOf(limits, "Max open files")))
	if _, network, ok := strings.Cut(procFile("self/net/netstat"), "\nIpExt: "); ok {
		names, values, _ := strings.Cut(network, "\nIpExt: ")
		of := strings.Fields(values)
		for i, name := range strings.Fields(names) {
			switch {
			case i >= len(of):
			case name == "InOctets":
				e.single("process_network_receive_bytes_total", "counter", "Bytes that the network of the process received.", figure(of[i:]))
			case name == "OutOctets":
				e.single("process_network_transmit_bytes_total", "counter", "Bytes that the network of the process sent.", figure(of[i:]))
			}
		}
	}
	if open, err := os.ReadDir("/proc/self/fd"); err == nil {
		e.single("process_open_fds", "gauge", "Files that the process has open.", float64(len(open)-1))
	}
	e.single("process_resident_memory_bytes", "gauge", "Resident memory.", field(24)*float64(os.Getpagesize()))
	e.single("process_start_time_seconds", "gauge", "Start of the process, in seconds since 1970.", figure(lineOf(procFile("stat"), "btime"))+field(22)/ticks)
	e.single("process_virtual_memory_bytes", "gauge", "Virtual memory.", field(23))
	e.single("process_virtual_memory_max_bytes", "gauge", "Limit of the virtual memory.", figure(lineOf(limits, "Max address space")))
}

// procFile returns the text of a file below /proc, or "" if it cannot be read.
func procFile(name string) string {
	b, err := os.ReadFile("/proc/" + name)
	if err != nil {
		return ""
	}
	return string(b)
}

// lineOf returns the words that follow a key at the beginning of a line.
func lineOf(text, key string) []string {
	_, rest, _ := strings.Cut("\n"+text, "\n"+key)
	line, _, _ := strings.Cut(rest, "\n")
	return strings.Fields(line)
}

// figure parses the first word as a number.
func figure(words []string) float64 {
	switch {
	case len(words) == 0:
		return 0
	case words[0] == "unlimited":
		return math.MaxUint64
	}
	v, _ := strconv.ParseFloat(words[0], 64)
	return v
}
