/* SPDX-License-Identifier: Apache-2.0 */
/* Find the traces of a run, tell their totals. */
#include "driver/ctrun/output.h"
#include "driver/ctrun/untraced.h"

#include "base/quantity.h"
#include "trace/names/directory.h"

#include <cudatrace/format.h>
#include <dirent.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The processes of a trace, added up. */
struct sum {
	uint64_t processes, open; /* open: ended without closing their part */
	uint64_t launches, traced, kernels, bytes, lost, waits, calls, activities;
	uint64_t without_records; /* of the processes: --calls=only */
	uint64_t sampled;         /* likewise: --samples, with which no kernel is traced */
};

static uint64_t total(const json_t *manifest, const char *name)
{
	json_int_t value =
	    json_integer_value(json_object_get(json_object_get(manifest, "totals"), name));

	return value > 0 ? (uint64_t)value : 0;
}

static const char *plural(uint64_t count)
{
	return count == 1 ? "" : "s";
}

static void report_open(const struct sum *sum)
{
	char a[CT_NUMBER_BYTES], b[CT_NUMBER_BYTES];

	if (sum->open && sum->processes == 1)
		fprintf(stderr, "[ctrun] the program ended without closing its trace; "
				"ctpost reads what is there\n");
	else if (sum->open)
		fprintf(stderr,
			"[ctrun] %s of %s processes ended without closing their part; ctpost info "
			"names them and reads what is there\n",
			ct_number(sum->open, a), ct_number(sum->processes, b));
}

static void report_rank(const struct ctrun_output *output)
{
	if (output->rank.rank != CT_NO_RANK && output->rank.ranks != 1)
		fprintf(stderr, " of rank %u", output->rank.rank);
}

/* Without traced launches: --inject, --calls=only, or ranges and calls alone. */
static void report_calls(const struct ctrun_output *output, const struct sum *sum,
			 const char *directory)
{
	char a[CT_NUMBER_BYTES], b[CT_NUMBER_BYTES], c[CT_NUMBER_BYTES];

	fprintf(stderr, "[ctrun] recorded %s call%s and %s kernel%s and copies",
		ct_number(sum->calls, a), plural(sum->calls), ct_number(sum->activities, b),
		plural(sum->activities));
	if (sum->processes > 1)
		fprintf(stderr, " in %s processes", ct_number(sum->processes, a));
	report_rank(output);
	fprintf(stderr, ", %s: %s\n", ct_size(sum->bytes, c), directory);
}

/* Processes share kernels, so that their numbers of kernels cannot be added. */
static void report_sum(const struct ctrun_output *output, const struct sum *sum,
		       const char *directory)
{
	char a[CT_NUMBER_BYTES], b[CT_NUMBER_BYTES], c[CT_NUMBER_BYTES];

	if ((!sum->launches || sum->without_records + sum->sampled == sum->processes) &&
	    sum->calls + sum->activities) {
		report_calls(output, sum, directory);
		return;
	}
	fprintf(stderr, "[ctrun] traced %s", ct_number(sum->traced, a));
	if (sum->traced != sum->launches)
		fprintf(stderr, " of %s", ct_number(sum->launches, b));
	fprintf(stderr, " launch%s", sum->launches == 1 ? "" : "es");
	if (sum->processes == 1)
		fprintf(stderr, " (%s kernel%s)", ct_number(sum->kernels, a), plural(sum->kernels));
	else
		fprintf(stderr, " in %s processes", ct_number(sum->processes, a));
	report_rank(output);
	fprintf(stderr, ", %s", ct_size(sum->bytes, c));
	if (sum->lost)
		fprintf(stderr, ", %s chunk%s lost", ct_number(sum->lost, a), plural(sum->lost));
	if (sum->waits)
		fprintf(stderr, ", kernels waited for the ring %s time%s", ct_number(sum->waits, a),
			plural(sum->waits));
	fprintf(stderr, ": %s\n", directory);
}

