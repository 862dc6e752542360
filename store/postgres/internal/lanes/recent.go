package lanes

import "sync"

// recent is a map of bounded size that keeps what was asked for lately: when the newer half is full it
// takes the place of the older one, which is let go. Reading all of a large map once so drives out no
// more than half of what others ask for again and again. It may be used concurrently.
type recent[K comparable, V any] struct {
	most int // of sizes

	mu           sync.Mutex
	newer, older map[K]sized[V]
	size         int // of the newer
}

type sized[V any] struct {
	value V
	size  int
}

func (r *recent[K, V]) get(key K) (value V, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if s, ok := r.newer[key]; ok {
		return s.value, true
	}
	s, ok := r.older[key]
	if ok {
		delete(r.older, key)
		r.keep(key, s)
	}
	return s.value, ok
}

// put keeps a value, in the place of another of its key for which unless is not true.
func (r *recent[K, V]) put(key K, value V, size int, unless func(old V) bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, half := range []map[K]sized[V]{r.newer, r.older} {
		if old, ok := half[key]; ok && unless(old.value) {
			return
		}
	}
	delete(r.older, key)
	r.keep(key, sized[V]{value, size})
}

func (r *recent[K, V]) keep(key K, s sized[V]) {
	if s.size > r.most/2 {
		delete(r.newer, key)
		return
	}
	if old, ok := r.newer[key]; ok {
		r.size -= old.size
	}
	if r.newer == nil || r.size+s.size > r.most/2 {
		delete(r.newer, key)
		r.newer, r.older, r.size = map[K]sized[V]{}, r.newer, 0
	}
	r.newer[key] = s
	r.size += s.size
}
