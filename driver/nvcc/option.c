/* SPDX-License-Identifier: Apache-2.0 */
/* The table of nvcc's options, looked up and printed. */
#include "driver/nvcc/option.h"
#include "base/nearest.h"
#include "driver/base/roff.h"
#include "driver/compiler/own.h"

#include <string.h>

const struct ct_nvcc_option ct_nvcc_options[CT_NVCC_COUNT] = {
#define CT_NVCC(id, name, short_name, argument, fate, text, help)                                  \
	{name, short_name, CT_NVCC_TAKES_##argument, CT_NVCC_TO_##fate, text, help},
#include "driver/nvcc/options.def"
#undef CT_NVCC
};

/* The argument behind name in word: "" of none, NULL if word is another option. */
static const char *behind(const char *word, const char *name)
{
	size_t bytes = strlen(name);

	if (strncmp(word, name, bytes) != 0)
		return NULL;
	return word[bytes] == '\0' || word[bytes] == '=' ? word + bytes : NULL;
}

static bool may_follow_at_once(enum ct_nvcc_argument argument, const char *rest)
{
	return argument == CT_NVCC_TAKES_JOINED ||
	       (argument == CT_NVCC_TAKES_NUMBER && *rest >= '0' && *rest <= '9');
}

enum ct_nvcc_id ct_nvcc_option_find(const char *word, const char **value)
{
	*value = NULL;
	for (size_t i = 0; i < CT_NVCC_COUNT; i++) {
		const char *rest = behind(word, ct_nvcc_options[i].name);

		if (!rest)
			rest = behind(word, ct_nvcc_options[i].short_name);
		if (!rest)
			continue;
		if (*rest)
			*value = rest + 1;
		return i;
	}
	for (size_t i = 0; i < CT_NVCC_COUNT; i++) {
		const struct ct_nvcc_option *option = &ct_nvcc_options[i];
		size_t bytes = strlen(option->short_name);

		if (strncmp(word, option->short_name, bytes) == 0 &&
		    may_follow_at_once(option->argument, word + bytes)) {
			*value = word + bytes;
			return i;
		}
	}
	return CT_NVCC_COUNT;
}

const char *ct_nvcc_option_nearest(const char *word)
{
	struct ct_nearest nearest;

	ct_nearest_begin(&nearest, word, strcspn(word, "="));
	for (size_t i = 0; i < CT_NVCC_COUNT; i++) {
		ct_nearest_consider(&nearest, ct_nvcc_options[i].name);
		ct_nearest_consider(&nearest, ct_nvcc_options[i].short_name);
	}
	return nearest.best;
}

static const char *const arguments[] = {"", " VALUE", " LIST", " LIST", " N", " true|false"};

void ct_nvcc_print_help(FILE *out, const char *program)
{
	fprintf(
	    out,
	    "Usage: %s [--ct-OPTION...] NVCC-ARGUMENTS...\n\n"
	    "Compile and link what nvcc compiles, with its command line, so that the program can "
	    "be traced by ctrun.\n--ct-help lists options of cuda-trace. nvcc's:\n\n",
	    program);
	for (size_t i = 0; i < CT_NVCC_COUNT; i++) {
		const struct ct_nvcc_option *option = &ct_nvcc_options[i];

		fprintf(out, "%s%s  (%s)\n        %s\n", option->name, arguments[option->argument],
			option->short_name, option->help);
		if (option->fate == CT_NVCC_TO_IGNORE)
			fprintf(out, "        Ignored: %s.\n", option->text);
		else if (option->fate == CT_NVCC_TO_WARN)
			fprintf(out, "        Cannot be honoured: %s.\n", option->text);
	}
	fprintf(out,
		"\nEnvironment:\n"
		"  NVCC_PREPEND_FLAGS, NVCC_APPEND_FLAGS   options before and after those given\n"
		"  NVCC_CCBIN                              as -ccbin\n"
		"  CUDATRACE_TARGET, CUDA_HOME             as of cuda-trace-clang (--ct-help)\n");
}

void ct_nvcc_print_man(FILE *out)
{
	fputs(".TH CUDA\\-TRACE\\-NVCC 1 \"\" \"cuda\\-trace " CT_VERSION "\" \"User Commands\"\n"
	      ".SH NAME\ncuda\\-trace\\-nvcc \\- nvcc's command line, for programs that can be "
	      "traced\n.SH SYNOPSIS\n"
	      "\\fBcuda\\-trace\\-nvcc\\fR [\\fB\\-\\-ct\\-\\fIOPTION\\fR...] "
	      "\\fINVCC\\-ARGUMENTS\\fR...\n.SH DESCRIPTION\n"
	      "Compile and link what nvcc compiles, with its command line, so that the program can "
	      "be traced by \\fBctrun\\fR(1).\n.SH OPTIONS OF NVCC\n",
	      out);
	for (size_t i = 0; i < CT_NVCC_COUNT; i++) {
		const struct ct_nvcc_option *option = &ct_nvcc_options[i];
		enum ct_nvcc_fate fate = option->fate;

		fputs(".TP\n\\fB", out);
		ct_roff_put(out, option->name);
		fprintf(out, "\\fR\\fI%s\\fR (\\fB", arguments[option->argument]);
		ct_roff_put(out, option->short_name);
		fputs("\\fR)\n", out);
		ct_roff_put(out, option->help);
		if (fate == CT_NVCC_TO_IGNORE || fate == CT_NVCC_TO_WARN) {
			fputs(fate == CT_NVCC_TO_WARN ? ".\nCannot be honoured: " : ".\nIgnored: ",
			      out);
			ct_roff_put(out, option->text);
		}
		fputs(".\n", out);
	}
	ct_own_print_man(out);
}
