/* SPDX-License-Identifier: Apache-2.0 */
/* Every call of api.def has its wrapper: a missing one fails to compile here, or to link. */
#include "host-rt/calls/real_driver.h"

__attribute__((used)) static const void *const wrappers[] = {
#define CT_API(name) (const void *)__wrap_##name,
#define CT_API_GPU(name) CT_API(name)
#include <cudatrace/api.def>
#undef CT_API
#undef CT_API_GPU
};
