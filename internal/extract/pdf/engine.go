package pdf

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/klippa-app/go-pdfium"
	pdfiumerrors "github.com/klippa-app/go-pdfium/errors"
	"github.com/klippa-app/go-pdfium/references"
	"github.com/klippa-app/go-pdfium/requests"
	"github.com/klippa-app/go-pdfium/webassembly"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"

	"github.com/seed-d3156d19/quarry/internal/extract/office"
)

const (
	// maxMemory bounds what the module may hold, the document included, in pages
	// of 64 KiB: 512 MiB.
	maxMemory = 8192
	// maxTime bounds how long one document is read.
	maxTime = 2 * time.Minute
	// maxStart bounds how long the wait for a new instance of the module is.
	maxStart = time.Minute
)

// ErrSlow is for a document that is not read within maxTime.
var ErrSlow = errors.New("the document takes more than two minutes to read: divide it")

// engine is PDFium as a WebAssembly module: what a hostile document does to it
// stays in the module's memory. It is compiled when the first document comes, and
// one instance of it reads one document at a time.
type engine struct {
	mutex sync.Mutex
	pool  pdfium.Pool
}

var shared engine

// cacheFolder is where the compiled module is kept, so that it is compiled once
// for each version and not by each process; "" if there is no such folder.
func cacheFolder() string {
	dir, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "quarry", "pdfium")
}

func newPool(cacheDir string) (pdfium.Pool, error) {
	cache := wazero.NewCompilationCache()
	if cacheDir != "" && os.MkdirAll(cacheDir, 0o700) == nil {
		if kept, err := wazero.NewCompilationCacheWithDir(cacheDir); err == nil {
			cache = kept
		}
	}
	return webassembly.Init(webassembly.Config{
		MinIdle: 0, MaxIdle: 1, MaxTotal: 1, ReuseWorkers: true,
		Stdout: io.Discard, Stderr: io.Discard,
		FSConfig: wazero.NewFSConfig(), // the module sees no file
		RuntimeConfig: wazero.NewRuntimeConfig().
			WithCoreFeatures(api.CoreFeaturesV2 | experimental.CoreFeaturesExceptionHandling).
			WithMemoryLimitPages(maxMemory).
			WithCloseOnContextDone(true).
			WithCompilationCache(cache),
	})
}

// session is a document that is open in the module.
type session struct {
	pdfium.Pdfium
	document references.FPDF_DOCUMENT
}

// open gives the document to use. Whatever goes wrong in use may have harmed the
// module, so its instance is thrown away and the next document gets another one.
func (e *engine) open(data []byte, limit time.Duration, use func(session) error) (err error) {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	if e.pool == nil {
		if e.pool, err = newPool(cacheFolder()); err != nil {
			return err
		}
	}
	instance, err := e.pool.GetInstance(maxStart)
	if err != nil {
		return err
	}
	var late atomic.Bool
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	stop := context.AfterFunc(ctx, func() {
		late.Store(true)
		instance.Kill()
	})
	broken := true
	defer func() {
		if recover() != nil {
			err = office.ErrDamaged
		}
		killed := !stop()
		switch {
		case late.Load():
			err = ErrSlow
		case killed:
		case broken:
			instance.Kill()
		default:
			instance.Close()
		}
	}()
	opened, err := instance.OpenDocument(&requests.OpenDocument{File: &data})
	switch {
	case errors.Is(err, pdfiumerrors.ErrPassword), errors.Is(err, pdfiumerrors.ErrSecurity):
		broken = false
		return office.ErrEncrypted
	case errors.Is(err, pdfiumerrors.ErrFormat), errors.Is(err, pdfiumerrors.ErrFile), errors.Is(err, pdfiumerrors.ErrPage):
		broken = false
		return office.ErrDamaged
	case err != nil:
		return office.ErrDamaged
	}
	if err := use(session{instance, opened.Document}); err != nil {
		return err
	}
	broken = false
	return nil
}
