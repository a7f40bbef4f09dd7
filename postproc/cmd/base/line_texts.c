/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of sources, for identities. */
#include "postproc/cmd/base/line_texts.h"

#include <stdio.h>

static const char *text_of(void *user, const char *path, uint32_t line, char buffer[CT_LINE_BYTES])
{
	const char *text = ct_source_line(user, path, line);

	if (!text)
		return NULL;
	snprintf(buffer, CT_LINE_BYTES, "%s", text);
	return buffer;
}

struct ct_line_texts ctpost_line_texts_of(struct ct_source_store *sources)
{
	return (struct ct_line_texts){text_of, sources};
}
