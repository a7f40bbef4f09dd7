/* SPDX-License-Identifier: Apache-2.0 */
/* Steps of a program: by numbers of their calls, by place, by time. */
#include "postproc/analysis/ffm/program.h"

static uint32_t number_of(const struct ct_row_call *call, enum ct_ffm_number number)
{
	switch (number) {
	case CT_FFM_BY_ID:
		return call->id;
	case CT_FFM_BY_CORRELATION:
		return call->correlation;
	default:
		return call->launch;
	}
}

int ct_ffm_steps_by(const struct ct_ffm_program *program, enum ct_ffm_number number,
		    struct ct_by_number *steps)
{
	struct ct_by_number_range range = {.count = 0};
	int err;

	for (size_t s = 0; s < program->graph.steps; s++) {
		uint32_t key = number_of(&program->calls[program->call[s]], number);

		if (key)
			ct_by_number_expect(&range, key);
	}
	err = ct_by_number_init(steps, &range);
	for (size_t s = 0; s < program->graph.steps && range.count && err == 0; s++) {
		uint32_t key = number_of(&program->calls[program->call[s]], number);

		if (key)
			err = ct_by_number_set(steps, key, (uint32_t)s + 1);
	}
	return err;
}

uint32_t ct_ffm_step_of(const struct ct_ffm_program *program, const struct ct_row_call *call)
{
	size_t low = 0, high = program->graph.steps;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct ct_row_call *at = &program->calls[program->call[middle]];

		if (at->thread < call->thread ||
		    (at->thread == call->thread && at->begin_ns < call->begin_ns))
			low = middle + 1;
		else
			high = middle;
	}
	return low < program->graph.steps && &program->calls[program->call[low]] == call
		   ? (uint32_t)low
		   : CT_FFM_NONE;
}

uint32_t ct_ffm_step_before(const struct ct_ffm_program *program, uint32_t thread, uint64_t time_ns)
{
	size_t low = 0, high = program->graph.steps;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		uint32_t of = program->calls[program->call[middle]].thread;

		if (of < thread ||
		    (of == thread && ct_ffm_end(&program->graph.step[middle]) <= time_ns))
			low = middle + 1;
		else
			high = middle;
	}
	return low > 0 && program->calls[program->call[low - 1]].thread == thread
		   ? (uint32_t)(low - 1)
		   : CT_FFM_NONE;
}
