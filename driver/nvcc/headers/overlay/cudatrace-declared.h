/* SPDX-License-Identifier: Apache-2.0 */
/* From here on functions are declared as nvcc takes it (clang-plugin/declared.h). */
#if defined(__CUDA__) && __has_attribute(ct_declared)
#pragma clang attribute push(__attribute__((ct_declared)), apply_to = function)
#endif
