package source

import (
	"archive/tar"
	"compress/gzip"
	"errors"
	"io"
	"io/fs"
	"strings"
)

// scanTar reads the headers of a TAR (POSIX.1-2017, pax) and where the files stand in
// it. Of one that is cut or damaged nothing is read: a sidecar that closes what came before
// may have stood behind.
func scanTar(r io.ReaderAt, size int64, left *allowance) ([]*member, error) {
	at := io.NewSectionReader(r, 0, size)
	t := tar.NewReader(at)
	var out []*member
	end := int64(0) // of the last file, with its padding
	for {
		h, err := t.Next()
		switch {
		case errors.Is(err, io.EOF):
			if end >= size {
				return nil, errDamaged // the blocks that end it are missing: a part of one
			}
			return out, nil
		case OfMachine(err):
			return nil, err
		case err != nil && !errors.Is(err, tar.ErrInsecurePath): // paths are looked at here
			return nil, errDamaged
		}
		if err := left.member(0); err != nil {
			return nil, err
		}
		// The reader has read the header and nothing behind it.
		offset, err := at.Seek(0, io.SeekCurrent)
		if err != nil {
			return nil, err
		}
		m := &member{path: h.Name, size: h.Size, packed: h.Size, offset: offset, mode: tarMode(h)}
		if sparse(h) {
			m.fault = errMethod
		}
		if m.mode.IsRegular() && m.fault == nil && (m.size < 0 || m.size > size-offset) {
			return nil, errDamaged
		}
		if end = offset; m.mode.IsRegular() {
			end += (m.size + 511) &^ 511
		}
		out = append(out, m)
	}
}

// tarMode is what a header stands for; a link to a file is one as well.
func tarMode(h *tar.Header) fs.FileMode {
	switch h.Typeflag {
	case tar.TypeReg:
		return 0
	case tar.TypeDir:
		return fs.ModeDir
	case tar.TypeSymlink, tar.TypeLink:
		return fs.ModeSymlink
	case tar.TypeFifo:
		return fs.ModeNamedPipe
	case tar.TypeChar, tar.TypeBlock:
		return fs.ModeDevice
	}
	return fs.ModeIrregular
}

// sparse is whether a file's holes are left out, so that it stands in no one piece.
func sparse(h *tar.Header) bool {
	for key := range h.PAXRecords {
		if strings.HasPrefix(key, "GNU.sparse.") {
			return true
		}
	}
	return h.Typeflag == tar.TypeGNUSparse
}

// gunzip unpacks at most one byte more than most.
func gunzip(r io.Reader, most int64) ([]byte, error) {
	z, err := gzip.NewReader(r)
	if err != nil {
		return nil, orDamaged(err)
	}
	data, err := io.ReadAll(io.LimitReader(z, most+1))
	if err != nil {
		return nil, orDamaged(err)
	}
	return data, nil
}

func orDamaged(err error) error {
	if OfMachine(err) {
		return err
	}
	return errDamaged
}
