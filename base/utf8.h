/* SPDX-License-Identifier: Apache-2.0 */
/* Characters of text from elsewhere. */
#ifndef CT_BASE_UTF8_H
#define CT_BASE_UTF8_H

#include <stddef.h>
#include <stdint.h>

/* The character at text, which ends with a NUL; *bytes is 0 if there is none that is UTF-8
 * (RFC 3629). */
uint32_t ct_utf8_read(const char *text, unsigned *bytes);

/* Makes text that anybody may have chosen, as a kernel's or region's name, safe to be shown on a
 * terminal, in place: line breaks and tabs become blanks, and each byte of other control characters
 * (C0, DEL, C1), of characters that turn the direction of text or are not seen, and of what is not
 * UTF-8 becomes '?'. NULs stay, and what follows the last byte is one. */
void ct_text_make_plain(char *text, size_t bytes);

#endif
