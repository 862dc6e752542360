package remote

import (
	"errors"
	"fmt"
	"net/netip"
	"syscall"
)

// ErrPrivate is wrapped where a host's address is not one of the public internet.
var ErrPrivate = errors.New("it is no address of the public internet; set sources.private to true if it is meant")

// reserved are the addresses that are no host of the public internet, by the
// registries of special-purpose addresses (RFC 6890) and multicast.
var reserved = []struct {
	prefix netip.Prefix
	what   string
}{
	{netip.MustParsePrefix("0.0.0.0/8"), "an address of this network"},
	{netip.MustParsePrefix("10.0.0.0/8"), "a private address"},
	{netip.MustParsePrefix("100.64.0.0/10"), "a carrier's shared address"},
	{netip.MustParsePrefix("127.0.0.0/8"), "a loopback address"},
	{netip.MustParsePrefix("169.254.0.0/16"), "a link-local address"}, // where clouds keep their metadata
	{netip.MustParsePrefix("172.16.0.0/12"), "a private address"},
	{netip.MustParsePrefix("192.0.0.0/24"), "a reserved address"},
	{netip.MustParsePrefix("192.0.2.0/24"), "a documentation address"},
	{netip.MustParsePrefix("192.168.0.0/16"), "a private address"},
	{netip.MustParsePrefix("198.18.0.0/15"), "a benchmarking address"},
	{netip.MustParsePrefix("198.51.100.0/24"), "a documentation address"},
	{netip.MustParsePrefix("203.0.113.0/24"), "a documentation address"},
	{netip.MustParsePrefix("224.0.0.0/4"), "a multicast address"},
	{netip.MustParsePrefix("240.0.0.0/4"), "a reserved address"},
	{netip.MustParsePrefix("::/128"), "the unspecified address"},
	{netip.MustParsePrefix("::1/128"), "a loopback address"},
	{netip.MustParsePrefix("64:ff9b:1::/48"), "a private address"},
	{netip.MustParsePrefix("100::/64"), "a reserved address"},
	{netip.MustParsePrefix("2001::/23"), "a reserved address"},
	{netip.MustParsePrefix("2001:db8::/32"), "a documentation address"},
	{netip.MustParsePrefix("3fff::/20"), "a documentation address"},
	{netip.MustParsePrefix("fc00::/7"), "a private address"},
	{netip.MustParsePrefix("fe80::/10"), "a link-local address"},
	{netip.MustParsePrefix("fec0::/10"), "a private address"},
	{netip.MustParsePrefix("ff00::/8"), "a multicast address"},
}

var (
	nat64  = netip.MustParsePrefix("64:ff9b::/96") // RFC 6052: the last 32 bits are an IPv4 address
	sixTo4 = netip.MustParsePrefix("2002::/16")    // RFC 3056: the 32 bits behind the prefix are
	compat = netip.MustParsePrefix("::/96")        // RFC 4291, 2.5.5.1: the last 32 bits are
)

// Reserved says what kind of address is none of a host of the public internet; "" for
// one that is. An IPv4 address within an IPv6 one counts, as a gateway would go there.
func Reserved(a netip.Addr) string {
	a = a.Unmap().WithZone("")
	for _, r := range reserved {
		if r.prefix.Contains(a) {
			return r.what
		}
	}
	if a.Is4() {
		return ""
	}
	b := a.As16()
	switch {
	case nat64.Contains(a), compat.Contains(a):
		return Reserved(netip.AddrFrom4([4]byte(b[12:])))
	case sixTo4.Contains(a):
		return Reserved(netip.AddrFrom4([4]byte(b[2:6])))
	}
	return ""
}

// refusing makes a net.Dialer's Control, which is asked with the resolved address of
// every connection just before it is made: neither a name nor a redirect, and no answer
// that a name server gives the second time, leads to an address that judge refuses.
func refusing(judge func(netip.Addr) string) func(network, address string, _ syscall.RawConn) error {
	return func(_, address string, _ syscall.RawConn) error {
		at, err := netip.ParseAddrPort(address)
		if err != nil {
			return fmt.Errorf("%s: %w", address, ErrPrivate)
		}
		if what := judge(at.Addr()); what != "" {
			return fmt.Errorf("%s is %s: %w", at.Addr(), what, ErrPrivate)
		}
		return nil
	}
}
