/* SPDX-License-Identifier: Apache-2.0 */
/* The calls that lead to an access, the host's before the device's. */
#include "postproc/render/base/path.h"
#include "postproc/formats/dump/dump.h"
#include "postproc/render/base/host_path.h"

void ct_dump_write_path(FILE *out, const struct ct_dump *dump, const struct ct_access *access)
{
	uint32_t path = ct_host_paths_of(dump->host, access->launch);

	if (path) {
		fputs("host ", out);
		ct_host_path_write(out, dump->host, path);
		fputs(" > launch > ", out);
	}
	ct_path_write(out, access);
}
