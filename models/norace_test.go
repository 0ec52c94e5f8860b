//go:build !race

package models

const racing = false
