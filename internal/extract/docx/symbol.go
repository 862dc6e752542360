package docx

import (
	"strconv"
	"strings"
)

// symbol is the character that a code of a symbol font stands for. Word writes
// them in the private use area from U+F000 on. Without a table for the font the
// picture cannot be told, and a replacement character stands for it.
func symbol(font, code string) string {
	v, err := strconv.ParseUint(code, 16, 32)
	if err != nil {
		return ""
	}
	if v >= 0xF000 && v < 0xF100 {
		v -= 0xF000
	}
	switch strings.ToLower(font) {
	case "symbol":
		if s, ok := symbolFont[byte(v)]; ok && v < 0x100 {
			return s
		}
		if v >= 0x41 && v <= 0x5A {
			return string([]rune("ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ")[v-0x41])
		}
		if v >= 0x61 && v <= 0x7A {
			return string([]rune("αβχδεφγηιϕκλμνοπθρστυϖωξψζ")[v-0x61])
		}
	case "wingdings", "wingdings 2", "wingdings 3", "webdings":
		if s, ok := wingdings[byte(v)]; ok && v < 0x100 && strings.EqualFold(font, "wingdings") {
			return s
		}
		return "\uFFFD"
	}
	if v >= 0xE000 && v < 0xF900 || v == 0 || v > 0x10FFFF {
		return "\uFFFD"
	}
	return string(rune(v))
}

// symbolFont is Adobe's encoding of the font Symbol outside of its letters, as
// the Unicode consortium maps it (MAPPINGS/VENDORS/ADOBE/symbol.txt).
var symbolFont = map[byte]string{
	0x22: "∀", 0x24: "∃", 0x27: "∋", 0x2D: "−", 0x40: "≅", 0x5C: "∴", 0x5E: "⊥", 0x7E: "∼",
	0xA2: "′", 0xA3: "≤", 0xA4: "⁄", 0xA5: "∞", 0xA9: "♥", 0xAB: "↔", 0xAC: "←", 0xAD: "↑", 0xAE: "→", 0xAF: "↓",
	0xB0: "°", 0xB1: "±", 0xB2: "″", 0xB3: "≥", 0xB4: "×", 0xB5: "∝", 0xB6: "∂", 0xB7: "•", 0xB8: "÷", 0xB9: "≠",
	0xBA: "≡", 0xBB: "≈", 0xBC: "…", 0xC4: "⊗", 0xC5: "⊕", 0xC6: "∅", 0xC7: "∩", 0xC8: "∪", 0xCC: "⊂", 0xCD: "⊆",
	0xCE: "∈", 0xCF: "∉", 0xD0: "∠", 0xD1: "∇", 0xD2: "®", 0xD3: "©", 0xD4: "™", 0xD5: "∏", 0xD6: "√", 0xD7: "⋅",
	0xD8: "¬", 0xD9: "∧", 0xDA: "∨", 0xDB: "⇔", 0xDC: "⇐", 0xDE: "⇒", 0xE5: "∑", 0xF2: "∫",
}

// wingdings are the signs of the font that carry meaning in text.
var wingdings = map[byte]string{
	0x6C: "●", 0x6E: "■", 0x6F: "□", 0x71: "❑", 0x75: "◆", 0x76: "❖", 0xA7: "▪", 0xA8: "◻",
	0xD8: "➢", 0xE0: "→", 0xDF: "←", 0xF0: "⇨", 0xFB: "✗", 0xFC: "✓", 0xFD: "☒", 0xFE: "☑",
}
