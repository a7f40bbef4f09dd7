/* SPDX-License-Identifier: Apache-2.0 */
/* With what clang has for what only nvcc has. */
#pragma push_macro("__NVCC__")
#undef __NVCC__
#include_next <cooperative_groups.h>
#pragma pop_macro("__NVCC__")
