package source

import (
	"errors"
	"fmt"
)

// What an archive may hold, those in it included. They bound what a hostile one costs
// and are far from what people pack: text is rarely packed to less than a twentieth.
const (
	maxNested   = 3 // archives and messages within each other
	maxMembers  = 100_000
	maxUnpacked = 8 << 30 // bytes, of all members together
	maxRatio    = 200     // unpacked to packed bytes,
	ratioFree   = 64 << 20
	// maxHeld bounds a compressed TAR, which is unpacked in memory. ZIP and plain TAR
	// are read where they lie.
	maxHeld = 256 << 20
	// maxDirectory bounds the directory of a ZIP: 160 bytes a member.
	maxDirectory = 16 << 20
)

var (
	errMembers  = fmt.Errorf("the archive holds more than %d files: divide it", maxMembers)
	errUnpacked = fmt.Errorf("the archive unpacks to more than %d GiB: divide it", maxUnpacked>>30)
	errRatio    = fmt.Errorf("the archive unpacks to more than %d times its size, which documents do not: leave it out, or unpack it yourself", maxRatio)
	errHeld     = fmt.Errorf("the compressed TAR unpacks to more than %d MiB: pack it as ZIP or as plain TAR", maxHeld>>20)
	errNested   = fmt.Errorf("archives and messages within each other are read to a depth of %d: unpack it", maxNested)
	errLocked   = errors.New("it is encrypted: pack it without a password")
	errMethod   = errors.New("it is packed by a method that is not read: pack it with deflate")
)

// allowance is what an archive on disk and those in it may still hold.
type allowance struct {
	members  int
	unpacked int64
	ratio    int64
}

func newAllowance(packed int64) *allowance {
	return &allowance{members: maxMembers, unpacked: maxUnpacked, ratio: max(ratioFree, min(packed, maxUnpacked)*maxRatio)}
}

// member takes one of so many bytes; of what is not unpacked 0.
func (a *allowance) member(unpacked int64) error {
	a.members--
	if a.members < 0 {
		return errMembers
	}
	return a.unpack(unpacked)
}

func (a *allowance) unpack(n int64) error {
	if n < 0 || n > a.unpacked {
		return errUnpacked
	}
	if n > a.ratio {
		return errRatio
	}
	a.unpacked -= n
	a.ratio -= n
	return nil
}
