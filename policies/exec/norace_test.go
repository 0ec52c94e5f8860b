//go:build !race

package exec

const racing = false
