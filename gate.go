package quarry

import "sync"

// maxPreparing bounds the originals, in bytes, that are prepared or wait to be taken
// in at one time. Analysed, a text of few repeated words takes some twenty times its
// size. One original that is larger goes alone.
const maxPreparing = 8 << 20

// gate lets in as much as there is room for.
type gate struct {
	mu   sync.Mutex
	left *sync.Cond
	room int64
	in   int64
	wide bool
}

func newGate(room int64) *gate {
	g := &gate{room: room}
	g.left = sync.NewCond(&g.mu)
	return g
}

// enter waits until size fits beside what is in, or nothing is in.
func (g *gate) enter(size int64) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for g.in > 0 && g.in+size > g.room && !g.wide {
		g.left.Wait()
	}
	g.in += size
}

func (g *gate) leave(size int64) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.in -= size
	g.left.Broadcast()
}

// open lets everything in, for who wants to end.
func (g *gate) open() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.wide = true
	g.left.Broadcast()
}
