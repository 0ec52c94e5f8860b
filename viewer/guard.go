package viewer

import (
	"net"
	"net/http"
	"slices"
	"strings"
)

// setHeaders sets what holds for every answer: pages load nothing but the style
// sheet and the script beside them, send forms nowhere else, and are shown in no
// frame.
func setHeaders(h http.Header) {
	h.Set("Content-Security-Policy", "default-src 'none'; style-src 'self'; img-src 'self' data:; script-src 'self'; connect-src 'self'; "+
		"form-action 'self'; base-uri 'none'; frame-ancestors 'none'")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cache-Control", "no-cache")
}

// answers reports whether a request for that host is answered.
func (o *Options) answers(host string) bool {
	return o.Hosts == nil || slices.Contains(o.Hosts, strings.ToLower(host))
}

// LoopbackHosts are the Host headers of requests that were meant for a server
// that listens there; nil if other machines reach it. A page of another site whose
// name was made to lead here (DNS rebinding) sends another one.
func LoopbackHosts(listening net.Addr) []string {
	tcp, ok := listening.(*net.TCPAddr)
	if !ok || !tcp.IP.IsLoopback() {
		return nil
	}
	_, port, err := net.SplitHostPort(tcp.String())
	if err != nil {
		return nil
	}
	var hosts []string
	for _, name := range []string{"localhost", "127.0.0.1", "::1", tcp.IP.String()} {
		hosts = append(hosts, net.JoinHostPort(name, port))
		if port == "80" { // browsers leave it out
			hosts = append(hosts, strings.TrimSuffix(net.JoinHostPort(name, ""), ":"))
		}
	}
	return hosts
}
