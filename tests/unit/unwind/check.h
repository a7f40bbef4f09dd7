/* SPDX-License-Identifier: Apache-2.0 */
/* Stacks that are taken, compared with what the unwinder says of the same place. */
#ifndef CHECK_H
#define CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

extern unsigned check_failures; /* how many checks have failed */

#define CHECK(condition, ...) check_that(condition, __FILE__, __LINE__, #condition, " " __VA_ARGS__)

void check_that(bool holds, const char *file, int line, const char *condition, const char *format,
		...) __attribute__((format(printf, 5, 6)));

/* The function that stands for a wrapper: takes the stack that it is called by, checks it, and
 * returns its row. From any thread. */
uint32_t probe(void);
/* The same where the unwinder would not survive: nothing to compare with. */
uint32_t probe_alone(void);
/* The base of the calling thread's last probe. */
extern _Thread_local uintptr_t probe_base;
/* The last probe's frames, innermost first, as the unwinder has them. */
extern _Thread_local size_t probe_depth;

#ifdef __x86_64__
enum { HAS_WALK = true };
#else
enum { HAS_WALK = false };
#endif

/* How often the unwinder has been asked for a stack, other than by checks, since the last look. */
unsigned asked(void);

/* Returns what a row says: the function (from the dynamic symbols; "" unknown) that a frame of
 * its path is in, the innermost is frame 0; the file of its module. */
const char *function_of(uint32_t row, unsigned frame);
const char *file_of(uint32_t row, unsigned frame);
uint32_t module_of(uint32_t row, unsigned frame);
bool is_gone(uint32_t module);
/* Counts frames; false with more than 4096 or where a caller's row is not before its own. */
size_t depth_of(uint32_t row);
/* The outermost row stands for frames that are not known. */
bool is_cut(uint32_t row);
void forget_rows(void);

#endif
