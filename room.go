package quarry

import "sync"

// maxPreparing bounds the originals, in bytes, that are prepared or wait to be taken
// in at one time. Analysed, a text of few repeated words takes some twenty times its
// size. One original that is larger goes alone.
const maxPreparing = 8 << 20

// room lets in as much as there is room for.
type room struct {
	mu   sync.Mutex
	left *sync.Cond
	most int64
	in   int64
	wide bool
}

func newRoom(most int64) *room {
	r := &room{most: most}
	r.left = sync.NewCond(&r.mu)
	return r
}

// enter waits until size fits beside what is in, or nothing is in.
func (r *room) enter(size int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for r.in > 0 && r.in+size > r.most && !r.wide {
		r.left.Wait()
	}
	r.in += size
}

func (r *room) leave(size int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.in -= size
	r.left.Broadcast()
}

// open lets everything in, for who wants to end.
func (r *room) open() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.wide = true
	r.left.Broadcast()
}
