package pdf

import (
	"bytes"
	"testing"
	_ "unsafe" // for go:linkname

	_ "github.com/klippa-app/go-pdfium/webassembly" // holds the module
)

//go:linkname shipped github.com/klippa-app/go-pdfium/internal/pdfium_wasm.Module
var shipped []byte

// TestPacked: the module here is that of the version of go-pdfium in go.mod, whose imports it is given.
func TestPacked(t *testing.T) {
	module, err := unpacked()
	if err != nil {
		t.Fatal(err)
	}
	if len(shipped) == 0 || !bytes.Equal(module, shipped) {
		t.Errorf("pdfium.wasm.gz holds %d bytes that are not the %d that go-pdfium ships: run go generate in internal/extract/pdf", len(module), len(shipped))
	}
}
