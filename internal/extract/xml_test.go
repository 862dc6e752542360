package extract

import (
	"strings"
	"testing"
)

// TestXML gives the Markdown that XML without a meaning of its own becomes.
func TestXML(t *testing.T) {
	for _, tt := range []struct{ what, name, in, want string }{
		{"elements as a path of headings", "a.xml", `<?xml version="1.0"?><order><id>K-1</id><buyer><name>Ann</name><city>Oslo</city></buyer></order>`,
			"- **id**: K-1\n\n# buyer\n\n- **name**: Ann\n- **city**: Oslo\n"},
		{"like elements as a table", "a.xml", `<plans><plan id="1"><name>Team</name><price>10</price></plan><plan id="2"><name>Firm</name><price>20</price></plan></plans>`,
			"# plan\n\n| id | name | price |\n| --- | --- | --- |\n| 1 | Team | 10 |\n| 2 | Firm | 20 |\n"},
		{"text with elements within", "a.xml", `<doc><para>Pay <b>within</b> 14 days.</para></doc>`, "- **para**: Pay within 14 days.\n"},
		{"a text alone", "a.xml", `<note>Pay within 14 days.</note>`, "- **note**: Pay within 14 days.\n"},
		{"pages within elements", "a.rss", `<rss><channel><item><description>&lt;p&gt;Pay.&lt;/p&gt;&lt;p&gt;Soon.&lt;/p&gt;</description></item></channel></rss>`,
			"# channel\n\n## item\n\n### description\n\nPay.\n\nSoon.\n"},
		{"told by its content", "export.txt", `<?xml version="1.0"?><a><b>c</b></a>`, "- **b**: c\n"},
		{"prefixes and namespaces", "a.xml", `<x:a xmlns:x="u" xmlns="v"><x:b>c</x:b></x:a>`, "- **b**: c\n"},
		{"an element that nothing closes", "a.xml", `<a><b>c<d>e</d></b>`, "- **b**: ce\n"},
		{"entities of its own are not expanded", "a.xml", `<!DOCTYPE a [<!ENTITY x "y"><!ENTITY f SYSTEM "file:///etc/passwd">]><a><b>&x; &f; &amp; &eacute;</b></a>`, "- **b**: &x; &f; & é\n"},
	} {
		x, err := Extract(tt.name, []byte(tt.in))
		if got := strings.TrimRight(x.Text, "\n") + "\n"; err != nil || got != tt.want {
			t.Errorf("%s: got\n%s%v", tt.what, got, err)
		}
		checkBlocks(t, x)
	}
	x, err := Extract("a.xml", []byte("<?xml version=\"1.0\" encoding=\"iso-8859-1\"?><a><b>K\xf6ln</b></a>"))
	if err != nil || !strings.Contains(x.Text, "Köln") {
		t.Errorf("%q %v", x.Text, err)
	}
}

func TestXMLRefused(t *testing.T) {
	laughs := `<!DOCTYPE a [<!ENTITY a0 "ha">`
	for i := range 30 {
		laughs += strings.ReplaceAll(`<!ENTITY aN "&aM;&aM;&aM;&aM;&aM;&aM;&aM;&aM;&aM;&aM;">`, "N", string(rune('1'+i)))
	}
	x, err := Extract("a.xml", []byte(laughs+"]><a>&a9;</a>"))
	if err == nil && len(x.Text) > 100 {
		t.Errorf("entities became %d bytes", len(x.Text))
	}
	for _, tt := range []struct{ what, in, want string }{
		{"depth", strings.Repeat("<a>", 1_000_000), "more than 200 levels"},
		{"elements without end", "<a>" + strings.Repeat("<b/>", maxXMLElements), "more than 1048576 elements"},
		{"no element", "<?xml version=\"1.0\"?>\n", "holds no element"},
		{"no XML", "<a>\n<b x=<>\n", "from line 2 on"},
		{"nothing to read", "<a><b/></a>", ErrNoText.Error()},
		{"metadata", "---\nreaders: [group:hr]\n---\n<a>b</a>", errHidden.Error()},
	} {
		if _, err := Extract("a.xml", []byte(tt.in)); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.what, err, tt.want)
		}
	}
}

