/* SPDX-License-Identifier: Apache-2.0 */
/* ctrun calibrate: learns once per machine what its driver does, by programs of ours
 * (driver/calibrate). */
#include "driver/base/args.h"
#include "driver/base/process.h"
#include "driver/ctrun/calibration.h"
#include "driver/ctrun/library.h"
#include "driver/ctrun/line.h"
#include "driver/ctrun/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NO_DEVICE 77 /* exit status of the programs */

static int fail(const char *what, const char *why)
{
	fprintf(stderr, "ctrun: error: %s: %s\n", what, why);
	return 1;
}

/* The directory that a file is to be in. 0 or -errno. */
static int make_parent(const char *path)
{
	char parent[PATH_MAX];
	char *end;
	int err;

	snprintf(parent, sizeof(parent), "%s", path);
	end = strrchr(parent, '/');
	if (!end || end == parent)
		return 0;
	*end = '\0';
	err = ctrun_output_make(parent);
	return err < 0 ? err : 0;
}

/* That of GPUs is not in an installation that was built without CUDA's static runtime. */
static bool has_program(const char *target)
{
	char name[32], path[PATH_MAX];

	snprintf(name, sizeof(name), "calibrate-%s", target);
	return ctrun_library(name, path) == 0;
}

/* Runs the program of a target with its output into the file. Its exit status, or negative. */
static int probe(const char *target, const char *milliseconds, int fd)
{
	char name[32], path[PATH_MAX];
	struct ct_args args = {0};
	int status;

	snprintf(name, sizeof(name), "calibrate-%s", target);
	status = ctrun_library(name, path);
	if (status < 0)
		return status;
	ct_args_push(&args, path);
	ct_args_push(&args, milliseconds);
	status = ct_process_run_to(&args, fd);
	ct_args_fini(&args);
	return status;
}

/* Into the file that the user names, or where ctrun ffm finds it; complete or not at all. */
static int calibrate_target(const char *target, const char *milliseconds, const char *output)
{
	char path[PATH_MAX], partial[PATH_MAX + 16];
	int fd, status, err = 0;

	if (output)
		snprintf(path, sizeof(path), "%s", output);
	else
		err = ctrun_calibration_path(target, path);
	if (err < 0)
		return fail("no cache directory", "set HOME, or name a file with -o");
	err = make_parent(path);
	snprintf(partial, sizeof(partial), "%s.partial", path);
	fd = err < 0 ? err : open(partial, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (fd < 0)
		return fail(path, strerror(err < 0 ? -err : errno));
	status = probe(target, milliseconds, fd);
	close(fd);
	if (status != 0) {
		unlink(partial);
		return status < 0 ? fail("the program that asks the driver", strerror(-status))
				  : status;
	}
	if (rename(partial, path) < 0)
		return fail(path, strerror(errno));
	fprintf(stderr, "[ctrun] what waits on this %s: %s\n",
		strcmp(target, "cpu") == 0 ? "CPU target" : "driver", path);
	return 0;
}

static int calibrate(const struct ctrun_line *line)
{
	const char *target = ctrun_line_value(line, "target");
	const char *milliseconds = ctrun_line_value(line, "busy");
	const char *output = ctrun_line_value(line, "output");
	int status;

	ct_process_init();
	milliseconds = milliseconds ? milliseconds : "30";
	if (target && strcmp(target, "auto") != 0) {
		status = calibrate_target(target, milliseconds, output);
		return status == NO_DEVICE ? 1 : status;
	}
	status = has_program("gpu") ? calibrate_target("gpu", milliseconds, output) : NO_DEVICE;
	if (status != NO_DEVICE)
		return status;
	fprintf(stderr, "[ctrun] no GPU can be asked: the CPU target\n");
	return calibrate_target("cpu", milliseconds, output);
}

static const struct ctrun_option options[] = {
    {.flag = "output",
     .argument = "FILE",
     .preset = "",
     .help = "where to write (default: where ctrun ffm finds it, in ~/.cache/cuda-trace)"},
    {.flag = "target",
     .argument = "auto|gpu|cpu",
     .preset = "auto",
     .help = "the first GPU, or the CPU target; auto: the GPU if there is one"},
    {.flag = "busy",
     .argument = "1..10000",
     .preset = "30",
     .help = "milliseconds that the device is kept busy while a call is asked",
     .type = CT_OPTION_COUNT},
    {.flag = NULL},
};

static const char *const shared[] = {NULL};

const struct ctrun_command ctrun_calibrate = {
    .name = "calibrate",
    .arguments = "",
    .does = "learn what this machine's driver does, for ctrun ffm",
    .text = "Ask the driver which of its calls wait for the device, and for which streams, with a "
	    "kernel under way in the legacy default stream, a blocking and a non-blocking one, and "
	    "write that as JSON. Once per driver and device; ctrun ffm uses it for what ctpost "
	    "calls calibrated evidence.",
    .status = "Exits with 0, 1 if there is no such device or it fails, 2 for a mistake on the "
	      "command line.",
    .own = options,
    .shared = shared,
    .run = calibrate,
};
