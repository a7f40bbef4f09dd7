/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Descriptors that are kept open in a process that is not ours. They have numbers that the program
 * does not come to, and are known again: it may close any number, or put another file there.
 *
 * Threads: one at a time for each descriptor.
 */
#ifndef CT_BASE_DESCRIPTOR_H
#define CT_BASE_DESCRIPTOR_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/resource.h>

struct ct_descriptor {
	int number;             /* -1: it is not open */
	bool is_brief;          /* the process may have few numbers: it is not to be kept */
	uint64_t device, inode; /* of what was opened first; both 0: nothing was */
};

#define CT_DESCRIPTOR_NONE ((struct ct_descriptor){.number = -1})

/* As openat, also where the program has used up its numbers. The number is above the soft limit of
 * the process, above CT_DESCRIPTOR_MOST if that limit is higher, or else the highest that can be
 * had; it is closed on exec. 0 or -errno; -ESTALE: it is another file than the one that was opened
 * first. */
int ct_descriptor_open(struct ct_descriptor *descriptor, int directory, const char *name,
		       int flags);
#define CT_DESCRIPTOR_MOST 4096u /* a table of so many numbers costs a fork little */

/* The same with fd, which has just been opened; it is closed, or becomes the descriptor's. */
int ct_descriptor_take(struct ct_descriptor *descriptor, int fd);

/* For a moment the soft limit is above what the program has used of it; false: it is not permitted.
 * End it at once, in the same thread. */
bool ct_descriptor_begin_room(struct rlimit *before);
void ct_descriptor_end_room(const struct rlimit *before);

/* Whether the number stands for what was opened. */
bool ct_descriptor_holds(const struct ct_descriptor *descriptor);

/* Closes the number if it does; what it was stays known. */
void ct_descriptor_close(struct ct_descriptor *descriptor);

/* For a program of ours that was started without some of the numbers 0 to 2: what it opens later
 * shall not be taken for them. Reading from, or writing to, these fails as before, and what it runs
 * has them closed, as it was. */
void ct_descriptor_fill_standard(void);

/* Ends the use of one that is not to be kept. */
void ct_descriptor_rest(struct ct_descriptor *descriptor);

#endif
