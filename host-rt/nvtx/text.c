/* SPDX-License-Identifier: Apache-2.0 */
/* Wide characters are UTF-32 on Linux. What is none becomes U+FFFD. */
#include "host-rt/nvtx/text.h"
#include <stdint.h>

static unsigned encode(uint32_t c, char out[4])
{
	unsigned more = c < 0x80 ? 0 : c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
	static const uint8_t first[] = {0, 0xc0, 0xe0, 0xf0};

	out[0] = (char)(first[more] | c >> 6 * more);
	for (unsigned i = 1; i <= more; i++)
		out[i] = (char)(0x80 | (c >> 6 * (more - i) & 0x3f));
	return more + 1;
}

const char *ct_nvtx_narrow(const wchar_t *wide, char text[CT_NVTX_TEXT_BYTES])
{
	unsigned used = 0;

	for (; wide && *wide && used + 5 <= CT_NVTX_TEXT_BYTES; wide++) {
		uint32_t c = (uint32_t)*wide;

		if (c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
			c = 0xfffd;
		used += encode(c, text + used);
	}
	text[used] = '\0';
	return text;
}
