/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A library whose functions are inside each other: sample_run > machine::run > outer<int> with
 * middle and inner inlined > sample_here.
 */
#ifndef CT_TEST_SAMPLE_H
#define CT_TEST_SAMPLE_H

#ifdef __cplusplus
extern "C" {
#endif

typedef void sample_note(void *returns_to);

/* Notes where outer<int> returns to, in inner; where sample_here does, in itself. */
__attribute__((visibility("default"))) int sample_run(sample_note *note);
void sample_here(sample_note *note); /* of a file without debug information */

#ifdef __cplusplus
}
#endif

#endif
