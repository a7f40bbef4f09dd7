/* SPDX-License-Identifier: Apache-2.0 */
/* Where code stands, in words. */
#include "postproc/analysis/ffm/place.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

const char *ct_ffm_file_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

const char *ct_ffm_place(const struct ct_code_frame *frame, char buffer[CT_FFM_PLACE_BYTES])
{
	*buffer = '\0';
	if (frame && *frame->file)
		snprintf(buffer, CT_FFM_PLACE_BYTES, "%s:%" PRIu32, ct_ffm_file_name(frame->file),
			 frame->line);
	else if (frame)
		snprintf(buffer, CT_FFM_PLACE_BYTES, "%s", ct_ffm_file_name(frame->module));
	return buffer;
}
