/* SPDX-License-Identifier: Apache-2.0 */
/* A directory of this process for files under test, removed when it ends. */
#ifndef CT_FUZZ_SCRATCH_H
#define CT_FUZZ_SCRATCH_H

#include <stddef.h>

const char *scratch_directory(void);
void scratch_write(const char *name, const void *content, size_t bytes);

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

#endif
