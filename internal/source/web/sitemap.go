package web

import (
	"bytes"
	"compress/gzip"
	"encoding/xml"
	"io"
	"strings"
)

// Bounds of a sitemap (sitemaps.org/protocol.html): so many addresses and, unpacked,
// so many bytes. Indexes may not hold indexes, and so many sitemaps are read.
const (
	maxSitemap     = 50 << 20
	maxSitemapURLs = 50_000
	maxSitemaps    = 100
)

// sitemap is a list of pages, or an index of such lists.
type sitemap struct {
	pages, sitemaps []string
	short           bool // it was not read to its end
}

// parseSitemap reads a sitemap as far as it can be read, and no more of a compressed one
// than so many bytes. Text, one address a line, is one too.
func parseSitemap(data []byte, most int64) sitemap {
	var s sitemap
	if unzip, err := gzip.NewReader(bytes.NewReader(data)); err == nil {
		data, err = io.ReadAll(io.LimitReader(unzip, most+1))
		s.short = err != nil || int64(len(data)) > most
	}
	if !bytes.HasPrefix(bytes.TrimSpace(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))), []byte("<")) {
		for line := range strings.Lines(string(data)) {
			s.add(&s.pages, line)
		}
		return s
	}
	d := xml.NewDecoder(bytes.NewReader(data))
	d.Strict = false
	parent := ""
	for {
		t, err := d.Token()
		if err != nil {
			s.short = s.short || err != io.EOF
			return s
		}
		e, ok := t.(xml.StartElement)
		if !ok {
			continue
		}
		switch e.Name.Local {
		case "url", "sitemap":
			parent = e.Name.Local
		case "loc":
			var at string
			if err := d.DecodeElement(&at, &e); err != nil {
				s.short = true
				return s
			}
			switch parent {
			case "url":
				s.add(&s.pages, at)
			case "sitemap":
				s.add(&s.sitemaps, at)
			}
		}
	}
}

func (s *sitemap) add(to *[]string, at string) {
	at = strings.TrimSpace(at)
	switch {
	case at == "" || len(at) > maxAddress:
	case len(*to) == maxSitemapURLs:
		s.short = true
	default:
		*to = append(*to, at)
	}
}
