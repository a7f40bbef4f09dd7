/* SPDX-License-Identifier: Apache-2.0 */
/* Run-time options (options.def), parsed once from the environment. */
#ifndef CT_HOST_RT_BASE_OPTIONS_H
#define CT_HOST_RT_BASE_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

struct ct_options {
#define CT_STORAGE_STRING const char *
#define CT_STORAGE_SIZE uint64_t
#define CT_STORAGE_COUNT uint64_t
#define CT_STORAGE_PERIOD uint64_t
#define CT_STORAGE_SECONDS uint64_t /* ns */
#define CT_STORAGE_SWITCH bool
#define CT_OPTION(field, type, environment, flag, argument, preset, help) CT_STORAGE_##type field;
#include <cudatrace/options.def>
#undef CT_OPTION
	/* from launches: launch numbers, inclusive; 1 .. UINT64_MAX if unset */
	uint64_t first_launch;
	uint64_t last_launch;
	/* from keep_free: the larger of both; 0: none */
	uint64_t keep_free_bytes;
	unsigned keep_free_percent;
	bool calls_only;          /* from calls */
	unsigned sample_exponent; /* from samples: one every 2^n cycles; 0: none */
	uint32_t tier_number;     /* enum ct_tier, from tier */
	uint32_t codec_number;    /* enum ct_codec + 1; 0: auto */
};

/* Looks a variable up, NULL if unset; strings live as long as the options. */
typedef const char *ct_options_lookup(const char *name);
/* Reported of each value that is not understood: variable, value and what would be. */
typedef void ct_options_complaint(const char *name, const char *value, const char *expected);

/* Whether any option is given: a program that is started by itself, with none, is not traced. */
bool ct_options_are_given(ct_options_lookup *lookup);

/* Values that are not understood are reported and their defaults taken. */
void ct_options_parse(struct ct_options *options, ct_options_lookup *lookup,
		      ct_options_complaint *complain);

#endif
