/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ask a process of its own (answer.h). Whatever a damaged file does to that one, a crash, an
 * endless loop, all of the memory, ends it and leaves the questions that it did not come to open.
 */
#ifndef CT_POSTPROC_SYMBOLS_PROCESS_H
#define CT_POSTPROC_SYMBOLS_PROCESS_H

#include "postproc/symbols/answer.h"

struct ct_asking {
	const struct ct_question *question;
	unsigned seconds; /* of processor time that it may take */
	/* Each in its order; number of texts from 1. Negative errors end it. */
	int (*text)(void *user, const char *text, size_t bytes);
	int (*place)(void *user, size_t index, const struct ct_answer_frame *frames,
		     uint32_t count);
	void *user;
	size_t answered; /* set: questions */
	uint32_t flags;  /* set: enum ct_code_file_flags, when all are */
};

/* 0 when all is answered; 1 when the process ended before; or a negative error. */
int ct_ask(struct ct_asking *asking);

#endif
