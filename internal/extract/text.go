package extract

func extractText(text string) (Extracted, error) {
	yaml, body, err := cutFrontMatter(text)
	if err != nil {
		return Extracted{}, err
	}
	p := &plainText{text: text}
	p.parse(body)
	return Extracted{Format: formatText, Text: text, Title: p.title, FrontMatter: yaml, Blocks: p.blocks}, nil
}

type plainText struct {
	text   string
	blocks []Block
	title  string
}

func (p *plainText) parse(at int) {
	for at < len(p.text) {
		if s, ok := trimLines(p.text, at, len(p.text)); ok {
			p.blocks = append(p.blocks, Block{Kind: Paragraph, Span: s})
		}
		return
	}
}
