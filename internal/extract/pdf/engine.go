package pdf

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/seed-d3156d19/quarry/internal/extract/office"
)

const (
	// maxTime bounds how long PDFium reads one document, and again how long its pages
	// are arranged.
	maxTime = 2 * time.Minute
	// keptMemory is the memory up to which an instance is kept for the next document:
	// that of a module never shrinks.
	keptMemory = 128 << 20
)

// ErrSlow is for a document that is not read within maxTime.
var ErrSlow = errors.New("the document takes more than two minutes to read: divide it")

// Errors of FPDF_GetLastError.
const (
	failedPassword = 4
	failedSecurity = 5
)

// engine is PDFium as a WebAssembly module: what a hostile document does to it
// stays in the module's memory. It is compiled when the first document comes, and
// one instance of it reads one document at a time.
type engine struct {
	mutex    sync.Mutex
	runtime  *runtime
	instance *module
}

var shared engine

// session is a document that is open in the module.
type session struct {
	*module
	document uint64
}

// open gives a document to use. When something goes wrong in a module, it is thrown
// away, and the next document gets another one.
func (e *engine) open(data []byte, limit time.Duration, use func(session) error) (err error) {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	if err := e.start(); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	m := e.instance
	m.ctx = ctx
	defer func() {
		switch {
		case ctx.Err() != nil:
			err = ErrSlow
		case errors.Is(m.err, errMemory):
			err = office.ErrTooLarge
		case m.err != nil: // PDFium stopped
			err = office.ErrDamaged
		}
		if m.err != nil || ctx.Err() != nil || m.pdfium.Memory().Size() > keptMemory {
			m.close()
			e.instance = nil
		}
	}()
	return m.withDocument(data, use)
}

// start makes sure that there is an instance.
func (e *engine) start() (err error) {
	ctx := context.Background()
	if e.runtime == nil {
		if e.runtime, err = newRuntime(ctx, cacheFolder()); err != nil {
			return err
		}
	}
	if e.instance == nil {
		e.instance, err = e.runtime.newInstance(ctx)
	}
	return err
}

func (m *module) withDocument(data []byte, use func(session) error) error {
	at := m.call("malloc", uint64(len(data)))
	if at == 0 || !m.pdfium.Memory().Write(uint32(at), data) {
		return office.ErrTooLarge
	}
	defer m.call("free", at)
	document := m.call("FPDF_LoadMemDocument64", at, uint64(len(data)), 0)
	if document == 0 {
		switch m.call("FPDF_GetLastError") {
		case failedPassword, failedSecurity:
			return office.ErrEncrypted
		}
		return office.ErrDamaged
	}
	defer m.call("FPDF_CloseDocument", document)
	return use(session{m, document})
}
