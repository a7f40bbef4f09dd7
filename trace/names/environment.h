/* SPDX-License-Identifier: Apache-2.0 */
/* Variables by which ctrun tells the runtime more than its options (cudatrace/options.def). */
#ifndef CT_TRACE_NAMES_ENVIRONMENT_H
#define CT_TRACE_NAMES_ENVIRONMENT_H

/* ctrun has named libcudatrace-inject.so by itself, for the program does not look as if it had a
 * runtime of ours: the library gives way without a word if it has. */
#define CT_INJECT_CHOSEN "CUDATRACE_INJECT_CHOSEN"

#endif
