package extract

import (
	"errors"
	"strings"
	"testing"

	"github.com/seed-d3156d19/quarry/internal/extract/office"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/encoding/unicode/utf32"
)

var (
	chinese = "退款政策：客户在续约后十四天内可以申请退款。逾期的申请由客户经理决定，并通知财务部门。"
	taiwan  = "退款政策：客戶在續約後十四天內可以申請退款。逾期的申請由客戶經理決定，並通知財務部門。"
	nihongo = "返金規程：お客様は契約更新後十四日以内に返金を申請することができます。期限を過ぎた申請は担当者が判断します。"
	hangugo = "환불 규정: 고객은 계약 갱신 후 십사 일 이내에 환불을 신청할 수 있습니다. 기한이 지난 신청은 담당자가 결정합니다."
	german  = "Kündigung: Die Kündigungsfrist beträgt für Geschäftskunden drei Monate, gemäß § 12 der Straßenordnung."
	french  = "L’abonné peut être remboursé « à l’échéance » — après vérification, où le délai est dépassé : 20 €."
	russian = "Политика возврата: клиент может запросить возврат в течение четырнадцати дней после продления договора."
	nordic  = "Kunden kan få pengene tilbake innen fjorten dager. Søknader på øya behandles særskilt."
	spanish = "¿Cuándo se devuelve el dinero? El cliente podrá pedirlo en quince días, según la decisión del año."
	english = "The customer may ask for the money back within fourteen days of the renewal."
)

// Text in GB18030, Shift-JIS, UTF-16 or Latin-1 becomes replacement characters
// elsewhere.
func TestEncodings(t *testing.T) {
	utf16le := unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM)
	utf16be := unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM)
	for _, tt := range []struct {
		what string
		enc  encoding.Encoding
		text string
	}{
		{"UTF-8", encoding.Nop, chinese},
		{"UTF-8 with mark", unicode.UTF8BOM, german},
		{"UTF-16 LE with mark", unicode.UTF16(unicode.LittleEndian, unicode.UseBOM), chinese},
		{"UTF-16 BE with mark", unicode.UTF16(unicode.BigEndian, unicode.UseBOM), german},
		{"UTF-32 with mark", utf32.UTF32(utf32.LittleEndian, utf32.UseBOM), german},
		{"UTF-16 LE", utf16le, english},
		{"UTF-16 BE", utf16be, german},
		{"UTF-16 LE, Chinese", utf16le, chinese + "\n" + chinese + " 14 "},
		{"UTF-16 BE, Russian", utf16be, russian},
		{"GB18030", simplifiedchinese.GB18030, chinese},
		{"GBK", simplifiedchinese.GBK, chinese},
		{"Big5", traditionalchinese.Big5, taiwan},
		{"Shift-JIS", japanese.ShiftJIS, nihongo},
		{"EUC-JP", japanese.EUCJP, nihongo},
		{"ISO-2022-JP", japanese.ISO2022JP, nihongo},
		{"EUC-KR", korean.EUCKR, hangugo},
		{"Windows-1252, German", charmap.Windows1252, german},
		{"Windows-1252, French", charmap.Windows1252, french},
		{"Latin-1, Norwegian", charmap.ISO8859_1, nordic},
		{"Latin-1, Spanish", charmap.ISO8859_1, spanish},
		{"Windows-1251", charmap.Windows1251, russian},
		{"KOI8-R", charmap.KOI8R, russian},
	} {
		texts := []string{tt.text, english + "\r\n\r\n" + tt.text + "\r" + english}
		if tt.text[0] < 0xe0 { // a few words suffice where letters tell
			texts = append(texts, firstWords(tt.text))
		}
		for _, text := range texts {
			data, err := tt.enc.NewEncoder().Bytes([]byte(text))
			if err != nil {
				t.Fatal(tt.what, err)
			}
			want := strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text)
			for _, name := range []string{"a.txt", "a.md", "README"} {
				x, err := Extract(name, data)
				if err != nil || x.Text != want {
					t.Errorf("%s as %s: got %q, %v, want %q", tt.what, name, x.Text, err, want)
				}
			}
		}
	}
}

