/* SPDX-License-Identifier: Apache-2.0 */
/* Whether a kernel is traced: by what it is, its shape, the options, the state of the device. */
#include "host-rt/launch/decide.h"
#include "host-rt/base/say.h"
#include "host-rt/base/thread.h"
#include "host-rt/events/events.h"
#include "host-rt/events/objects.h"
#include "host-rt/events/regions.h"
#include "host-rt/events/session.h"
#include "host-rt/launch/handles.h"
#include "host-rt/launch/moment.h"
#include <cudatrace/error.h>
#include <regex.h>
#include <string.h>

/* The CUDA limit is 32764 bytes of parameters, at least one each; real kernels have far fewer. */
#define PARAMS_MAX 4096u

/* CUDA's limits: of x, of y and z, of z. */
#define GRID_WIDTH_MAX 0x7fffffffu
#define GRID_HEIGHT_MAX 65535u
#define BLOCK_DEPTH_MAX 64u

static bool matches(const char *pattern, const struct ct_kernel *kernel,
		    const struct ct_kernel_image *image)
{
	const struct ct_unit_header *unit =
	    ct_registry_unit(kernel->unit_id, image->unit_arch, image->unit_arch);
	const struct ct_unit_kernel *entry =
	    unit ? ct_registry_unit_kernel(unit, kernel->name) : NULL;
	const char *display = entry ? ct_registry_unit_string(unit, entry->display) : "";
	regex_t expression;
	bool is_match;

	if (regcomp(&expression, pattern, REG_EXTENDED | REG_NOSUB) != 0)
		return true;
	is_match = regexec(&expression, display, 0, NULL, 0) == 0 ||
		   regexec(&expression, kernel->name, 0, NULL, 0) == 0;
	regfree(&expression);
	return is_match;
}

/* By mangled or by source-level name; asked once per kernel. */
static bool is_selected(struct ct_kernel *kernel, const struct ct_kernel_image *image)
{
	const char *pattern = ct_session_options()->kernels;

	if (!*pattern)
		return true;
	if (!kernel->selected)
		kernel->selected = matches(pattern, kernel, image) ? 1 : -1;
	return kernel->selected > 0;
}

/* No kernel can be launched with this, on any device. */
static bool is_invalid(const struct ct_launch_call *call)
{
	return !call->grid.x || !call->grid.y || !call->grid.z || !call->block.x ||
	       !call->block.y || !call->block.z || call->grid.x > GRID_WIDTH_MAX ||
	       call->grid.y > GRID_HEIGHT_MAX || call->grid.z > GRID_HEIGHT_MAX ||
	       call->block.z > BLOCK_DEPTH_MAX;
}

const char *ct_decide_kernel(const struct ct_launch_call *call, struct ct_decision *d)
{
	uint64_t threads = (uint64_t)call->block.x * call->block.y * call->block.z;

	d->kernel = ct_handles_kernel(call->function);
	d->image = NULL;
	if (!d->kernel)
		return "not compiled by cuda-trace";
	if (ct_session_options()->calls_only)
		return "only calls are recorded (--calls=only)";
	if (ct_session_options()->sample_exponent &&
	    strcmp(ct_session_options()->samples_mode, "beside") != 0)
		return "program counters are sampled (--samples)";
	if (ct_drain_of(d->device)->phase == CT_DRAIN_DEAD)
		return "an earlier kernel failed";
	d->image = ct_image_of(d->kernel, d->device);
	if (!d->image)
		return "out of memory";
	if (d->image->reason)
		return d->image->reason;
	if (!is_selected(d->kernel, d->image))
		return "kernel not selected (--kernels)";
	if (call->refused)
		return call->refused;
	if (is_invalid(call))
		return "invalid configuration";
	if (d->kernel->param_count > PARAMS_MAX)
		return "too many parameters";
	return ct_image_fits(d->image, d->kernel, threads, call->shared_bytes);
}

const char *ct_decide_number(uint32_t id)
{
	const struct ct_options *options = ct_session_options();

	if (id < options->first_launch || id > options->last_launch)
		return "launch not selected (--launches)";
	if (ct_session_refusal())
		return ct_session_refusal() == CT_ELIMIT ? "size limit reached (--limit)"
							 : "file system nearly full (--keep-free)";
	return ct_moment_refusal(options);
}

