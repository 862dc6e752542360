package pdf

import (
	"bytes"
	"compress/gzip"
	"context"
	_ "embed"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"unicode/utf16"

	"github.com/klippa-app/go-pdfium/webassembly/imports"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"
)

// packed is the module as go-pdfium ships it (TestPacked holds it to that), which
// unpacked is more than twice as large. go-pdfium's own calls go one by one through
// handles and allocations, which for the characters of a page costs more than
// PDFium itself, and a module that it has started cannot be joined by one that
// fetches many at once; so the bytes are started here.
//
//go:generate sh -c "gzip -9n <$(go list -m -f {{.Dir}} github.com/klippa-app/go-pdfium)/internal/pdfium_wasm/pdfium.wasm >pdfium.wasm.gz"
//go:embed pdfium.wasm.gz
var packed []byte

// unpacked is the module, in some 45 ms; it is asked for once by a process that reads a PDF.
func unpacked() ([]byte, error) {
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	module := bytes.NewBuffer(make([]byte, 0, 6<<20)) // of 5.8 MB
	if _, err := module.ReadFrom(r); err != nil {
		return nil, err
	}
	return module.Bytes(), nil
}

//go:generate wat2wasm chars.wat -o chars.wasm
//go:embed chars.wasm
var charsModule []byte

// maxMemory bounds what the module may hold, the document included, in pages of
// 64 KiB: 512 MiB.
const maxMemory = 8192

// runtime is a compiled PDFium, of which instances are made.
type runtime struct {
	wazero.Runtime
	pdfium, chars wazero.CompiledModule
}

// cacheFolder is where the compiled module is kept, so that it is compiled once
// for each version and not by each process; "" if there is no such folder.
func cacheFolder() string {
	dir, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "quarry", "pdfium")
}

func newRuntime(ctx context.Context, cacheDir string) (*runtime, error) {
	cache := wazero.NewCompilationCache()
	if cacheDir != "" && os.MkdirAll(cacheDir, 0o700) == nil {
		if kept, err := wazero.NewCompilationCacheWithDir(cacheDir); err == nil {
			cache = kept
		}
	}
	r := &runtime{Runtime: wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfig().
		WithCoreFeatures(api.CoreFeaturesV2|experimental.CoreFeaturesExceptionHandling).
		WithMemoryLimitPages(maxMemory).
		WithCloseOnContextDone(true).
		WithCompilationCache(cache))}
	module, err := unpacked()
	if err == nil {
		_, err = wasi_snapshot_preview1.Instantiate(ctx, r)
	}
	if err == nil {
		r.pdfium, err = r.CompileModule(ctx, module)
	}
	if err == nil {
		_, err = imports.Instantiate(ctx, r, r.pdfium)
	}
	if err == nil {
		r.chars, err = r.CompileModule(ctx, charsModule)
	}
	if err != nil {
		r.Close(ctx)
		return nil, err
	}
	return r, nil
}

// module is an instance. The first error stays, and every call after it gives 0, so
// that a sequence of calls is checked once at its end.
type module struct {
	ctx       context.Context // of the document that is read
	err       error
	pdfium    api.Module
	chars     api.Module
	functions map[string]api.Function
	scratch   uint32 // memory for what calls give back
}

// maxScratch is what scratch holds: a title of a bookmark.
const maxScratch = 4096

// newInstance starts a module. It sees no file, no clock but a fake one and no
// network.
func (r *runtime) newInstance(ctx context.Context) (*module, error) {
	p, err := r.InstantiateModule(ctx, r.pdfium, wazero.NewModuleConfig().WithName("pdfium").WithStartFunctions("_initialize").
		WithStdout(io.Discard).WithStderr(io.Discard))
	if err != nil {
		return nil, err
	}
	c, err := r.InstantiateModule(ctx, r.chars, wazero.NewModuleConfig().WithName("chars"))
	if err != nil {
		p.Close(ctx)
		return nil, err
	}
	m := &module{ctx: ctx, pdfium: p, chars: c, functions: map[string]api.Function{}}
	m.call("FPDF_InitLibrary")
	if m.scratch = uint32(m.call("malloc", maxScratch)); m.scratch == 0 && m.err == nil {
		m.err = errMemory
	}
	if m.err != nil {
		m.close()
		return nil, m.err
	}
	return m, nil
}

func (m *module) close() {
	ctx := context.Background()
	m.chars.Close(ctx)
	m.pdfium.Close(ctx)
}

var errMemory = errors.New("the module has no more memory")

// call calls a function of PDFium by its name in its headers (public/fpdf*.h).
func (m *module) call(name string, args ...uint64) uint64 {
	if m.err != nil {
		return 0
	}
	f := m.functions[name]
	if f == nil {
		of := m.pdfium
		if name == "chars" {
			of = m.chars
		}
		if f = of.ExportedFunction(name); f == nil {
			m.err = errors.New("the module lacks " + name)
			return 0
		}
		m.functions[name] = f
	}
	var stack [8]uint64
	copy(stack[:], args)
	if m.err = f.CallWithStack(m.ctx, stack[:max(len(args), 1)]); m.err != nil {
		return 0
	}
	return stack[0]
}

// is is call for what gives a truth value.
func (m *module) is(name string, args ...uint64) bool { return int32(m.call(name, args...)) != 0 }

// count is call for what gives a number, -1 meaning none.
func (m *module) count(name string, args ...uint64) int {
	return max(0, int(int32(m.call(name, args...))))
}

// at is an address in scratch.
func (m *module) at(offset uint32) uint64 { return uint64(m.scratch + offset) }

// read gives bytes of the module's memory, which the next call may change.
func (m *module) read(from, n uint32) []byte {
	b, ok := m.pdfium.Memory().Read(from, n)
	if !ok && m.err == nil {
		m.err = errMemory
	}
	if !ok {
		return make([]byte, n)
	}
	return b
}

// floats reads numbers of scratch.
func (m *module) floats(n int) []float64 { return floats(m.read(m.scratch, uint32(4*n)), n) }

func floats(b []byte, n int) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = float64(math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:])))
	}
	return out
}

func doubleAt(b []byte, at int) float64 {
	return math.Float64frombits(binary.LittleEndian.Uint64(b[at:]))
}

// text is what a function writes as UTF-16 when it is given memory and its size
// behind its other arguments.
func (m *module) text(name string, args ...uint64) string {
	return m.utf16(m.count(name, append(args, m.at(0), maxScratch)...), maxScratch)
}

// utf16 is the text of n bytes in scratch, a zero at their end; "" if they were more
// than there is room for.
func (m *module) utf16(n, room int) string {
	if n < 2 || n > room {
		return ""
	}
	b := m.read(m.scratch, uint32(n-2))
	units := make([]uint16, len(b)/2)
	for i := range units {
		units[i] = binary.LittleEndian.Uint16(b[2*i:])
	}
	return clean(string(utf16.Decode(units)))
}
