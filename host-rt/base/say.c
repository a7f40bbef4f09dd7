/* SPDX-License-Identifier: Apache-2.0 */
/* One line on stderr, in one write, so that lines of several processes do not mix; nowhere once
 * number 2 is another file than when we were loaded. */
#include "host-rt/base/say.h"
#include "base/utf8.h"
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PREFIX "cuda-trace: "

static struct stat at_load; /* all 0: number 2 was closed, or we are not loaded yet */
static bool is_loaded;

__attribute__((constructor)) static void remember_stderr(void)
{
	if (fstat(STDERR_FILENO, &at_load) < 0)
		memset(&at_load, 0, sizeof(at_load));
	is_loaded = true;
}

/* A program that was started without it, or has closed it, may have a file of its own there. */
static bool is_stderr(void)
{
	struct stat now;

	if (!is_loaded)
		remember_stderr();
	return fstat(STDERR_FILENO, &now) == 0 && at_load.st_ino && now.st_dev == at_load.st_dev &&
	       now.st_ino == at_load.st_ino;
}

void ct_say(const char *format, ...)
{
	char line[1024] = PREFIX;
	size_t used = strlen(PREFIX), room = sizeof(line) - used - 1;
	int saved = errno, printed;
	va_list arguments;
	ssize_t written;

	if (!is_stderr()) {
		errno = saved;
		return;
	}
	va_start(arguments, format);
	printed = vsnprintf(line + used, room, format, arguments);
	va_end(arguments);
	if (printed < 0)
		return;
	used += (size_t)printed < room ? (size_t)printed : room - 1;
	line[used] = '\0';
	ct_text_make_plain(line, used);
	line[used++] = '\n';
	written = write(STDERR_FILENO, line, used);
	(void)written;
	errno = saved;
}