const article = `<!DOCTYPE article PUBLIC "-//NLM//DTD JATS"><article xmlns:xlink="http://www.w3.org/1999/xlink"><front><journal-meta><journal-title-group><journal-title>J. of X</journal-title></journal-title-group></journal-meta>
<article-meta><article-id pub-id-type="doi">10.1/x</article-id><title-group><article-title>Cows and <italic>CO</italic><sub>2</sub></article-title></title-group>
<contrib-group><contrib contrib-type="author"><name><surname>Lee</surname><given-names>Ann</given-names></name><xref ref-type="aff" rid="a1"/><xref ref-type="aff" rid="a1"/><xref ref-type="fn" rid="a2"/><xref ref-type="aff" rid="a9"/></contrib><contrib contrib-type="editor"><name><surname>No</surname></name><xref ref-type="aff" rid="a2"/></contrib></contrib-group>
<aff id="a1"><label>1</label><institution>School of Cows</institution>, <country>Wales</country></aff><aff id="a2">Elsewhere</aff>
<pub-date><year>2020</year></pub-date><abstract><p>In short.</p></abstract><kwd-group><kwd>cow</kwd><kwd>feed</kwd></kwd-group></article-meta></front>
<body><sec><label>1.</label><title>Methods</title><p>Text <xref>[1]</xref> of 10<sup>2</sup> m:<disp-formula><alternatives><tex-math>$x^2$</tex-math><graphic/></alternatives></disp-formula></p>
<sec><title>Sites</title><list list-type="order"><list-item><p>one</p></list-item><list-item><p>two</p></list-item></list></sec>
<table-wrap><label>Table 1</label><caption><title>Herd.</title></caption><alternatives><graphic/><table><thead><tr><th rowspan="2">Item</th><th colspan="2">2026</th></tr><tr><th>Q1</th><th>Q2</th></tr></thead><tbody><tr><td>Cows</td><td>4</td><td>5</td></tr></tbody></table></alternatives><table-wrap-foot><fn><p>a In heads.</p></fn></table-wrap-foot></table-wrap>
<fig><label>Fig 1</label><caption><p>The farm.</p></caption><graphic/></fig></sec></body>
<back><ref-list><title>References</title><ref><label>1</label><mixed-citation><name><surname>Roe</surname><given-names>B</given-names></name>. A title. 2019.</mixed-citation></ref><ref><element-citation><person-group><name><surname>Poe</surname><given-names>C</given-names></name></person-group><article-title>Another</article-title><year>2018</year></element-citation></ref></ref-list><ack><p>To all.</p></ack></back></article>`

func TestJATS(t *testing.T) {
	want := `# Cows and CO2

Ann Lee

School of Cows, Wales

J. of X, 2020, doi:10.1/x

## Abstract

In short.

Keywords: cow, feed

## 1. Methods

Text [1] of 10^2 m:

$x^2$

### Sites

1. one
2. two

Table 1. Herd.

| Item | 2026 / Q1 | 2026 / Q2 |
| --- | --- | --- |
| Cows | 4 | 5 |

a In heads.

Fig 1. The farm.

## Acknowledgements

To all.

## References

- 1 Roe B. A title. 2019.
- Poe C. Another. 2018
`
	for _, name := range []string{"a.xml", "a.nxml", "a.txt"} {
		x, err := Extract(name, []byte(article))
		if err != nil || x.Text != want || x.Format != "jats" || x.Title != "Cows and CO2" {
			t.Errorf("%s: got\n%s%v", name, x.Text, err)
		}
		checkBlocks(t, x)
		for _, b := range x.Blocks {
			if b.Kind == Table && b.Caption != "Table 1. Herd." {
				t.Errorf("caption %q", b.Caption)
			}
		}
	}
}

func FuzzXML(f *testing.F) {
	f.Add(article)
	f.Add(`<a b="c"><d>e</d><d>&lt;p&gt;f&lt;/p&gt;<g/></d><h><i>1</i><j>2</j></h><h><i>3</i><j>4</j></h></a>`)
	f.Fuzz(func(t *testing.T, s string) { fuzzed(t, "a.xml", s) })
}