static void add_process(void *user, const json_t *manifest)
{
	struct sum *sum = user;
	const char *error = json_string_value(json_object_get(manifest, "error"));

	const json_t *options = json_object_get(manifest, "options");
	const char *calls = json_string_value(json_object_get(options, "calls"));
	const char *samples = json_string_value(json_object_get(options, "samples"));
	const char *mode = json_string_value(json_object_get(options, "samples_mode"));

	sum->processes++;
	sum->without_records += calls && strcmp(calls, "only") == 0;
	sum->sampled +=
	    samples && strcmp(samples, "off") != 0 && mode && strcmp(mode, "beside") != 0;
	sum->launches += total(manifest, "launches");
	sum->traced += total(manifest, "traced_launches");
	sum->kernels += total(manifest, "kernels");
	sum->bytes += total(manifest, "trace_bytes");
	sum->lost += total(manifest, "lost_chunks");
	sum->waits += total(manifest, "ring_waits");
	sum->calls += total(manifest, "calls");
	sum->activities += total(manifest, "activities");
	if (error && *error)
		fprintf(stderr,
			"[ctrun] tracing of process %" JSON_INTEGER_FORMAT " stopped early: %s\n",
			json_integer_value(json_object_get(manifest, "pid")), error);
	else if (!json_object_get(manifest, "end_ns"))
		sum->open++;
}

/* Written by this run and, of a job, by this rank. */
static bool is_ours(const struct ctrun_output *output, const json_t *manifest)
{
	const char *run = json_string_value(json_object_get(manifest, "run"));
	json_int_t start = json_integer_value(json_object_get(manifest, "start_ns"));
	const json_t *rank = json_object_get(manifest, "rank");

	if (start <= 0 || (uint64_t)start < output->start_ns)
		return false;
	if (*output->path && run && strcmp(run, output->run) != 0)
		return false;
	return output->rank.rank == CT_NO_RANK || output->rank.ranks == 1 ||
	       (rank && json_integer_value(rank) == output->rank.rank);
}

/* Calls a function for each manifest of this run in a directory. */
static void each_manifest(const struct ctrun_output *output, const char *directory,
			  void (*take)(void *user, const json_t *manifest), void *user)
{
	DIR *entries = opendir(directory);
	struct dirent *entry;

	while (entries && (entry = readdir(entries))) {
		char path[PATH_MAX + 300];
		json_t *manifest;

		if (ct_file_name_parse(entry->d_name).kind != CT_FILE_MANIFEST)
			continue;
		snprintf(path, sizeof(path), "%s/%s", directory, entry->d_name);
		manifest = json_load_file(path, 0, NULL);
		if (is_ours(output, manifest))
			take(user, manifest);
		json_decref(manifest);
	}
	if (entries)
		closedir(entries);
}

/* Report the trace in directory if this run made it. Returns 1 or 0. */
static unsigned report_directory(const struct ctrun_output *output, const char *directory,
				 bool speaks)
{
	struct sum sum = {0};

	if (speaks)
		each_manifest(output, directory, add_process, &sum);
	if (sum.processes) {
		report_sum(output, &sum, directory);
		report_open(&sum);
	}
	if (sum.launches && !sum.traced && sum.without_records + sum.sampled < sum.processes)
		ctrun_untraced_say(directory);
	return sum.processes > 0;
}

struct stop {
	char *why;
	size_t why_bytes;
	unsigned processes;
};

static void note_stop(void *user, const json_t *manifest)
{
	struct stop *stop = user;
	const char *error = json_string_value(json_object_get(manifest, "error"));
	json_int_t pid = json_integer_value(json_object_get(manifest, "pid"));

	stop->processes++;
	if (error && *error)
		snprintf(stop->why, stop->why_bytes, "%s", error);
	else if (!json_object_get(manifest, "end_ns"))
		snprintf(
		    stop->why, stop->why_bytes,
		    "process %" JSON_INTEGER_FORMAT
		    " did not close its trace (the disk was full, or the program ended without "
		    "exit handlers)",
		    pid);
	else if (!json_is_true(json_object_get(manifest, "complete")))
		snprintf(stop->why, stop->why_bytes,
			 "process %" JSON_INTEGER_FORMAT " has lost records", pid);
}

