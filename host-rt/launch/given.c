/* SPDX-License-Identifier: Apache-2.0 */
/* Parameters that are pointers by the type that the source gives them. */
#include "host-rt/launch/given.h"
#include "host-rt/base/registry.h"
#include "host-rt/events/events.h"
#include "host-rt/events/session.h"
#include "host-rt/launch/handles.h"
#include "host-rt/watch/watch.h"
#include <ctype.h>
#include <cudatrace/host.h>
#include <cudatrace/unit.h>
#include <stdlib.h>
#include <string.h>

#define ADDRESSES 64u /* of a kernel; of more it is not known what it uses */

/* "const float *__restrict", but not "span<float *>", whose size is not known. */
static bool is_pointer(const char *type)
{
	const char *star = strrchr(type, '*');

	return star && !strchr(star, '>');
}

/* Numbers, which no address is hidden in: structures may have one. */
static bool is_plain(const char *type)
{
	static const char *const names[] = {
	    "bool",           "char",      "signed char",        "unsigned char", "short",
	    "unsigned short", "int",       "unsigned int",       "unsigned",      "long",
	    "unsigned long",  "long long", "unsigned long long", "size_t",        "float",
	    "double"};

	if (strncmp(type, "const ", 6) == 0)
		type += 6;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(type, names[i]) == 0)
			return true;
	return false;
}

#define MEMBERS 32u

/* Its pointer arguments. */
struct ct_given {
	uint64_t address[ADDRESSES];
	size_t count;
	bool reads[ADDRESSES]; /* by the type it is only read */
	bool is_all;           /* what else it is given are plain numbers */
	uint64_t member[MEMBERS];
	size_t members; /* pointers in structures, where checks are recorded */
};

/* Reads a pointer in a structure that is a parameter (CT_MEMBER_AT of unit.h). */
static bool read_member(const struct ct_launch_call *call, uint32_t params, const char *at,
			uint64_t *address)
{
	char *end;
	unsigned long parameter = strtoul(at, &end, 10);

	if (parameter >= params || !call->arguments[parameter] || *end != *CT_MEMBER_AT)
		return false;
	memcpy(address, (const char *)call->arguments[parameter] + strtoul(end + 1, NULL, 10),
	       sizeof(*address));
	return true;
}

static void collect_members(const struct ct_launch_call *call, const struct ct_unit_header *unit,
			    const struct ct_unit_kernel *entry, struct ct_given *given)
{
	const struct ct_unit_param *params = ct_registry_unit_params(unit);
	uint32_t i = entry->param_first + entry->param_count;

	for (; i < unit->param_count && given->members < MEMBERS; i++) {
		const char *at = ct_registry_unit_string(unit, params[i].type);

		if (!isdigit((unsigned char)*at) ||
		    !read_member(call, entry->param_count, at, &given->member[given->members]))
			break;
		given->members++;
	}
}

static void collect(const struct ct_launch_call *call, const struct ct_decision *d,
		    struct ct_given *given)
{
	const struct ct_kernel *kernel = d->kernel ? d->kernel : ct_handles_kernel(call->function);
	const struct ct_unit_header *unit = kernel ? ct_registry_unit(kernel->unit_id, 0, 0) : NULL;
	const struct ct_unit_kernel *entry =
	    unit ? ct_registry_unit_kernel(unit, kernel->name) : NULL;
	const struct ct_unit_param *params = entry ? ct_registry_unit_params(unit) : NULL;

	given->count = given->members = 0;
	given->is_all = entry && call->arguments;
	for (uint32_t i = 0; params && call->arguments && i < entry->param_count; i++) {
		const char *type =
		    ct_registry_unit_string(unit, params[entry->param_first + i].type);

		if (call->arguments[i] && is_pointer(type) && given->count < ADDRESSES) {
			given->reads[given->count] = strncmp(type, "const ", 6) == 0 &&
						     strchr(type, '*') == strrchr(type, '*');
			memcpy(&given->address[given->count++], call->arguments[i],
			       sizeof(given->address[0]));
		} else if (!is_plain(type))
			given->is_all = false;
	}
	if (params && call->arguments && ct_session_options()->check)
		collect_members(call, unit, entry, given);
}

void ct_giving(const struct ct_launch_call *call, const struct ct_decision *d)
{
	struct ct_given given;

	collect(call, d, &given);
	ct_watch_giving(given.address, given.count);
}

static void write_event(uint32_t launch, uint64_t address, uint32_t flags)
{
	struct ct_event_given event = {.launch = launch, .address = address, .flags = flags};

	ct_events_write(ct_event_given_header(&event));
}

/* Which works touch the same memory. */
static void write_events(uint32_t launch, const struct ct_given *given)
{
	for (size_t i = 0; i < given->count; i++)
		if (given->address[i])
			write_event(launch, given->address[i],
				    given->reads[i] ? CT_GIVEN_READS : 0);
		else if (ct_session_options()->check)
			write_event(launch, 0, CT_GIVEN_NULL);
	for (size_t i = 0; i < given->members; i++)
		write_event(launch, given->member[i],
			    CT_GIVEN_MEMBER | (given->member[i] ? 0 : CT_GIVEN_NULL));
	if (!given->is_all || !given->count)
		write_event(launch, 0, given->is_all ? 0 : CT_GIVEN_MORE);
}

struct ct_given *ct_given_keep(const struct ct_launch_call *call, const struct ct_decision *d)
{
	struct ct_given *given = malloc(sizeof(*given));

	if (given)
		collect(call, d, given);
	return given;
}

void ct_given_write(uint32_t launch, const struct ct_given *given)
{
	if (given)
		write_events(launch, given);
}

void ct_given_effects(const struct ct_launch_call *call, int device, uint64_t stream)
{
	const struct ct_kernel *kernel = ct_registry_kernel(call->function);
	uint32_t effects;

	kernel = kernel ? kernel : ct_handles_kernel(call->function);
	effects = kernel ? ct_registry_effects(kernel) : 0;
	if (effects & CT_EFFECT_PRINTS)
		ct_watch_hidden("its kernel may print (printf)", device, stream);
	if (effects & CT_EFFECT_ASSERTS)
		ct_watch_hidden("its kernel may end with an error (assert, trap)", device, stream);
}

void ct_given(const struct ct_launch_call *call, const struct ct_decision *d)
{
	struct ct_given given;

	collect(call, d, &given);
	write_events(d->id, &given);
	ct_watch_given(given.address, given.count, given.is_all, d->device->ordinal, d->stream);
	ct_given_effects(call, d->device->ordinal, d->stream);
}
