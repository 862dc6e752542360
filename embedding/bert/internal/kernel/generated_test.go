package kernel

import (
	"testing"

	"github.com/seed-d3156d19/quarry/internal/testkit"
)

// TestGenerated: the assembly is what tools/kernels writes.
func TestGenerated(t *testing.T) { testkit.Generated(t, "../../../../tools/kernels", ".", "kernel") }
