/* SPDX-License-Identifier: Apache-2.0 */
/* The wrappers' own options: parsing, help, nearest match of unknown ones. */
#include "driver/compiler/own.h"
#include "base/completion.h"
#include "base/nearest.h"
#include "driver/base/roff.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

enum own_id {
#define CT_OWN(id, name, argument, help) OWN_##id,
#include "driver/compiler/own.def"
#undef CT_OWN
	OWN_COUNT
};

static const char *const own_names[] = {
#define CT_OWN(id, name, argument, help) name,
#include "driver/compiler/own.def"
#undef CT_OWN
};

static const char *const own_arguments[] = {
#define CT_OWN(id, name, argument, help) argument,
#include "driver/compiler/own.def"
#undef CT_OWN
};

static const char *const own_help[] = {
#define CT_OWN(id, name, argument, help) help,
#include "driver/compiler/own.def"
#undef CT_OWN
};

static const struct {
	const char *name, *help;
} variables[] = {
    {"CUDATRACE_TARGET", "gpu (default) or cpu; --ct-target wins"},
    {"CUDATRACE_CLANG", "clang to use instead of the one found at build time"},
    {"CUDA_HOME", "CUDA toolkit, unless --cuda-path is given"},
};

/* Place in ct_own.pass of each option, -1 of those that are not the pass's. */
enum pass_id {
#define CT_OWN(id, name, argument, help)
#define CT_OWN_PASS(id, name, argument, help) PASS_##id,
#include "driver/compiler/own.def"
#undef CT_OWN
	PASS_COUNT
};

_Static_assert(PASS_COUNT <= CT_OWN_PASS_MAX, "ct_own.pass is too short");

static const int own_pass[] = {
#define CT_OWN(id, name, argument, help) -1,
#define CT_OWN_PASS(id, name, argument, help) PASS_##id,
#include "driver/compiler/own.def"
#undef CT_OWN
};

const char *ct_target_name(enum ct_target target)
{
	return target == CT_TARGET_CPU ? "cpu" : "gpu";
}

static int parse_target(enum ct_target *target, const char *text)
{
	if (strcmp(text, "gpu") == 0)
		*target = CT_TARGET_GPU;
	else if (strcmp(text, "cpu") == 0)
		*target = CT_TARGET_CPU;
	else
		return -EINVAL;
	return 0;
}

int ct_own_init(struct ct_own *own, char *why, size_t why_bytes)
{
	const char *target = getenv("CUDATRACE_TARGET");

	*own = (struct ct_own){.target = CT_TARGET_GPU};
	if (target && *target && parse_target(&own->target, target) < 0) {
		snprintf(why, why_bytes, "CUDATRACE_TARGET=%s: the targets are gpu and cpu",
			 target);
		return -EINVAL;
	}
	return 0;
}

bool ct_own_is(const char *word)
{
	return strncmp(word, "--ct-", 5) == 0;
}

static int explain_unknown(const char *word, size_t bytes, char *why, size_t why_bytes)
{
	struct ct_nearest nearest;

	ct_nearest_begin(&nearest, word, bytes);
	for (size_t i = 0; i < OWN_COUNT; i++)
		ct_nearest_consider(&nearest, own_names[i]);
	if (nearest.best)
		snprintf(why, why_bytes, "unknown option %.*s; did you mean %s? (see --ct-help)",
			 (int)bytes, word, nearest.best);
	else
		snprintf(why, why_bytes, "unknown option %.*s; --ct-help lists the options",
			 (int)bytes, word);
	return -EINVAL;
}

static enum own_id find_own(const char *word, size_t bytes)
{
	for (size_t i = 0; i < OWN_COUNT; i++)
		if (strlen(own_names[i]) == bytes && memcmp(own_names[i], word, bytes) == 0)
			return i;
	return OWN_COUNT;
}

static int keep_word(char **kept, const char *word, char *why, size_t why_bytes)
{
	free(*kept);
	*kept = strdup(word);
	if (*kept)
		return 0;
	snprintf(why, why_bytes, "out of memory");
	return -ENOMEM;
}

/* An option that is given by itself, before or behind it, counts. */
static int take_all(struct ct_own *own, char *why, size_t why_bytes)
{
	static const struct {
		enum pass_id id;
		const char *word;
	} all[] = {
	    {PASS_VALUES, "--ct-values"},
	    {PASS_SPACES, "--ct-spaces=global,shared"},
	    {PASS_EVENTS, "--ct-events=barrier,block,cta"},
	};
	int err = 0;

	for (size_t i = 0; i < COUNT(all) && err == 0; i++)
		if (!own->pass[all[i].id])
			err = keep_word(&own->pass[all[i].id], all[i].word, why, why_bytes);
	own->all = own->host = true;
	return err;
}

static int take_generate(struct ct_own *own, const char *word, const char *what, char *why,
			 size_t why_bytes)
{
	static const char *const known[] = {"man", "bash", "zsh", "fish"};

	for (size_t i = 0; i < COUNT(known); i++)
		if (strcmp(what, known[i]) == 0)
			own->generate = known[i];
	if (own->generate)
		return 0;
	snprintf(why, why_bytes, "%s: man, bash, zsh and fish can be generated", word);
	return -EINVAL;
}

