package posthorn

import (
	"crypto/rand"
	"fmt"
)

// newKey makes an idempotency key for a call without one: a prefix and a random UUID.
func newKey() string {
	var id [16]byte
	// rand.Read does not fail on the systems that Go supports.
	if _, err := rand.Read(id[:]); err != nil {
		panic(fmt.Sprintf("posthorn: no random numbers: %v", err))
	}
	id[6] = id[6]&0x0f | 0x40
	id[8] = id[8]&0x3f | 0x80
	return fmt.Sprintf("auto_%x-%x-%x-%x-%x", id[:4], id[4:6], id[6:8], id[8:10], id[10:])
}
