/* SPDX-License-Identifier: Apache-2.0 */
/* One line on stderr, in one write, so that lines of several processes do not mix. */
#include "host-rt/base/say.h"
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define PREFIX "cuda-trace: "

void ct_say(const char *format, ...)
{
	char line[1024] = PREFIX;
	size_t used = strlen(PREFIX), room = sizeof(line) - used - 1;
	int saved = errno, printed;
	va_list arguments;
	ssize_t written;

	va_start(arguments, format);
	printed = vsnprintf(line + used, room, format, arguments);
	va_end(arguments);
	if (printed < 0)
		return;
	used += (size_t)printed < room ? (size_t)printed : room - 1;
	line[used++] = '\n';
	written = write(STDERR_FILENO, line, used);
	(void)written;
	errno = saved;
}
