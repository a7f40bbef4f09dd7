/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Launches: decide whether the instrumented clone runs, write the LAUNCH event,
 * launch. The event is written and the id drawn under the session's lock; the
 * launch itself comes after it is released, since a launch may block until
 * another thread has launched something else.
 */
#include "launch.h"
#include "device.h"
#include "image.h"
#include "objects.h"
#include "pending.h"
#include "quiet.h"
#include "registry.h"
#include "say.h"
#include "session.h"
#include "sites.h"
#include "streams.h"
#include <cudatrace/ring.h>
#include <regex.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The CUDA limit is 32764 bytes of parameters, at least one each; real kernels have far fewer. */
#define PARAMS_MAX 4096u

struct decision {
	struct ct_kernel *kernel; /* NULL: not ours */
	struct ct_device *device;
	const struct ct_kernel_image *image; /* NULL: not looked at */
	const char *reason;                  /* why pristine; NULL: the clone runs */
	const char *site;
	uint64_t context;
	uint32_t id; /* 0: no event was written */
	uint64_t stream;
};

static bool is_capturing(const struct ct_launch_call *call)
{
	enum cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
	cudaStream_t stream =
	    !call->stream && call->per_thread ? cudaStreamPerThread : call->stream;

	return cudaStreamIsCapturing(stream, &status) == cudaSuccess &&
	       status != cudaStreamCaptureStatusNone;
}

/* By mangled or by source-level name; asked once per kernel. */
static bool is_selected(struct ct_kernel *kernel, const struct ct_kernel_image *image)
{
	const char *text = ct_session_options()->kernels, *display = "";
	const struct ct_unit_header *unit =
	    ct_registry_unit(kernel->unit_id, image->unit_arch, image->unit_arch);
	const struct ct_unit_kernel *entry =
	    unit ? ct_registry_unit_kernel(unit, kernel->name) : NULL;
	regex_t pattern;

	if (!*text)
		return true;
	if (kernel->selected)
		return kernel->selected > 0;
	if (entry)
		display = ct_registry_unit_string(unit, entry->display);
	if (regcomp(&pattern, text, REG_EXTENDED | REG_NOSUB) != 0)
		return true;
	kernel->selected = regexec(&pattern, display, 0, NULL, 0) == 0 ||
				   regexec(&pattern, kernel->name, 0, NULL, 0) == 0
			       ? 1
			       : -1;
	regfree(&pattern);
	return kernel->selected > 0;
}

static const char *why_pristine(const struct ct_launch_call *call, struct decision *d)
{
	const struct ct_options *options = ct_session_options();
	struct ct_kernel_image *image;
	const char *reason;

	if (!d->kernel)
		return "not compiled by cuda-trace";
	if (d->device->state == CT_DEVICE_DEAD)
		return "an earlier kernel failed";
	if (is_capturing(call))
		return "launched while a graph is captured";
	d->image = image = ct_image_of(d->kernel, d->device);
	if (!image)
		return "out of memory";
	if (image->reason)
		return image->reason;
	if (!is_selected(d->kernel, image))
		return "kernel not selected (--kernels)";
	if (d->id < options->first_launch || d->id > options->last_launch)
		return "launch not selected (--launches)";
	if (ct_session_limit_reached())
		return "size limit reached (--limit)";
	if (d->kernel->param_count > PARAMS_MAX)
		return "too many parameters";
	reason =
	    ct_image_fits(image, d->kernel, (uint64_t)call->block.x * call->block.y * call->block.z,
			  call->shared_bytes);
	if (reason)
		return reason;
	if (ct_device_prepare(d->device) < 0)
		return "no memory for records";
	return NULL;
}

static void fill_dimensions(struct ct_event_launch *event, const struct ct_launch_call *call,
			    const struct decision *d)
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

