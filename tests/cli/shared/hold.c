/* SPDX-License-Identifier: Apache-2.0 */
/*
 * LD_PRELOAD: stops a program where a test wants to interrupt it, however fast it is. The thread
 * that opens a path that contains $CT_HOLD makes the file $CT_HOLD_SAYS and waits for a signal
 * for ever; what it opened is there.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

typedef int open_function(int, const char *, int, mode_t);

static int open_and_hold(int directory, const char *path, int flags, mode_t mode)
{
	const char *hold = getenv("CT_HOLD"), *says = getenv("CT_HOLD_SAYS");
	open_function *real;
	int fd;

	*(void **)&real = dlsym(RTLD_NEXT, "openat");
	fd = real(directory, path, flags, mode);
	if (!hold || !says || fd < 0 || !strstr(path, hold))
		return fd;
	close(real(AT_FDCWD, says, O_WRONLY | O_CREAT, 0666));
	for (;;)
		pause();
}

static mode_t mode_of(int flags, va_list arguments)
{
	return flags & O_CREAT ? va_arg(arguments, mode_t) : 0;
}

int open(const char *path, int flags, ...)
{
	va_list arguments;
	mode_t mode;

	va_start(arguments, flags);
	mode = mode_of(flags, arguments);
	va_end(arguments);
	return open_and_hold(AT_FDCWD, path, flags, mode);
}

int openat(int directory, const char *path, int flags, ...)
{
	va_list arguments;
	mode_t mode;

	va_start(arguments, flags);
	mode = mode_of(flags, arguments);
	va_end(arguments);
	return open_and_hold(directory, path, flags, mode);
}
