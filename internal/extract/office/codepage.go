package office

// CodePage names a Windows code page as WHATWG's Encoding Standard does, "" if it is
// none that documents are written in.
func CodePage(n int) string { return codePages[n] }

var codePages = map[int]string{437: "ibm437", 850: "ibm850", 866: "ibm866", 874: "windows-874", 932: "shift_jis", 936: "gbk", 949: "euc-kr", 950: "big5", 1250: "windows-1250",
	1251: "windows-1251", 1252: "windows-1252", 1253: "windows-1253", 1254: "windows-1254", 1255: "windows-1255", 1256: "windows-1256", 1257: "windows-1257", 1258: "windows-1258",
	10000: "macintosh", 20127: "windows-1252", 28591: "windows-1252", 65001: "utf-8"}