void ctrun_output_stopped(const struct ctrun_output *output, char *why, size_t why_bytes)
{
	struct stop stop = {.why = why, .why_bytes = why_bytes};

	*why = '\0';
	each_manifest(output, output->path, note_stop, &stop);
	if (!stop.processes)
		snprintf(why, why_bytes, "no process could say how it ended");
}

/* Processes of a trace, those of them that were injected into, and those that have lost records. */
struct kinds {
	uint64_t processes, injected, lossy;
};

static void count_kinds(void *user, const json_t *manifest)
{
	struct kinds *kinds = user;
	kinds->processes++;
	kinds->injected += json_is_true(json_object_get(manifest, "injected"));
	kinds->lossy += total(manifest, "lost_chunks") > 0;
}

static struct kinds kinds_of(const char *directory)
{
	const struct ctrun_output any = {.start_ns = 0, .rank = {.rank = CT_NO_RANK}};
	struct kinds kinds = {0};

	each_manifest(&any, directory, count_kinds, &kinds);
	return kinds;
}

bool ctrun_output_is_injected(const char *directory)
{
	struct kinds kinds = kinds_of(directory);

	return kinds.processes && kinds.injected == kinds.processes;
}

bool ctrun_output_has_lost(const char *directory)
{
	return kinds_of(directory).lossy > 0;
}

bool ctrun_output_speaks(const struct ctrun_output *output, bool verbose)
{
	bool later_rank = output->rank.rank != CT_NO_RANK && output->rank.rank != 0;

	return verbose || (!output->joined && !later_rank);
}

void ctrun_output_end(const struct ctrun_output *output)
{
	if (output->created)
		rmdir(output->path);
}

static void note_process(void *user, const json_t *manifest)
{
	unsigned *processes = user;

	(void)manifest;
	++*processes;
}

static void take_directory(const struct ctrun_output *output, const char *directory,
			   void (*take)(void *user, const char *directory), void *user)
{
	unsigned processes = 0;

	each_manifest(output, directory, note_process, &processes);
	if (processes)
		take(user, directory);
}

/* Traces that processes have named themselves, in the working directory. */
static void each_directory(void (*take)(void *user, const char *directory), void *user)
{
	struct dirent **entries;
	int count = scandir(".", &entries, NULL, alphasort);

	for (int i = 0; i < count; i++) {
		if (fnmatch("*.ctrace", entries[i]->d_name, 0) == 0)
			take(user, entries[i]->d_name);
		free(entries[i]);
	}
	if (count >= 0)
		free(entries);
}

struct taking {
	const struct ctrun_output *output;
	void (*take)(void *user, const char *directory);
	void *user;
};

static void take_if_ours(void *user, const char *directory)
{
	const struct taking *taking = user;

	take_directory(taking->output, directory, taking->take, taking->user);
}

void ctrun_output_each(const struct ctrun_output *output,
		       void (*take)(void *user, const char *directory), void *user)
{
	struct taking taking = {output, take, user};

	if (output->joined)
		return;
	if (*output->path)
		take_if_ours(&taking, output->path);
	else
		each_directory(take_if_ours, &taking);
}

struct reporting {
	const struct ctrun_output *output;
	bool speaks;
	unsigned found;
};

static void report_one(void *user, const char *directory)
{
	struct reporting *reporting = user;

	reporting->found += report_directory(reporting->output, directory, reporting->speaks);
}

unsigned ctrun_output_report(const struct ctrun_output *output, bool verbose)
{
	struct reporting reporting = {output, ctrun_output_speaks(output, verbose), 0};

	if (*output->path)
		return report_directory(output, output->path, reporting.speaks);
	each_directory(report_one, &reporting);
	return reporting.found;
}
