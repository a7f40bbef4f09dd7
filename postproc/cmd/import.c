/* SPDX-License-Identifier: Apache-2.0 */
/* ctpost import: other tools' traces as a trace of ours. */
#include "postproc/formats/memtrace/import.h"
#include "postproc/cmdline/progress.h"
#include "postproc/command.h"
#include "postproc/formats/memtrace/in.h"
#include "postproc/formats/memtrace/manifest.h"
#include "postproc/formats/memtrace/unit_build.h"
#include "trace/read/reader.h"
#include <cudatrace/error.h>
#include <cudatrace/record.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define UNIT_ID 0x65636172746d656dull /* "memtrace" */
#define SM_MAX 0xfffu
#define CTA_BITS 59
#define ZSTD_LEVEL 3

static const struct ctpost_option own[] = {
    {.name = "format",
     .argument = "FORMAT",
     .choices = "memtrace",
     .complete = CTPOST_COMPLETE_WORDS,
     .help = "memtrace: files MemTrace-pipe-<n> of cuda-memtrace"},
    {.name = "output",
     .letter = 'o',
     .argument = "TRACE",
     .complete = CTPOST_COMPLETE_DIRECTORY,
     .help = "trace directory to create"},
    {.name = NULL},
};

static const struct ctpost_option *const options[] = {own, NULL};

struct job {
	struct ctpost_call *call;
	struct ct_unit_build *unit;
	struct import_section *section;
	size_t sections;
	struct import_chunk chunk;
	struct ctpost_progress progress;
	int files_done;
};

static int note_position(struct job *job, const struct ct_memtrace_in *in)
{
	uint64_t done, total, files = (uint64_t)job->call->operands;

	ct_memtrace_in_position(in, &done, &total);
	return ctpost_progress_update(&job->progress, (uint64_t)job->files_done * total + done,
				      files * total);
}

/* n of MemTrace-pipe-<n>, or the file's place on the command line if any name
 * is another or two are the same. */
static uint64_t stream_of(const struct ctpost_call *call, int file)
{
	uint64_t wanted = (uint64_t)file;

	for (int i = 0; i < call->operands; i++) {
		const char *slash = strrchr(call->operand[i], '/');
		const char *name = slash ? slash + 1 : call->operand[i];
		unsigned long long number;
		int end = 0;

		if (sscanf(name, "MemTrace-pipe-%llu%n", &number, &end) != 1 || name[end])
			return (uint64_t)file;
		for (int j = 0; j < i; j++) {
			const char *other = strrchr(call->operand[j], '/');

			if (!strcmp(other ? other + 1 : call->operand[j], name))
				return (uint64_t)file;
		}
		if (i == file)
			wanted = number;
	}
	return wanted;
}

static int check_record(const struct job *job, const struct import_section *section,
			const struct ct_memtrace_record *record, const char *path)
{
	char *why = job->call->why;

	if (!ct_memtrace_operation(record->type)) {
		snprintf(why, CTPOST_WHY_BYTES,
			 "%s: kernel %s, record %llu: type %u is not defined; the file is damaged",
			 path, section->name, (unsigned long long)section->records, record->type);
		return -CT_EFORMAT;
	}
	if (record->sm > SM_MAX) {
		snprintf(
		    why, CTPOST_WHY_BYTES,
		    "%s: kernel %s, record %llu: SM %u is beyond %u, the largest a trace holds",
		    path, section->name, (unsigned long long)section->records, record->sm, SM_MAX);
		return -ERANGE;
	}
	return 0;
}

/* Learn a section's grid and its sites. */
static int survey_section(struct job *job, struct ct_memtrace_in *in,
			  struct import_section *section, const char *path)
{
	struct ct_memtrace_record record;
	int got;

	while ((got = ct_memtrace_in_record(in, &record)) > 0) {
		int err = check_record(job, section, &record, path);
		int64_t site;

		if (err < 0)
			return err;
		for (int i = 0; i < 3; i++)
			if (record.cta[i] >= section->grid[i])
				section->grid[i] =
				    record.cta[i] == UINT32_MAX ? UINT32_MAX : record.cta[i] + 1;
		site = ct_unit_build_site(job->unit, section->kernel,
					  ct_memtrace_operation(record.type), record.size);
		if (site < 0)
			return (int)site;
		section->records++;
		note_position(job, in);
	}
	if (got == 0 && (long double)section->grid[0] * section->grid[1] * section->grid[2] >=
			    (long double)(1ull << CTA_BITS)) {
		snprintf(job->call->why, CTPOST_WHY_BYTES,
			 "%s: kernel %s: a grid of %ux%ux%u blocks is beyond what a trace holds",
			 path, section->name, section->grid[0], section->grid[1], section->grid[2]);
		return -ERANGE;
	}
	return got;
}

static struct import_section *add_section(struct job *job, const char *name, uint64_t stream)
{
	struct import_section *bigger =
	    realloc(job->section, (job->sections + 1) * sizeof(*bigger));
	struct import_section *section;
	int64_t kernel = ct_unit_build_kernel(job->unit, name);

	if (!bigger)
		return NULL;
	job->section = bigger;
	section = &bigger[job->sections];
	*section = (struct import_section){
	    .name = strdup(name),
	    .stream = stream,
	    .grid = {1, 1, 1},
	    .kernel = (uint32_t)kernel,
	};
	if (!section->name || kernel < 0) {
		free(section->name);
		return NULL;
	}
	job->sections++;
	return section;
}

