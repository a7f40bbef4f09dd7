/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Links of the CPU target that miss device functions which no kernel reaches: nvlink leaves such
 * code out, the system's linker asks for its symbols. Whether a kernel reaches them is the linker's
 * to say: device functions of -rdc have sections of their own, and a trial that leaves out what
 * nothing reaches links if what is missing is reached by nothing. The link itself keeps all.
 */
#include "driver/wrapper/wrapper.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const char device_prefix[] = "__ctd_"; /* cpu-target/retarget/unit/unit.h */

void ct_unreached_symbol(const char *line, size_t bytes, char *name, size_t name_bytes)
{
	static const char *const phrases[] = {"undefined reference to `", "undefined symbol: "};
	char copy[8192];

	*name = '\0';
	snprintf(copy, sizeof(copy), "%.*s", (int)bytes, line);
	for (size_t i = 0; i < COUNT(phrases); i++) {
		const char *at = strstr(copy, phrases[i]);

		if (!at)
			continue;
		at += strlen(phrases[i]);
		snprintf(name, name_bytes, "%.*s", (int)strcspn(at, "'\n "), at);
	}
}

static bool holds(const struct ct_args *words, const char *word)
{
	for (size_t i = 0; i < words->count; i++)
		if (strcmp(words->words[i], word) == 0)
			return true;
	return false;
}

static void list_missing(const char *messages, struct ct_args *missing)
{
	while (*messages) {
		size_t bytes = strcspn(messages, "\n");
		char name[4096];

		ct_unreached_symbol(messages, bytes, name, sizeof(name));
		if (strncmp(name, device_prefix, strlen(device_prefix)) == 0 &&
		    !holds(missing, name))
			ct_args_push(missing, name);
		messages += bytes + (messages[bytes] == '\n');
	}
}

static bool links_without(struct ct_wrapper *wrapper, const struct ct_args *args)
{
	struct ct_capture capture = {.held = true};
	struct ct_args trial = {0};
	int status;

	ct_args_push_words(&trial, args->words, args->count);
	ct_args_push(&trial, "-Wl,--gc-sections");
	ct_args_push(&trial, "-o");
	ct_args_pushf(&trial, "%s/reached", wrapper->scratch.path);
	status = ct_wrapper_run(wrapper, &trial, &capture);
	free(capture.text);
	ct_args_fini(&trial);
	return status == 0;
}

/* A function that is never reached needs an address only. */
static bool define(struct ct_wrapper *wrapper, const struct ct_args *missing, const char *object)
{
	char source[PATH_MAX];
	struct ct_args args = {0};
	FILE *file;
	bool written;
	int status = -1;

	snprintf(source, sizeof(source), "%s/unreached.s", wrapper->scratch.path);
	file = fopen(source, "we");
	if (!file)
		return false;
	for (size_t i = 0; i < missing->count; i++)
		fprintf(file, ".globl \"%s\"\n.hidden \"%s\"\n\"%s\":\n", missing->words[i],
			missing->words[i], missing->words[i]);
	fputs("ud2\n.section .note.GNU-stack,\"\",@progbits\n", file);
	written = !ferror(file);
	if (fclose(file) == 0 && written) {
		ct_wrapper_clang(wrapper, &args);
		ct_args_push(&args, "-c");
		ct_args_push(&args, source);
		ct_args_push(&args, "-o");
		ct_args_push(&args, object);
		status = ct_wrapper_run(wrapper, &args, NULL);
	}
	ct_args_fini(&args);
	return status == 0;
}

bool ct_unreached_add(struct ct_wrapper *wrapper, struct ct_args *args, const char *messages)
{
	struct ct_args missing = {0};
	char object[PATH_MAX];
	bool added;

	snprintf(object, sizeof(object), "%s/unreached.o", wrapper->scratch.path);
	list_missing(messages, &missing);
	added = missing.count && links_without(wrapper, args) && define(wrapper, &missing, object);
	if (added) {
		ct_args_push(args, "-Xlinker");
		ct_args_push(args, object);
	}
	ct_args_fini(&missing);
	return added;
}