int ct_own_parse(struct ct_own *own, const char *word, char *why, size_t why_bytes)
{
	size_t bytes = strcspn(word, "=");
	enum own_id id = find_own(word, bytes);

	if (id == OWN_COUNT)
		return explain_unknown(word, bytes, why, why_bytes);
	if (!!*own_arguments[id] != (word[bytes] == '=')) {
		snprintf(why, why_bytes, "%s: write %s%s", word, own_names[id], own_arguments[id]);
		return -EINVAL;
	}
	if (own_pass[id] >= 0)
		return keep_word(&own->pass[own_pass[id]], word, why, why_bytes);
	switch (id) {
	case OWN_HELP:
		own->help = true;
		break;
	case OWN_VERSION:
		own->version = true;
		break;
	case OWN_DOCTOR:
		own->doctor = true;
		break;
	case OWN_GENERATE:
		return take_generate(own, word, word + bytes + 1, why, why_bytes);
	case OWN_VERBOSE:
		own->verbose = true;
		break;
	case OWN_HOST:
		own->host = true;
		break;
	case OWN_ALL:
		return take_all(own, why, why_bytes);
	case OWN_KEEP:
		own->keep = true;
		break;
	case OWN_TARGET:
		own->target_named = true;
		if (parse_target(&own->target, word + bytes + 1) == 0)
			break;
		snprintf(why, why_bytes, "%s: the targets are gpu and cpu", word);
		return -EINVAL;
	case OWN_OLD_API:
		own->old_api = true;
		break;
	case OWN_TOOLKIT:
		return keep_word(&own->toolkit, word + bytes + 1, why, why_bytes);
	case OWN_RUNTIME:
		own->runtime_named = true;
		own->shared_runtime = strcmp(word + bytes, "=shared") == 0;
		if (own->shared_runtime || strcmp(word + bytes, "=static") == 0)
			break;
		snprintf(why, why_bytes, "%s: the runtimes are static and shared", word);
		return -EINVAL;
	default:
		break;
	}
	return 0;
}

void ct_own_fini(struct ct_own *own)
{
	free(own->toolkit);
	own->toolkit = NULL;
	for (size_t i = 0; i < CT_OWN_PASS_MAX; i++) {
		free(own->pass[i]);
		own->pass[i] = NULL;
	}
}

void ct_own_print_help(FILE *out, const char *program)
{
	fprintf(out,
		"Usage: %s [--ct-OPTION...] CLANG-ARGUMENTS...\n\n"
		"Compile and link as clang does, so that the program can be traced by ctrun.\n"
		"Every other option goes to clang unchanged.\n\n",
		program);
	for (size_t i = 0; i < OWN_COUNT; i++) {
		char option[64];

		snprintf(option, sizeof(option), "%s%s", own_names[i], own_arguments[i]);
		fprintf(out, "  %-22s %s\n", option, own_help[i]);
	}
	fputs("\nEnvironment:\n", out);
	for (size_t i = 0; i < COUNT(variables); i++)
		fprintf(out, "  %-22s %s\n", variables[i].name, variables[i].help);
}

static enum ct_completes completes(const char *argument)
{
	if (strcmp(argument, "=DIR") == 0)
		return CT_COMPLETES_DIRECTORY;
	return strcmp(argument, "=FILE") == 0 ? CT_COMPLETES_FILE : CT_COMPLETES_NOTHING;
}

void ct_own_print_completion(FILE *out, const char *what, const char *program, const char *also)
{
	struct ct_completion_option option[OWN_COUNT];
	const struct ct_completion_command command = {
	    .name = "", .operand = CT_COMPLETES_FILE, .option = option, .options = OWN_COUNT};
	const struct ct_completion of = {program, also, &command, 1};

	for (size_t i = 0; i < OWN_COUNT; i++) {
		const char *argument = own_arguments[i];

		option[i] = (struct ct_completion_option){
		    .name = own_names[i] + strlen("--"),
		    .argument = *argument ? argument + 1 : NULL,
		    .words = strchr(argument, '|') ? argument + 1 : NULL,
		    .completes = completes(argument),
		    .help = own_help[i],
		};
	}
	if (strcmp(what, "zsh") == 0)
		ct_completion_write_zsh(out, &of);
	else if (strcmp(what, "fish") == 0)
		ct_completion_write_fish(out, &of);
	else
		ct_completion_write_bash(out, &of);
}

void ct_own_print_man(FILE *out)
{
	fputs(".SH OPTIONS\n", out);
	for (size_t i = 0; i < OWN_COUNT; i++) {
		const char *argument = own_arguments[i];

		fputs(".TP\n\\fB", out);
		ct_roff_put(out, own_names[i]);
		fprintf(out, "\\fR%.1s\\fI", argument);
		ct_roff_put(out, *argument ? argument + 1 : "");
		fputs("\\fR\n", out);
		ct_roff_put(out, own_help[i]);
		fputs(".\n", out);
	}
	fputs(".SH ENVIRONMENT\n", out);
	for (size_t i = 0; i < COUNT(variables); i++) {
		fprintf(out, ".TP\n.B %s\n", variables[i].name);
		ct_roff_put(out, variables[i].help);
		fputs(".\n", out);
	}
	fputs(".SH SEE ALSO\n\\fBcuda\\-trace\\-clang\\fR(1), \\fBcuda\\-trace\\-nvcc\\fR(1), "
	      "\\fBctrun\\fR(1), \\fBctpost\\fR(1)\n",
	      out);
}
