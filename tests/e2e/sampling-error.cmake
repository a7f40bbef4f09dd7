# SPDX-License-Identifier: Apache-2.0
# bench/sampling-error in small.
ct_e2e_test(e2e-sampling-error stencil2d
	${CMAKE_CURRENT_SOURCE_DIR}/sampling-error.sh ${bin} ${programs}/stencil2d)
