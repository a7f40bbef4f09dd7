/* SPDX-License-Identifier: Apache-2.0 */
/* Commands that the wrapper runs, and its errors. */
#include "driver/wrapper/wrapper.h"
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Linux takes 128 KiB per word and a few MiB in all; stay far below. */
#define COMMAND_BYTES_MAX (256u << 10)

int ct_wrapper_error(const struct ct_wrapper *wrapper, const char *format, ...)
{
	va_list values;

	fprintf(stderr, "%s: error: ", wrapper->program);
	va_start(values, format);
	vfprintf(stderr, format, values);
	va_end(values);
	fputc('\n', stderr);
	return -EINVAL;
}

void ct_wrapper_clang(const struct ct_wrapper *wrapper, struct ct_args *args)
{
	ct_args_push(args, wrapper->parts.clang);
	if (wrapper->parts.clang_needs_cxx_mode)
		ct_args_push(args, "--driver-mode=g++");
}

void ct_wrapper_show(const struct ct_args *args)
{
	char *line = args->failed ? NULL : ct_args_quote(args);

	if (line)
		fprintf(stderr, "%s\n", line);
	free(line);
}

/* Replace all words but the first by @FILE. */
static int shorten(struct ct_wrapper *wrapper, struct ct_args *args)
{
	struct ct_args shorter = {0};
	char path[PATH_MAX];
	int err;

	if (args->failed)
		return -ENOMEM;
	snprintf(path, sizeof(path), "%s/arguments.rsp", wrapper->scratch.path);
	err = ct_args_write(args, path);
	if (err < 0)
		return ct_wrapper_error(wrapper, "%s: %s", path, strerror(-err));
	ct_args_push(&shorter, args->words[0]);
	ct_args_pushf(&shorter, "@%s", path);
	ct_args_fini(args);
	*args = shorter;
	return 0;
}

int ct_wrapper_run(struct ct_wrapper *wrapper, struct ct_args *args, struct ct_capture *capture)
{
	bool is_clang = !args->failed && strcmp(args->words[0], wrapper->parts.clang) == 0;
	int err;

	if (wrapper->cmdline.own.verbose || (wrapper->cmdline.dry_run && !is_clang))
		ct_wrapper_show(args);
	if (wrapper->cmdline.dry_run && !is_clang)
		return 0;
	if (wrapper->cmdline.dry_run)
		ct_args_push(args, "-###");
	if (is_clang && ct_args_bytes(args) > COMMAND_BYTES_MAX && wrapper->scratch.path[0]) {
		err = shorten(wrapper, args);
		if (err < 0)
			return err;
	}
	err = ct_process_run(args, capture);
	if (err < 0 && !ct_process_signal())
		ct_wrapper_error(wrapper, "cannot run %s: %s",
				 args->failed ? "clang" : args->words[0], strerror(-err));
	return err;
}
