//go:build race

package gateway

// racing says that the race detector is at work, which takes memory of its own.
const racing = true
