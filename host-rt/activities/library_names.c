/* SPDX-License-Identifier: Apache-2.0 */
/* Names of calls that wait, of the runtime and the driver: those that do nothing else, and those
 * that wait for the device before they free memory or unload code. */
#include "host-rt/activities/library.h"
#include <string.h>

enum ct_library_scope ct_library_scope(const char *name)
{
	static const struct {
		const char *name;
		enum ct_library_scope scope;
	} known[] = {
	    {"cudaDeviceSynchronize", CT_LIBRARY_DEVICE},
	    {"cudaStreamSynchronize", CT_LIBRARY_STREAM},
	    {"cudaEventSynchronize", CT_LIBRARY_EVENT},
	    {"cudaFree", CT_LIBRARY_DEVICE},
	    {"cudaFreeHost", CT_LIBRARY_DEVICE},
	    {"cudaHostUnregister", CT_LIBRARY_DEVICE},
	    {"cuCtxSynchronize", CT_LIBRARY_DEVICE},
	    {"cuStreamSynchronize", CT_LIBRARY_STREAM},
	    {"cuEventSynchronize", CT_LIBRARY_EVENT},
	    {"cuMemFree", CT_LIBRARY_DEVICE},
	    {"cuMemFreeHost", CT_LIBRARY_DEVICE},
	    {"cuMemHostUnregister", CT_LIBRARY_DEVICE},
	    {"cuModuleUnload", CT_LIBRARY_DEVICE},
	    {"cuLibraryUnload", CT_LIBRARY_DEVICE},
	};
	size_t length = strcspn(name, "_"); /* versions and per-thread streams come behind */

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (strlen(known[i].name) == length && strncmp(name, known[i].name, length) == 0)
			return known[i].scope;
	return CT_LIBRARY_NO_WAIT;
}
