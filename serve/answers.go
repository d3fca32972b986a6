package serve

import (
	"container/list"
	"maps"
	"slices"
	"sync"
)

// answers caches the most recently used answers, up to a number of bytes. A run never changes, so an answer stays
// correct: its key identifies the contents of the runs. New answers push out those about runs that were replaced.
type answers struct {
	most int // in bytes

	mu     sync.Mutex
	bytes  int
	recent *list.List // of *keptAnswer, most recently used first
	by     map[string]*list.Element
}

// keptAnswer is a cached answer. It is never modified.
type keptAnswer struct {
	key   string
	reply reply
	bytes int
}

// Bounds on cached answers.
const (
	mostKey     = 2 << 10  // in bytes
	mostOfAll   = 16       // an answer takes at most this fraction of the room
	perAnswer   = 1 << 10  // bytes that an answer takes besides its key and body: headers, list, map
	defaultKeep = 32 << 20 // default for the bytes of all answers
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

// put caches an answer and drops the least recently used ones. It does not cache large answers.
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
