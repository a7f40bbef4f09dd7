/* SPDX-License-Identifier: Apache-2.0 */
/* Lists api.def, to be preprocessed: "NAME EVERY|MOST|GPU call|thread SITE |" for each symbol. */
#define THREAD_NONE(symbol, where, site)
#define THREAD_PTSZ(symbol, where, site) symbol##_ptsz where thread site |
#define THREAD_PTDS(symbol, where, site) symbol##_ptds where thread site |
#define ALLOCATES(memory, size) ALLOCATES
#define LAUNCHES(kernel, stream) LAUNCHES
#define LAUNCHES_CONFIGURED(kernel) LAUNCHES
#define CT_API(returns, name, version, thread, where, site, ...)                                   \
	name##version where call site | THREAD_##thread(name##version, where, site)
#include <cudatrace/api.def>
