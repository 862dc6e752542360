package source

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"slices"
)

// scan reads the members of an archive that is read where it lies.
func (a *archive) scan(form form, size, most int64, left *allowance) error {
	f, err := a.open()
	if err != nil {
		return err
	}
	defer f.Close()
	a.members, err = scan(f, size, form, most, left)
	return err
}

func scan(r io.ReaderAt, size int64, form form, most int64, left *allowance) ([]*member, error) {
	begin := make([]byte, 4)
	if _, err := r.ReadAt(begin, 0); OfMachine(err) {
		return nil, err
	}
	switch {
	case form == formZip && !bytes.HasPrefix(begin, []byte("PK")):
		return nil, errors.New("the content is not that of a ZIP: give it the ending of what it is")
	case form == formZip:
		return scanZip(r, size, most, left)
	}
	return scanTar(r, size, left)
}

// hold reads the members of an archive that is held in memory to be read.
func (w *walk) hold(a *archive, it Item, form form, left *allowance) error {
	most := min(maxHeld, left.unpacked)
	content, attached, err := w.contentOf(it, form, min(most, left.ratio))
	switch {
	case err != nil:
		return err
	case form == formTarGzip && int64(len(content)) > most:
		return errHeld
	case form == formTarGzip:
		err = left.unpack(int64(len(content)))
	}
	if err != nil {
		return err
	}
	if form == formMessage {
		for range attached {
			if err := left.member(0); err != nil {
				return err
			}
		}
		a.members = attached
	} else if a.members, err = scan(bytes.NewReader(content), int64(len(content)), form, w.max, left); err != nil {
		return err
	}
	known := len(content)
	a.load = func() ([]byte, error) {
		again, _, err := w.contentOf(it, form, int64(known))
		if err == nil && len(again) != known {
			err = ErrChanged
		}
		return again, err
	}
	a.shelf.held[a.level].of, a.shelf.held[a.level].data = a, content
	return nil
}

// contentOf is the content of an archive that is held in memory: of a compressed TAR
// what it unpacks to, at most one byte more than most, of a message what is attached.
func (w *walk) contentOf(it Item, form form, most int64) ([]byte, []*member, error) {
	if d, ok := w.in.(disk); ok && form == formTarGzip {
		f, err := d.unchanged(it.file, it.listed)
		if err != nil {
			return nil, nil, err
		}
		defer f.Close()
		content, err := gunzip(io.NewSectionReader(f, 0, it.Size), most)
		return content, nil, err
	}
	data, err := readHeld(w.in, it.file, it.listed, w.max, documentLimit)
	if err != nil {
		return nil, nil, err
	}
	switch form {
	case formTarGzip:
		content, err := gunzip(bytes.NewReader(data), most)
		return content, nil, err
	case formMessage:
		content, members := laid(w.attachments(it.file, data))
		return content, members, nil
	}
	return data, nil, nil
}

// laid puts attachments one after the other.
func laid(attachments []Attachment) ([]byte, []*member) {
	size := 0
	for _, a := range attachments {
		size += len(a.Data)
	}
	content := make([]byte, 0, size)
	var members []*member
	for _, a := range attachments {
		carrier := a.Carrier
		members = append(members, &member{path: a.Path, size: int64(len(a.Data)), packed: int64(len(a.Data)), offset: int64(len(content)), carrier: &carrier})
		content = append(content, a.Data...)
	}
	return content, slices.Clip(members)
}

// unchanged opens a file that must be as it was when it was listed, since it was
// noted then where in it what stands.
func (d disk) unchanged(name string, listed fs.FileInfo) (file, error) {
	f, info, err := d.open(name, listed)
	if err != nil {
		return nil, err
	}
	if info.Size() != listed.Size() || !info.ModTime().Equal(listed.ModTime()) {
		f.Close()
		return nil, ErrChanged
	}
	return f, nil
}
