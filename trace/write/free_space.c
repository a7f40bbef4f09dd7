/* SPDX-License-Identifier: Apache-2.0 */
/* Whether the file system of a trace has the space left that others are to keep. */
#include "trace/write/free_space.h"
#include "base/clock.h"

#include <sys/statvfs.h>

#define LOOK_EVERY_NS 50000000u
#define LOOK_EVERY_BYTES (64u << 20)

/* How many bytes may be written until only what is to be kept is free. */
static uint64_t bytes_left(const struct ct_free_space *space, struct ct_folder *folder)
{
	uint64_t kept = space->keep_bytes, free;
	struct statvfs system;
	int fd = ct_folder_begin(folder);
	bool is_reported = fd >= 0 && fstatvfs(fd, &system) == 0;

	ct_folder_end(folder);
	if (!is_reported || system.f_blocks == 0)
		return UINT64_MAX;
	free = system.f_bavail * system.f_frsize;
	/* On a small file system so many bytes may be all. */
	if (space->keep_percent && kept > system.f_blocks * system.f_frsize / 4)
		kept = system.f_blocks * system.f_frsize / 4;
	if (kept < system.f_blocks * system.f_frsize / 100 * space->keep_percent)
		kept = system.f_blocks * system.f_frsize / 100 * space->keep_percent;
	return free > kept ? free - kept : 0;
}

bool ct_free_space_is_short(struct ct_free_space *space, struct ct_folder *folder, uint64_t written)
{
	uint64_t now, left;

	if (space->is_short || (!space->keep_bytes && !space->keep_percent))
		return space->is_short;
	now = ct_clock_monotonic_ns();
	if (written < space->bytes && now < space->ns)
		return false;
	left = bytes_left(space, folder);
	space->bytes = written + (left / 2 < LOOK_EVERY_BYTES ? left / 2 : LOOK_EVERY_BYTES);
	space->ns = now + LOOK_EVERY_NS;
	if (left == 0)
		space->is_short = true;
	return left == 0;
}
