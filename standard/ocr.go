package standard

import (
	"errors"
	"fmt"
	"strings"

	"github.com/seed-d3156d19/quarry/internal/config"
	"github.com/seed-d3156d19/quarry/internal/extract/ocr"
)

// setRecogniser takes tesseract where it is installed and wanted. It is not started yet.
func setRecogniser(s *Settings) error {
	if s.Quarry.Recogniser != nil {
		return nil
	}
	t, err := tesseract(*s)
	if t == nil {
		return err
	}
	s.Quarry.Recogniser = t
	s.Quarry.PagesOnly = s.Quarry.PagesOnly || s.OCR.Use == config.OCRPages
	return nil
}

// tesseract is nil where it is not installed or not wanted.
func tesseract(s Settings) (*ocr.Tesseract, error) {
	if s.OCR.Use == config.NoModel {
		return nil, nil
	}
	t, err := ocr.Find(strings.Fields(s.OCR.Languages))
	switch {
	case errors.Is(err, ocr.ErrNone):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("extract.ocr.languages: %w", err)
	}
	return t, nil
}

// TryRecogniser starts the program that recognises the text of images and says which it
// is, or that there is none. The error says why it cannot work.
func TryRecogniser(s Settings) (string, error) {
	t, err := tesseract(s)
	switch {
	case err != nil:
		return "", err
	case s.OCR.Use == config.NoModel:
		return "off: text in images is not read", nil
	case t == nil:
		return "none: text in images is not read, as tesseract is not installed", nil
	}
	return t.Name(), t.Check()
}
