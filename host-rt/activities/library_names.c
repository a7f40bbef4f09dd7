/* SPDX-License-Identifier: Apache-2.0 */
/* Names of calls that do nothing but wait, of the runtime and the driver. */
#include "host-rt/activities/library.h"
#include <string.h>

enum ct_library_scope ct_library_scope(const char *name)
{
	static const struct {
		const char *prefix;
		enum ct_library_scope scope;
	} known[] = {{"cudaDeviceSynchronize", CT_LIBRARY_DEVICE},
		     {"cuCtxSynchronize", CT_LIBRARY_DEVICE},
		     {"cudaStreamSynchronize", CT_LIBRARY_STREAM},
		     {"cuStreamSynchronize", CT_LIBRARY_STREAM},
		     {"cudaEventSynchronize", CT_LIBRARY_EVENT},
		     {"cuEventSynchronize", CT_LIBRARY_EVENT}};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (strncmp(name, known[i].prefix, strlen(known[i].prefix)) == 0)
			return known[i].scope;
	return CT_LIBRARY_NO_WAIT;
}
