package pdf

import (
	"errors"

	"github.com/klippa-app/go-pdfium/enums"
	"github.com/klippa-app/go-pdfium/references"
	"github.com/klippa-app/go-pdfium/requests"
)

// drawing is what of a page's graphics says something about its text.
type drawing struct {
	rules     []box // horizontal and vertical lines, as boxes without width
	fills     []box // areas of another colour than white, and images
	images    int
	invisible []box // text that no pixel is painted of
	white     []box // text in white
}

var errPage = errors.New("the page cannot be read")

const (
	maxObjects  = 50_000 // of a page: a map may have millions
	maxSegments = 20_000 // of a page's paths
	maxPath     = 500    // segments of a path that may be a grid: a longer one is a picture
	maxForms    = 4      // forms within forms
	thin        = 3.0    // points: what is thicker is an area
)

type drawer struct {
	session
	drawing
	objects, segments int
}

// readDrawing reads the objects of a page; to maps its coordinates to boxes.
func (s session) readDrawing(of references.FPDF_PAGE, to matrix) (drawing, error) {
	d := &drawer{session: s}
	at := requests.Page{ByReference: &of}
	count, err := s.FPDFPage_CountObjects(&requests.FPDFPage_CountObjects{Page: at})
	if err != nil {
		return d.drawing, err
	}
	for i := 0; i < count.Count && d.objects < maxObjects; i++ {
		o, err := s.FPDFPage_GetObject(&requests.FPDFPage_GetObject{Page: at, Index: i})
		if err != nil {
			return d.drawing, err
		}
		if err := d.object(o.PageObject, to, 0); err != nil {
			return d.drawing, err
		}
	}
	d.rules = joinRules(d.rules)
	return d.drawing, nil
}

func (d *drawer) object(o references.FPDF_PAGEOBJECT, to matrix, depth int) error {
	d.objects++
	kind, err := d.FPDFPageObj_GetType(&requests.FPDFPageObj_GetType{PageObject: o})
	if err != nil {
		return err
	}
	switch kind.Type {
	case enums.FPDF_PAGEOBJ_TEXT:
		d.text(o, to)
	case enums.FPDF_PAGEOBJ_PATH:
		d.path(o, to)
	case enums.FPDF_PAGEOBJ_IMAGE, enums.FPDF_PAGEOBJ_SHADING:
		d.images++
		if b, ok := d.bounds(o, to); ok {
			d.fills = append(d.fills, b)
		}
	case enums.FPDF_PAGEOBJ_FORM:
		return d.form(o, to, depth)
	}
	return nil
}

func (d *drawer) form(o references.FPDF_PAGEOBJECT, to matrix, depth int) error {
	m, err := d.FPDFPageObj_GetMatrix(&requests.FPDFPageObj_GetMatrix{PageObject: o})
	if err != nil || depth == maxForms {
		return nil
	}
	own := matrix{float64(m.Matrix.A), float64(m.Matrix.B), float64(m.Matrix.C), float64(m.Matrix.D), float64(m.Matrix.E), float64(m.Matrix.F)}
	count, err := d.FPDFFormObj_CountObjects(&requests.FPDFFormObj_CountObjects{PageObject: o})
	if err != nil {
		return nil // an empty one
	}
	for i := 0; i < count.Count && d.objects < maxObjects; i++ {
		child, err := d.FPDFFormObj_GetObject(&requests.FPDFFormObj_GetObject{PageObject: o, Index: uint64(i)})
		if err != nil {
			return err
		}
		if err := d.object(child.PageObject, own.then(to), depth+1); err != nil {
			return err
		}
	}
	return nil
}

func (d *drawer) bounds(o references.FPDF_PAGEOBJECT, to matrix) (box, bool) {
	b, err := d.FPDFPageObj_GetBounds(&requests.FPDFPageObj_GetBounds{PageObject: o})
	if err != nil {
		return box{}, false
	}
	return to.box(box{float64(b.Left), float64(b.Bottom), float64(b.Right), float64(b.Top)}), true
}

// text notes what of it cannot be seen.
func (d *drawer) text(o references.FPDF_PAGEOBJECT, to matrix) {
	mode, err := d.FPDFTextObj_GetTextRenderMode(&requests.FPDFTextObj_GetTextRenderMode{PageObject: o})
	if err != nil {
		return
	}
	if m := mode.TextRenderMode; m == enums.FPDF_TEXTRENDERMODE_INVISIBLE || m == enums.FPDF_TEXTRENDERMODE_CLIP {
		if b, ok := d.bounds(o, to); ok {
			d.invisible = append(d.invisible, b)
		}
	} else if m == enums.FPDF_TEXTRENDERMODE_FILL && d.isWhite(o) {
		if b, ok := d.bounds(o, to); ok {
			d.white = append(d.white, b)
		}
	}
}

