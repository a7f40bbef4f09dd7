/* SPDX-License-Identifier: Apache-2.0 */
/* The first error of a writer: all of its files report there. */
#include "trace/write/writer_state.h"
#include "base/error.h"
#include <stdio.h>

int ct_writer_fail(struct ct_writer *writer, int err, const char *verb, const char *name)
{
	pthread_mutex_lock(&writer->error_lock);
	if (writer->error == 0) {
		snprintf(writer->error_text, sizeof(writer->error_text), "cannot %s %s/%s: %s",
			 verb, writer->directory, name, ct_strerror(err));
		writer->error = err;
	}
	err = writer->error;
	pthread_mutex_unlock(&writer->error_lock);
	return err;
}
