package extract

import (
	"errors"
	"slices"

	"github.com/seed-d3156d19/quarry/internal/extract/office"
)

// Served are the formats that are read where a service does it (Apache Tika): old and
// rare ones, for which no reader of our own would be as good.
var Served = Format{Name: "tika", Endings: []string{
	".doc", ".dot", ".xls", ".xlt", ".xlsb", ".ppt", ".pps", ".pot", ".pub", ".vsd", ".vsdx", ".mpp", ".one", ".wps", ".wpd", ".qpw", ".odg", ".odf", ".sxw", ".sxc", ".sxi",
	".pages", ".numbers", ".key", ".hwp", ".fb2", ".chm", ".mobi", ".prc", ".djvu", ".xps", ".dwg",
}, What: "the binary formats of Office before 2007, iWork, WordPerfect, drawings and other rare ones, through an Apache Tika server (`extract.tika`)"}

// ByService is whether an original that Extract refused with err is one that a service
// may read.
func ByService(name string, err error) bool {
	return errors.Is(err, ErrUnsupported) && (errors.Is(err, office.ErrLegacy) || slices.Contains(Served.Endings, extension(name)))
}

// FromPage reads the page that a service made of an original.
func FromPage(page []byte) (Extracted, error) {
	d, err := decode(page, true)
	if err != nil {
		return Extracted{}, err
	}
	x, err := extractHTML(d.text)
	x.Format = Served.Name
	x.Notes = append(d.notes, append(x.Notes, "It was read by Apache Tika.")...)
	return checked(x, "", err)
}
