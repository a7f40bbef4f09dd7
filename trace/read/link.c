/* SPDX-License-Identifier: Apache-2.0 */
/* Join the tables of a part: names, units, kernels, launches by id. */
#include "trace/read/reader_state.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static uint32_t find_kernel(const struct ct_unit *unit, const char *name)
{
	for (uint32_t i = 0; i < unit->header->kernel_count; i++)
		if (strcmp(ct_unit_string(unit, unit->kernels[i].name), name) == 0)
			return i;
	return CT_NONE;
}

static struct ct_launch_info *first_launch(const struct ct_trace *trace, const struct ct_part *part)
{
	return CT_ARRAY_FROM(struct ct_launch_info, &trace->launches, part->first[CT_EVENT_LAUNCH]);
}

static void list_launches(struct ct_trace *trace, const struct ct_part *part)
{
	struct ct_launch_info *launch = first_launch(trace, part);
	const struct ct_host_event *event;
	size_t count;

	event = ct_part_events(trace, part, CT_EVENT_LAUNCH, &count);
	for (size_t i = 0; i < count; i++)
		launch[i] = (struct ct_launch_info){
		    .event = event[i].launch, .part = event[i].part, .event_index = event[i].index};
}

/* Programs launch the same kernels again and again: earlier, the answer for a
 * launch before this one, is looked at first. */
static void link_kernel(const struct ct_trace *trace, const struct ct_part *part,
			struct ct_launch_info *launch, const struct ct_launch_info *earlier)
{
	const struct ct_event_launch *event = launch->event;
	const char *display;

	if (earlier && earlier->event->kernel_name == event->kernel_name &&
	    earlier->event->unit_id == event->unit_id &&
	    earlier->event->unit_arch == event->unit_arch) {
		launch->unit = earlier->unit;
		launch->kernel_index = earlier->kernel_index;
		launch->kernel = earlier->kernel;
		return;
	}
	launch->unit = ct_part_unit(trace, part, event->unit_id, event->unit_arch);
	launch->kernel_index =
	    launch->unit ? find_kernel(launch->unit, launch->kernel_name) : CT_NONE;
	launch->kernel = launch->kernel_name;
	if (launch->kernel_index != CT_NONE) {
		display = ct_unit_string(launch->unit,
					 launch->unit->kernels[launch->kernel_index].display);
		launch->kernel = *display ? display : launch->kernel_name;
	}
}

#define EARLIER_SLOTS 256u

static void link_launches(struct ct_trace *trace, struct ct_part *part)
{
	struct ct_launch_info *launch = first_launch(trace, part);
	const struct ct_launch_info *earlier[EARLIER_SLOTS] = {NULL};

	for (size_t i = 0; i < part->count[CT_EVENT_LAUNCH]; i++, launch++) {
		const struct ct_event_launch *event = launch->event;
		const struct ct_launch_info **slot = &earlier[event->kernel_name % EARLIER_SLOTS];

		launch->kernel_name = ct_part_string(part, event->kernel_name);
		launch->site = ct_part_string(part, event->site);
		launch->reason = ct_part_string(part, event->reason);
		launch->region = ct_part_string(part, event->region);
		link_kernel(trace, part, launch, *slot);
		*slot = launch;
	}
}

static int link_objects(struct ct_trace *trace, const struct ct_part *part)
{
	struct ct_object_info *objects =
	    CT_ARRAY_FROM(struct ct_object_info, &trace->objects, part->first[CT_EVENT_ALLOC]);
	const char *descriptor = NULL, *name = "";

	for (size_t i = 0; i < part->count[CT_EVENT_ALLOC]; i++) {
		const char *site = ct_part_string(part, objects[i].event->site);
		char *copy;
		int err;

		objects[i].caller = objects[i].site = "";
		objects[i].name = site;
		if (objects[i].event->kind == CT_OBJECT_VARIABLE)
			continue;
		objects[i].site = site;
		if (site != descriptor) { /* the same string has the same address */
			size_t room = strlen(site) + 1;

			copy = malloc(room);
			err = copy ? ct_trace_own(trace, copy) : -ENOMEM;
			if (err < 0)
				return err;
			name = ct_site_field(site, 5, copy, room);
			descriptor = site;
		}
		objects[i].name = name;
	}
	return 0;
}

static int compare_launches(const void *a, const void *b, void *user)
{
	const struct ct_launch_info *launches = user;
	uint32_t i = *(const uint32_t *)a, j = *(const uint32_t *)b;
	uint32_t x = launches[i].event->launch, y = launches[j].event->launch;

	if (x != y)
		return x < y ? -1 : 1;
	return i < j ? -1 : i > j;
}