func (d *drawer) isWhite(o references.FPDF_PAGEOBJECT) bool {
	c, err := d.FPDFPageObj_GetFillColor(&requests.FPDFPageObj_GetFillColor{PageObject: o})
	return err == nil && c.FillColor.R >= 250 && c.FillColor.G >= 250 && c.FillColor.B >= 250
}

// path notes the straight lines of a path, and the area that one fills.
func (d *drawer) path(o references.FPDF_PAGEOBJECT, to matrix) {
	outer, ok := d.bounds(o, to)
	if !ok {
		return
	}
	mode, err := d.FPDFPath_GetDrawMode(&requests.FPDFPath_GetDrawMode{PageObject: o})
	if err != nil {
		return
	}
	filled := mode.FillMode != enums.FPDF_FILLMODE_NONE
	if !filled && !mode.Stroke {
		return
	}
	white := filled && d.isWhite(o)
	if outer.width() <= thin || outer.height() <= thin {
		if !white || mode.Stroke {
			d.rule(outer)
		}
		return
	}
	if filled && !white {
		d.fills = append(d.fills, outer)
	}
	if white && !mode.Stroke {
		return
	}
	for _, figure := range d.figures(o, to) {
		if !mode.Stroke { // thin bars in one path, as some programs draw a grid
			d.rule(bounds(figure, func(b box) box { return b }))
			continue
		}
		for _, edge := range figure {
			d.rule(edge)
		}
	}
}

// figures are the edges of each figure of a path of straight lines; none of a
// path that is curved or long.
func (d *drawer) figures(o references.FPDF_PAGEOBJECT, to matrix) [][]box {
	count, err := d.FPDFPath_CountSegments(&requests.FPDFPath_CountSegments{PageObject: o})
	if err != nil || count.Count > maxPath || d.segments+count.Count > maxSegments {
		return nil
	}
	d.segments += count.Count
	m, err := d.FPDFPageObj_GetMatrix(&requests.FPDFPageObj_GetMatrix{PageObject: o})
	if err != nil {
		return nil
	}
	own := matrix{float64(m.Matrix.A), float64(m.Matrix.B), float64(m.Matrix.C), float64(m.Matrix.D), float64(m.Matrix.E), float64(m.Matrix.F)}.then(to)
	var out [][]box
	var startX, startY, x, y float64
	edge := func(toX, toY float64) {
		last := len(out) - 1
		out[last] = append(out[last], box{min(x, toX), min(y, toY), max(x, toX), max(y, toY)})
		x, y = toX, toY
	}
	for i := range count.Count {
		seg, err := d.FPDFPath_GetPathSegment(&requests.FPDFPath_GetPathSegment{PageObject: o, Index: i})
		if err != nil {
			return nil
		}
		kind, err := d.FPDFPathSegment_GetType(&requests.FPDFPathSegment_GetType{PathSegment: seg.PathSegment})
		if err != nil {
			return nil
		}
		at, err := d.FPDFPathSegment_GetPoint(&requests.FPDFPathSegment_GetPoint{PathSegment: seg.PathSegment})
		if err != nil {
			return nil
		}
		px, py := own.point(float64(at.X), float64(at.Y))
		switch {
		case kind.Type == enums.FPDF_SEGMENT_MOVETO:
			out = append(out, nil)
			startX, startY, x, y = px, py, px, py
		case kind.Type == enums.FPDF_SEGMENT_LINETO && len(out) > 0:
			edge(px, py)
		default:
			return nil
		}
		if closes, err := d.FPDFPathSegment_GetClose(&requests.FPDFPathSegment_GetClose{PathSegment: seg.PathSegment}); err == nil && closes.IsClose && len(out) > 0 {
			edge(startX, startY)
		}
	}
	return out
}

func (d *drawer) rule(b box) {
	switch {
	case b.height() <= thin && b.width() > 2*thin:
		y := b.middle()
		d.rules = append(d.rules, box{b.left, y, b.right, y})
	case b.width() <= thin && b.height() > 2*thin:
		x := b.center()
		d.rules = append(d.rules, box{x, b.top, x, b.bottom})
	}
}