static int survey_file(struct job *job, int file)
{
	const char *path = job->call->operand[file], *name;
	struct ct_memtrace_in *in;
	int err = ct_memtrace_in_open(&in, path, job->call->why, CTPOST_WHY_BYTES);

	while (!err && (err = ct_memtrace_in_section(in, &name)) > 0) {
		struct import_section *section = add_section(job, name, stream_of(job->call, file));

		err = section ? survey_section(job, in, section, path) : -ENOMEM;
	}
	ct_memtrace_in_close(in);
	return err;
}

/* The second reading: everything was checked, unless the file has changed. */
static int convert_file(struct job *job, int file, size_t *next_section)
{
	const char *name;
	struct ct_memtrace_in *in;
	struct ct_memtrace_record record;
	int err =
	    ct_memtrace_in_open(&in, job->call->operand[file], job->call->why, CTPOST_WHY_BYTES);

	while (!err && (err = ct_memtrace_in_section(in, &name)) > 0) {
		const struct import_section *section = &job->section[*next_section];

		++*next_section;
		err = import_begin_section(&job->chunk, section, (uint32_t)*next_section, UNIT_ID);
		while (!err && (err = ct_memtrace_in_record(in, &record)) > 0) {
			int64_t site =
			    ct_unit_build_site(job->unit, section->kernel,
					       ct_memtrace_operation(record.type), record.size);

			err = import_add(&job->chunk, section, (uint32_t)site, &record);
			note_position(job, in);
		}
		if (!err)
			err = import_end_section(&job->chunk);
	}
	ct_memtrace_in_close(in);
	return err;
}

static int write_tables(struct job *job)
{
	struct ct_event_device device = {.device = 0};
	void *blob;
	size_t bytes;
	int err = ct_unit_build_finish(job->unit, &blob, &bytes);

	if (err < 0)
		return err;
	err = ct_writer_unit(job->chunk.writer, blob, bytes);
	free(blob);
	if (err == 0)
		err = ct_writer_string(job->chunk.writer, "unknown (imported)", &device.name);
	return err < 0 ? err : ct_writer_event(job->chunk.writer, ct_event_device_header(&device));
}

static int write_trace(struct job *job)
{
	const char *directory = ctpost_value(job->call, "output");
	struct ct_writer_options writer_options = {.level = ZSTD_LEVEL};
	size_t next_section = 0;
	int err, closed;

	err = ct_writer_open(&job->chunk.writer, directory, &writer_options, job->call->why,
			     CTPOST_WHY_BYTES);
	if (err < 0)
		return err;
	err = ct_writer_stream_open(&job->chunk.stream, job->chunk.writer, 0);
	if (err == 0)
		err = write_tables(job);
	for (job->files_done = 0; !err && job->files_done < job->call->operands; job->files_done++)
		err = convert_file(job, job->files_done, &next_section);
	closed = ct_writer_stream_close(job->chunk.stream);
	err = err < 0 ? err : closed;
	if (err == 0)
		err = ct_memtrace_write_manifest(job->chunk.writer, job->call->operand,
						 job->call->operands);
	if (err < 0 && !job->call->why[0] && *ct_writer_error(job->chunk.writer))
		ctpost_fail(job->call, 0, "%s", ct_writer_error(job->chunk.writer));
	closed = ct_writer_close(job->chunk.writer);
	ct_map_fini(&job->chunk.sequence);
	return err ? err : closed;
}

static int run(struct ctpost_call *call)
{
	struct job job = {.call = call};
	int err;

	if (!ctpost_value(call, "format"))
		return ctpost_fail(call, CTPOST_USAGE,
				   "import: --format is missing: --format=memtrace");
	if (!ctpost_value(call, "output"))
		return ctpost_fail(call, CTPOST_USAGE, "import: the output is missing: -o TRACE");
	err = ct_unit_build_open(&job.unit, UNIT_ID, 0, "");
	ctpost_progress_start(&job.progress, "reading");
	for (job.files_done = 0; !err && job.files_done < call->operands; job.files_done++)
		err = survey_file(&job, job.files_done);
	ctpost_progress_start(&job.progress, "writing");
	if (err == 0)
		err = write_trace(&job);
	ctpost_progress_stop(&job.progress);
	for (size_t i = 0; i < job.sections; i++)
		free(job.section[i].name);
	free(job.section);
	ct_unit_build_close(job.unit);
	if (err < 0 && !call->why[0])
		ctpost_fail(call, 0, "%s: %s", ctpost_value(call, "output"), ct_strerror(err));
	return err < 0 ? CTPOST_FAILED : CTPOST_OK;
}

const struct ctpost_command ctpost_import_command = {
    .name = "import",
    .summary = "make a trace from another tool's files",
    .description =
	"Makes a trace directory from another tool's files, for info, dump, diff and export.\n\n"
	"memtrace files have no warps, no source lines and no block sizes: every access\n"
	"becomes one of thread 0 of its block, there is one site for each kernel, type and\n"
	"size, and the grid is the smallest that holds every block seen. Exporting the trace\n"
	"again gives the same files byte for byte.",
    .operands = "FILE...",
    .operands_min = 1,
    .operands_max = -1,
    .complete = CTPOST_COMPLETE_FILE,
    .options = options,
    .exit_status = "0 on success, 1 if a file cannot be read or the trace not be written, 2 for\n"
		   "a wrong option.",
    .example = "ctpost import --format=memtrace -o old.ctrace pipes/MemTrace-pipe-*",
    .run = run,
};
