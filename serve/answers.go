package serve

import (
	"container/list"
	"maps"
	"slices"
	"sync"
)

// answers keeps the answers that were given last, within a number of bytes. A run never changes, so an answer stays
// right as long as its key names the contents of the runs. Answers of runs that were replaced are pushed out by others.
type answers struct {
	most int // bytes

	mu     sync.Mutex
	bytes  int
	recent *list.List // of *keptAnswer, those used last first
	by     map[string]*list.Element
}

// keptAnswer is an answer that is kept. Nobody changes it.
type keptAnswer struct {
	key   string
	reply reply
	bytes int
}

// Bounds of an answer that is kept.
const (
	mostKey     = 2 << 10  // bytes
	mostOfAll   = 16       // an answer takes at most this part of the room
	perAnswer   = 1 << 10  // bytes that an answer takes beside its key and its body: headers, list, map
	defaultKeep = 32 << 20 // bytes for all
)

func newAnswers(most int) *answers {
	return &answers{most: most, recent: list.New(), by: map[string]*list.Element{}}
}

// get copies the answer with a key to a reply and reports whether there is one. The body is shared.
func (all *answers) get(key string, to *reply) bool {
	all.mu.Lock()
	defer all.mu.Unlock()
	e := all.by[key]
	if e == nil {
		return false
	}
	all.recent.MoveToFront(e)
	kept := &e.Value.(*keptAnswer).reply
	to.status, to.header, to.body = kept.status, maps.Clone(kept.header), kept.body
	return true
}

// put keeps an answer and drops those that were not used for the longest time. It does not keep an answer that is large.
func (all *answers) put(key string, a *reply) {
	size := len(key) + len(a.body) + perAnswer
	if len(key) > mostKey || size > all.most/mostOfAll {
		return
	}
	kept := &keptAnswer{key, reply{a.status, maps.Clone(a.header), slices.Clip(a.body)}, size}
	all.mu.Lock()
	defer all.mu.Unlock()
	if all.by[key] != nil {
		return // another request was faster
	}
	all.by[key] = all.recent.PushFront(kept)
	for all.bytes += size; all.bytes > all.most; {
		last := all.recent.Back()
		old := all.recent.Remove(last).(*keptAnswer)
		delete(all.by, old.key)
		all.bytes -= old.bytes
	}
}
