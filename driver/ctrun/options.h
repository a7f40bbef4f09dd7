/* SPDX-License-Identifier: Apache-2.0 */
/* ctrun's command line: our options, then the program's. */
#ifndef CT_DRIVER_CTRUN_OPTIONS_H
#define CT_DRIVER_CTRUN_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct ctrun_options {
	const char *output; /* -o or --output as given, NULL if not */
	bool help;
	bool version;
	const char *generate; /* --generate=WHAT: a document about ctrun, NULL for none */
	bool off;             /* --trace=off */
	bool verbose;         /* --verbose=on */
	bool inject;          /* --inject */
	bool pages;           /* --uses=pages or auto */
	char **program;       /* the program and its arguments, borrowed from argv */
};

/* Parse, check values, and put them into the environment as host-rt wants
 * them. Returns 0, or -EINVAL with one line in why. */
int ctrun_options_parse(struct ctrun_options *options, int argc, char **argv, char *why,
			size_t why_bytes);

void ctrun_options_help(FILE *out);

#endif
