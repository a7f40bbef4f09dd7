/* SPDX-License-Identifier: Apache-2.0 */
/* A directory of this process for files under test, removed when it ends. */
#ifndef CT_FUZZ_SCRATCH_H
#define CT_FUZZ_SCRATCH_H

#include <stddef.h>

const char *scratch_directory(void);
void scratch_write(const char *name, const void *content, size_t bytes);

/* Write data as these files (the last name is NULL): 4 bytes each say how many belong to all but
 * the last. Checksums are made right, so that changed content gets through to the code behind them.
 * Returns -1 if data is too short for it. */
int scratch_files(const char *const *names, const unsigned char *data, size_t size);

/* Write data as a trace: 4 bytes say how many belong to events-0.ct, the rest is
 * device-0-0.ct. Checksums are made right, so that changed content gets through to
 * the code behind them. Returns -1 if data is too short for it. */
int scratch_trace(const unsigned char *data, size_t size);

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

#endif