const char *ct_decide_sample(struct ct_decision *d, uintptr_t base, const char *reason)
{
	uint64_t period = ct_session_options()->sample_launches;
	struct ct_launch_context *context;

	d->sample = (struct ct_sample){0};
	if (!d->kernel)
		return reason;
	context = ct_sampling_context(d->kernel, d->site, period > 1 ? base : 0);
	d->sample.context = ct_sampling_id(context);
	if (reason || period == 1)
		return reason;
	d->sample.launch_period = (uint32_t)period;
	return ct_sampling_takes(context, period) ? NULL : "not sampled (--sample-launches)";
}

/* In tier full the accesses go on without the times of their CTAs. */
static const char *take_times(const struct ct_launch_call *call, struct ct_decision *d,
			      uint64_t stream, uint32_t slot)
{
	struct ct_drain *drain = ct_drain_of(d->device);
	const char *reason = slot == CT_NO_LAUNCH_SLOT
				 ? ct_ctas_take(drain, stream, ct_launch_ctas(call), &d->ctas)
				 : ct_ctas_keep(drain, slot, ct_launch_ctas(call), &d->ctas);

	if (!reason || ct_session_options()->tier_number == CT_TIER_CLOCK)
		return reason;
	ct_events_loss(UINT64_MAX, d->id, reason);
	return NULL;
}

const char *ct_decide_memory(const struct ct_launch_call *call, struct ct_decision *d,
			     uint64_t stream, uint32_t slot)
{
	uint32_t tier = ct_session_options()->tier_number;

	if (tier == CT_TIER_COUNTS || tier == CT_TIER_VALUES || tier == CT_TIER_BLOCKS)
		return ct_counts_take(ct_drain_of(d->device), stream, slot != CT_NO_LAUNCH_SLOT,
				      d->kernel->unit_id, d->image->unit_arch, &d->counts);
	return d->kernel->clock ? take_times(call, d, stream, slot) : NULL;
}

static void fill_dimensions(struct ct_event_launch *event, const struct ct_launch_call *call,
			    const struct ct_decision *d)
{
	const dim3 *dimensions[] = {&call->grid, &call->block, &call->cluster};
	uint32_t *targets[] = {event->grid, event->block, event->cluster};

	for (int i = 0; i < 3; i++) {
		targets[i][0] = dimensions[i]->x;
		targets[i][1] = dimensions[i]->y;
		targets[i][2] = dimensions[i]->z;
	}
	if (d->image && call->cluster.x * call->cluster.y * call->cluster.z == 1)
		memcpy(event->cluster, d->image->cluster, sizeof(event->cluster));
}

static void write_event(const struct ct_launch_call *call, const struct ct_decision *d)
{
	struct ct_event_launch event = {.launch = d->id,
					.device = (uint32_t)d->device->ordinal,
					.stream = d->stream,
					.shared_bytes = call->shared_bytes};

	fill_dimensions(&event, call, d);
	event.unit_id = d->kernel ? d->kernel->unit_id : 0;
	event.unit_arch = d->image ? d->image->unit_arch : 0;
	event.kernel_name = ct_events_string(d->kernel ? d->kernel->name : NULL);
	event.flags =
	    (d->reason ? 0 : CT_LAUNCH_TRACED) | (call->cooperative ? CT_LAUNCH_COOPERATIVE : 0);
	event.thread = ct_thread_id();
	event.site = ct_events_string(d->site);
	event.reason = ct_events_string(d->reason);
	event.region = ct_events_string(ct_regions_path());
	event.context = d->sample.context;
	event.launch_period = d->sample.launch_period;
	event.block_period = d->reason ? 0 : d->sample.block_period;
	event.block_offset = d->reason ? 0 : d->sample.block_offset;
	event.tier = d->reason ? CT_TIER_FULL : ct_session_options()->tier_number;
	ct_events_write(ct_event_launch_header(&event));
}

static void count_traced(const struct ct_decision *d)
{
	ct_session_count(&ct_session_totals.traced_launches, 1);
	if (!d->kernel->launched_traced)
		ct_session_count(&ct_session_totals.kernels, 1);
	d->kernel->launched_traced = true;
	ct_drain_of(d->device)->unflushed_launches++;
}

static void say_pristine(const struct ct_decision *d)
{
	if (ct_session_options()->verbose)
		ct_say("launch %u of %s is not traced: %s", d->id,
		       d->kernel ? d->kernel->name : "a kernel", d->reason);
}

void ct_decide_write(const struct ct_launch_call *call, const struct ct_decision *d)
{
	ct_regions_write();
	if (!d->reason)
		ct_objects_variables(d->device);
	write_event(call, d);
	if (d->reason)
		say_pristine(d);
	else
		count_traced(d);
}
