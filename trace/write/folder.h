/* SPDX-License-Identifier: Apache-2.0 */
/* The directory of a trace, which is found again when the program has closed its descriptor. */
#ifndef CT_TRACE_WRITE_FOLDER_H
#define CT_TRACE_WRITE_FOLDER_H

#include "base/descriptor.h"

#include <pthread.h>

struct ct_folder {
	char *path; /* absolute: the program may change its working directory */
	struct ct_descriptor descriptor;
	pthread_mutex_t lock;
};

/* Makes the directory as ct_directory_open does. 0 or a negative error. */
int ct_folder_open(struct ct_folder *folder, const char *path);

/* Its descriptor until ct_folder_end, which must follow in any case; -errno: it is lost. Any
 * thread; one at a time has it. */
int ct_folder_begin(struct ct_folder *folder);
void ct_folder_end(struct ct_folder *folder);

/* Also of one that is all 0. */
void ct_folder_close(struct ct_folder *folder);

#endif
