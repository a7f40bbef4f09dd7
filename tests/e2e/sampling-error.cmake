# SPDX-License-Identifier: Apache-2.0
# bench/sampling-error in small.
ct_e2e_test(e2e-sampling-error TIER test PROGRAMS stencil2d
	COMMAND ${e2e}/sampling-error.sh ${bin} ${programs}/stencil2d)
