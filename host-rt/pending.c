/* SPDX-License-Identifier: Apache-2.0 */
/* Launches in flight, in launch order. */
#include "pending.h"
#include "session.h"
#include <stdlib.h>

struct pending {
	uint32_t launch;
	int device;
	uint64_t stream;
};

static struct pending *list;
static size_t count, room;

/* Out of memory, a launch simply stays without its LAUNCH_DONE. */
void ct_pending_add(uint32_t launch, int device, uint64_t stream)
{
	if (count == room) {
		size_t more = room ? 2 * room : 256;
		struct pending *grown = realloc(list, more * sizeof(*list));

		if (!grown)
			return;
		list = grown;
		room = more;
	}
	list[count++] = (struct pending){launch, device, stream};
}

static void write_done(uint32_t launch, int error)
{
	struct ct_event_launch_done event = {.launch = launch, .error = error};

	if (error == 0)
		ct_session_count_done();
	ct_session_event(&event.header, CT_EVENT_LAUNCH_DONE, sizeof(event));
}

void ct_pending_done(int device, uint64_t stream, int error)
{
	size_t kept = 0;

	for (size_t i = 0; i < count; i++) {
		if (list[i].device == device &&
		    (stream == CT_ANY_STREAM || list[i].stream == stream))
			write_done(list[i].launch, error);
		else
			list[kept++] = list[i];
	}
	count = kept;
}

void ct_pending_failed(uint32_t launch, int error)
{
	write_done(launch, error);
}