// firstWords is a text up to its first mark.
func firstWords(s string) string {
	for i, r := range s {
		if strings.ContainsRune(":?,.—", r) {
			return s[:i+len(string(r))]
		}
	}
	return s
}

func TestDeclaredEncodingOfPages(t *testing.T) {
	page := func(label, text string, enc encoding.Encoding) []byte {
		s, err := enc.NewEncoder().String("<html><head><meta charset=\"" + label + "\"><title>x</title></head><body><p>" + text + "</p></body></html>")
		if err != nil {
			t.Fatal(err)
		}
		return []byte(s)
	}
	for what, tt := range map[string]struct {
		data []byte
		want string
	}{
		"Shift-JIS":               {page("shift_jis", "短文", japanese.ShiftJIS), "短文"},
		"GB2312":                  {page("gb2312", "短文", simplifiedchinese.GBK), "短文"},
		"Latin-1":                 {page("iso-8859-1", "né", charmap.Windows1252), "né"},
		"Central European":        {page("windows-1250", "žluťoučký kůň", charmap.Windows1250), "žluťoučký kůň"},
		"says UTF-8, is not":      {page("utf-8", german, charmap.Windows1252), german},
		"says Latin-1, has a BOM": {append([]byte("\xef\xbb\xbf"), page("iso-8859-1", german, encoding.Nop)...), german},
	} {
		for _, name := range []string{"a.html", "saved.txt"} {
			x, err := Extract(name, tt.data)
			if err != nil || !strings.Contains(x.Text, tt.want) || x.Format != formatHTML {
				t.Errorf("%s as %s: got %q %q, %v", what, name, x.Format, x.Text, err)
			}
		}
	}
}

func TestInvalidUTF8IsReplacedAndNoted(t *testing.T) {
	x, err := Extract("a.txt", []byte(chinese+"\xff"+chinese))
	if err != nil || x.Text != chinese+"\uFFFD"+chinese || len(x.Notes) != 1 || !strings.Contains(x.Notes[0], "1 bytes") {
		t.Errorf("%q %v %v", x.Text, x.Notes, err)
	}
	if x, err = Extract("a.txt", []byte(german[:1]+"ü cut: \xc3")); err != nil || !strings.HasSuffix(x.Text, "\uFFFD") {
		t.Errorf("%q %v", x.Text, err)
	}
}

func TestWhatIsNoText(t *testing.T) {
	random := make([]byte, 4096)
	for i := range random {
		random[i] = byte(i*i*7 + i>>3 + i*31)
	}
	for _, tt := range []struct {
		name, data string
		want       error
	}{
		{"a.pdf", "%PDF-1.7", office.ErrDamaged},
		{"a.pdf", "", ErrNoText},
		{"a.wks", "text", ErrUnsupported},
		{"a.exe", "a,b", ErrUnsupported},
		{"archive", "PK\x03\x04\x00\x00\x00", ErrUnsupported},
		{"a.md", "", ErrNoText},
		{"a.txt", " \n\t\u200b\n", ErrNoText},
		{"a.md", "---\ntitle: x\n---\n", ErrNoText},
		{"a.md", "<!-- nothing -->\n\n---\n", ErrNoText},
		{"a.html", "<html><head><title>t</title></head><body><script>x()</script><img src=x></body></html>", ErrNoText},
		{"a.md", "text\x00more text", ErrBinary},
		{"a.txt", "ab\x01\x02\x03", ErrBinary},
		{"a.md", string(random), ErrBinary},
	} {
		_, err := Extract(tt.name, []byte(tt.data))
		if !errors.Is(err, tt.want) {
			t.Errorf("%s %.20q: got %v, want %v", tt.name, tt.data, err, tt.want)
		}
	}
	if _, err := Extract("a/b.WKS", nil); err == nil || !strings.HasSuffix(err.Error(), ": .wks") {
		t.Errorf("the extension is not named: %v", err)
	}
}