static int sort_launches(struct ct_trace *trace, struct ct_part *part)
{
	size_t count = part->count[CT_EVENT_LAUNCH];

	part->launch_order = malloc((count + 1) * sizeof(*part->launch_order));
	if (!part->launch_order)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++)
		part->launch_order[i] = (uint32_t)(part->first[CT_EVENT_LAUNCH] + i);
	qsort_r(part->launch_order, count, sizeof(*part->launch_order), compare_launches,
		CT_ARRAY(struct ct_launch_info, &trace->launches));
	return 0;
}

static void link_devices(struct ct_trace *trace, const struct ct_part *part)
{
	struct ct_device_info *device =
	    CT_ARRAY_FROM(struct ct_device_info, &trace->devices, part->first[CT_EVENT_DEVICE]);
	const struct ct_host_event *event;
	size_t count;

	event = ct_part_events(trace, part, CT_EVENT_DEVICE, &count);
	for (size_t i = 0; i < count; i++)
		device[i] = (struct ct_device_info){
		    .event = event[i].device,
		    .name = ct_part_string(part, event[i].device->name),
		    .part = part->part,
		};
}

static void link_losses(struct ct_trace *trace, const struct ct_part *part)
{
	struct ct_loss_info *loss =
	    CT_ARRAY_FROM(struct ct_loss_info, &trace->losses, part->first[CT_EVENT_LOSS]);
	const struct ct_host_event *event;
	size_t count;

	event = ct_part_events(trace, part, CT_EVENT_LOSS, &count);
	for (size_t i = 0; i < count; i++)
		loss[i] = (struct ct_loss_info){
		    .event = event[i].loss,
		    .launch = ct_part_launch(trace, part, event[i].loss->launch),
		    .reason = ct_part_string(part, event[i].loss->reason),
		    .part = part->part,
		};
}

static void link_transfers(struct ct_trace *trace, const struct ct_part *part)
{
	struct ct_transfer_info *transfer = CT_ARRAY_FROM(
	    struct ct_transfer_info, &trace->transfers, part->first[CT_EVENT_TRANSFER]);
	const struct ct_host_event *event;
	size_t count;

	event = ct_part_events(trace, part, CT_EVENT_TRANSFER, &count);
	for (size_t i = 0; i < count; i++)
		transfer[i] = (struct ct_transfer_info){
		    .event = event[i].transfer,
		    .call = ct_part_string(part, event[i].transfer->call),
		    .part = part->part,
		    .event_index = event[i].index,
		};
}

static void link_done(struct ct_trace *trace, const struct ct_part *part)
{
	const struct ct_host_event *event;
	size_t count;

	event = ct_part_events(trace, part, CT_EVENT_LAUNCH_DONE, &count);
	for (size_t i = 0; i < count; i++) {
		const struct ct_event_launch_done *done = event[i].launch_done;
		struct ct_launch_info *launch = ct_part_launch(trace, part, done->launch);

		if (!launch)
			continue;
		launch->done = 1;
		launch->done_ns = done->header.time_ns;
		launch->error = done->error;
	}
}

/* Up to which launch the device's records are in the trace: the last event tells. */
static uint32_t stored_until(const struct ct_trace *trace, const struct ct_part *part,
			     uint32_t device)
{
	const struct ct_host_event *event;
	size_t count;

	event = ct_part_events(trace, part, CT_EVENT_STORED, &count);
	while (count-- > 0)
		if (event[count].stored->device == device)
			return event[count].stored->launch;
	return 0;
}

static void link_stored(struct ct_trace *trace, const struct ct_part *part)
{
	struct ct_launch_info *launch = first_launch(trace, part);
	uint32_t device = CT_NONE, until = 0;

	for (size_t i = 0; i < part->count[CT_EVENT_LAUNCH]; i++, launch++) {
		if (launch->event->device != device) {
			device = launch->event->device;
			until = stored_until(trace, part, device);
		}
		launch->stored = launch->event->launch <= until;
	}
}

int ct_trace_link(struct ct_trace *trace, struct ct_part *part)
{
	int err = link_objects(trace, part);

	if (err < 0)
		return err;
	list_launches(trace, part);
	err = sort_launches(trace, part);
	if (err < 0)
		return err;
	link_launches(trace, part);
	link_devices(trace, part);
	link_transfers(trace, part);
	link_done(trace, part);
	link_stored(trace, part);
	link_losses(trace, part);
	ct_part_link_counts(trace, part);
	return 0;
}