static void write_event(const struct ct_launch_call *call, const struct decision *d)
{
	struct ct_event_launch event = {.launch = d->id,
					.device = (uint32_t)d->device->ordinal,
					.stream = d->stream,
					.shared_bytes = call->shared_bytes};

	fill_dimensions(&event, call, d);
	event.unit_id = d->kernel ? d->kernel->unit_id : 0;
	event.unit_arch = d->image ? d->image->unit_arch : 0;
	event.kernel_name = ct_session_string(d->kernel ? d->kernel->name : NULL);
	event.flags =
	    (d->reason ? 0 : CT_LAUNCH_TRACED) | (call->cooperative ? CT_LAUNCH_COOPERATIVE : 0);
	event.thread = (uint32_t)syscall(SYS_gettid);
	event.site = ct_session_string(d->site);
	event.reason = ct_session_string(d->reason);
	ct_session_event(&event.header, CT_EVENT_LAUNCH, sizeof(event));
}

static void count_traced(struct decision *d)
{
	ct_session_totals.traced_launches++;
	if (!d->kernel->launched_traced)
		ct_session_totals.kernels++;
	d->kernel->launched_traced = true;
	d->device->unflushed_launches++;
}

static void say_pristine(const struct decision *d)
{
	if (ct_session_options()->verbose)
		ct_say("launch %u of %s is not traced: %s", d->id,
		       d->kernel ? d->kernel->name : "a kernel", d->reason);
}

/* Decide, and write it down, in one step with the launch's number. refused: why the
 * clone did not run after all, NULL at first. */
static void decide(const struct ct_launch_call *call, struct decision *d, const char *refused)
{
	struct ct_quiet quiet;

	ct_quiet_begin(&quiet);
	ct_session_lock();
	d->id = 0;
	d->device = ct_session_is_active() ? ct_device_current() : NULL;
	if (d->device) {
		d->id = (uint32_t)++ct_session_totals.launches;
		d->kernel = ct_registry_kernel(call->function);
		d->stream = ct_streams_id(call->stream, call->per_thread);
		ct_session_write_units();
		d->reason = refused ? refused : why_pristine(call, d);
		if (!d->reason)
			ct_objects_variables(d->device);
		write_event(call, d);
		if (!d->reason)
			count_traced(d);
		d->context = d->device->context_address;
	}
	ct_session_unlock();
	if (d->id && d->reason)
		say_pristine(d);
	ct_quiet_end(&quiet);
}

static void note_result(const struct decision *d, cudaError_t error)
{
	struct ct_quiet quiet;

	if (!d->id)
		return;
	ct_quiet_begin(&quiet);
	ct_session_lock();
	if (ct_session_is_open()) {
		if (error == cudaSuccess)
			ct_pending_add(d->id, d->device->ordinal, d->stream);
		else
			ct_pending_failed(d->id, (int)error);
	}
	ct_session_unlock();
	ct_quiet_end(&quiet);
}

static cudaError_t launch_clone(const struct ct_launch_call *call, const struct decision *d)
{
	uint32_t count = d->kernel->param_count;
	struct ct_launch block = {.context = d->context, .launch = d->id};
	void *arguments[count + 1];

	if (count)
		memcpy(arguments, call->arguments, count * sizeof(*arguments));
	arguments[count] = &block;
	return call->real(call, d->kernel->clone, arguments);
}

/* What the clone may lack though the pristine kernel has it. */
static bool is_resource_error(cudaError_t error)
{
	return error == cudaErrorLaunchOutOfResources ||
	       error == cudaErrorCooperativeLaunchTooLarge || error == cudaErrorInvalidValue ||
	       error == cudaErrorInvalidConfiguration || error == cudaErrorInvalidDeviceFunction;
}

cudaError_t ct_launch(const struct ct_launch_call *call)
{
	struct decision d = {.site = ct_sites_take_launch()};
	cudaError_t error, pending;

	if (!ct_session_is_active())
		return call->real(call, call->function, call->arguments);
	decide(call, &d, NULL);
	if (d.id && !d.reason) {
		pending = cudaPeekAtLastError();
		error = launch_clone(call, &d);
		note_result(&d, error);
		if (!is_resource_error(error))
			return error;
		if (pending == cudaSuccess)
			(void)cudaGetLastError();
		decide(call, &d, "not enough resources for the instrumented kernel");
	}
	error = call->real(call, call->function, call->arguments);
	note_result(&d, error);
	return error;
}
