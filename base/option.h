/* SPDX-License-Identifier: Apache-2.0 */
/* Values of run-time options (cudatrace/options.def): what the launcher takes and the runtime
 * understands is the same. */
#ifndef CT_BASE_OPTION_H
#define CT_BASE_OPTION_H

#include <stdint.h>

enum ct_option_type {
	CT_OPTION_STRING,
	CT_OPTION_SIZE,
	CT_OPTION_COUNT,
	CT_OPTION_PERIOD,
	CT_OPTION_SECONDS,
	CT_OPTION_SWITCH
};

/*
 * Read text as a value of type; argument is the option's in options.def: for a STRING one of the
 * words of "a|b", a REGEX, a range FIRST[-LAST] from 1, a SPACE (auto, off, bytes, percent),
 * [CYCLES] (auto, off, a power of two; in brackets, since the option may stand alone: auto), or any
 * text; for a COUNT any number, or one in "0..19". Returns NULL, or what the
 * value would have to be, in words that follow "expected".
 * *number: the value; SECONDS in ns, SWITCH 0 or 1; of a STRING 0.
 */
const char *ct_option_read(enum ct_option_type type, const char *argument, const char *text,
			   uint64_t *number);

#endif
