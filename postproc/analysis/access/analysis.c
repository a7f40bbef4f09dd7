/* SPDX-License-Identifier: Apache-2.0 */
/* The analysis of accesses as one of the scan engine's: the scan counts rows and fills two
 * shuffles, and a stage each takes them out into sums. */
#include "postproc/analysis/access/analysis.h"
#include "postproc/analysis/access/results.h"
#include "postproc/analysis/access/scan.h"
#include "postproc/analysis/access/stages.h"
#include "postproc/shuffle/stage.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int wants(void *job, struct ct_wants *wants)
{
	const struct ct_access_job *own = job;

	*wants = (struct ct_wants){
	    .what = CT_WANT_ACCESSES,
	    .launches = own->filter ? ct_filter_launches(own->filter) : NULL,
	    .sites = own->filter ? ct_filter_sites(own->filter) : NULL,
	};
	return 0;
}

static int open_shuffle(const struct ct_room *room, struct ct_shuffle **out)
{
	return ct_stage_shuffle(out, room, sizeof(struct ct_access_entry), CT_ACCESS_PARTITIONS,
				room->memory_bytes / 8 * 3, ct_stage_all_of_key);
}

static int begin(void *job, const struct ct_room *room)
{
	struct ct_access_job *own = job;
	struct ct_access_engine *engine = calloc(1, sizeof(*engine));
	int err;

	ct_access_job_fini(own);
	own->engine = engine;
	if (!engine)
		return -ENOMEM;
	engine->trace = own->trace;
	engine->filter = own->filter;
	engine->threads = room->threads;
	engine->ranks = room->ranks;
	err = ct_access_engine_prepare(engine);
	if (err == -EOVERFLOW)
		snprintf(room->why, CT_WHY_BYTES,
			 "more launches, kernels, objects or sites than the analysis of accesses "
			 "can tell apart; choose fewer with ctrun --launches or --kernels");
	engine->page_bytes = room->memory_bytes / 8 / room->threads;
	if (err == 0)
		err = open_shuffle(room, &engine->pieces);
	if (err == 0)
		err = open_shuffle(room, &engine->atomics);
	return err;
}

static int open_scan(void **state, void *job, const struct ct_worker *worker)
{
	return ct_access_scan_open((struct ct_access_scan **)state,
				   ((struct ct_access_job *)job)->engine, worker);
}

static int add_access(void *state, const struct ct_access *access)
{
	return ct_access_scan_access(state, access);
}

static int finish_scan(void *state)
{
	return ct_access_scan_finish(state);
}

static int join_scans(void *state, void *from)
{
	int err = ct_access_rows_join(ct_access_scan_rows(state), ct_access_scan_rows(from));

	return err == 0 ? ct_access_heat_join(ct_access_scan_heat(state), ct_access_scan_heat(from))
			: err;
}

static int pack(const void *state, struct ct_buffer *bytes)
{
	struct ct_access_scan *scan = (struct ct_access_scan *)state;
	size_t begin = bytes->size;
	uint64_t rows = 0;
	int err;

	if (!ct_buffer_append(bytes, &rows, sizeof(rows)))
		return -ENOMEM;
	err = ct_access_rows_pack(ct_access_scan_rows(scan), bytes);
	rows = bytes->size - begin - sizeof(rows);
	memcpy(bytes->bytes + begin, &rows, sizeof(rows));
	return err == 0 ? ct_access_heat_pack(ct_access_scan_heat(scan), bytes) : err;
}

static int unpack(void *state, const void *bytes, size_t count)
{
	const char *at = bytes;
	uint64_t rows;
	int err;

	if (count < sizeof(rows))
		return -EPROTO;
	memcpy(&rows, at, sizeof(rows));
	count -= sizeof(rows);
	at += sizeof(rows);
	if (rows > count)
		return -EPROTO;
	err = ct_access_rows_unpack(ct_access_scan_rows(state), at, rows);
	return err == 0 ? ct_access_heat_unpack(ct_access_scan_heat(state), at + rows, count - rows)
			: err;
}

static void close_scan(void *state)
{
	ct_access_scan_close(state);
}

static int open_part(void **state, void *job, const struct ct_worker *worker)
{
	(void)worker;
	return ct_access_part_open(state, ((struct ct_access_job *)job)->engine);
}

static int join_parts(void *job, void *const *states, uint32_t count, uint32_t part)
{
	return ct_stage_join(((struct ct_access_job *)job)->engine->sums, states, count, part);
}

static int begin_pieces(void *job)
{
	return ct_shuffle_finish(((struct ct_access_job *)job)->engine->pieces);
}

static int begin_atomics(void *job)
{
	return ct_shuffle_finish(((struct ct_access_job *)job)->engine->atomics);
}

static const struct ct_stage stages[] = {
    {.name = "distinct bytes",
     .partitions = CT_ACCESS_PARTITIONS,
     .weight = 40,
     .begin = begin_pieces,
     .open = open_part,
     .take = ct_access_part_take_pieces,
     .join = join_parts,
     .parts = CT_SUMS_PARTS,
     .close = ct_stage_close},
    {.name = "atomics",
     .partitions = CT_ACCESS_PARTITIONS,
     .weight = 10,
     .begin = begin_atomics,
     .open = open_part,
     .take = ct_access_part_take_atomics,
     .finish = ct_access_part_finish_atomics,
     .join = join_parts,
     .parts = CT_SUMS_PARTS,
     .close = ct_stage_close},
};

static int conclude(void *job, void **state, const struct ct_scanned *scanned)
{
	struct ct_access_job *own = job;
	struct ct_access_engine *engine = own->engine;
	int err = ct_sums_gather(engine->sums, engine->ranks);

	(void)scanned;
	if (err == 0 && engine->ranks->rank == 0)
		err = ct_access_results_make(&own->results, engine, ct_access_scan_rows(*state));
	if (err == 0 && engine->ranks->rank == 0) {
		own->results.heat = *ct_access_scan_heat(*state);
		*ct_access_scan_heat(*state) = (struct ct_access_heat){.groups = 0};
	}
	return ct_ranks_agree(engine->ranks, err);
}

const struct ct_analysis ct_access_analysis = {
    .name = "access",
    .memory = 3,
    .wants = wants,
    .begin = begin,
    .open = open_scan,
    .access = add_access,
    .finish = finish_scan,
    .join = join_scans,
    .pack = pack,
    .unpack = unpack,
    .close = close_scan,
    .stages = stages,
    .stage_count = sizeof(stages) / sizeof(stages[0]),
    .conclude = conclude,
};

void ct_access_job_fini(struct ct_access_job *job)
{
	if (job->engine)
		ct_access_engine_release(job->engine);
	free(job->engine);
	job->engine = NULL;
	ct_access_results_fini(&job->results);
}
