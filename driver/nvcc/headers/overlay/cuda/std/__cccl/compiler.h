/* SPDX-License-Identifier: Apache-2.0 */
/* Which compiler this is: clang, though __NVCC__ is defined for the program. */
#pragma push_macro("__NVCC__")
#undef __NVCC__
#include_next <cuda/std/__cccl/compiler.h>
#pragma pop_macro("__NVCC__")
