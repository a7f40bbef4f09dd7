/* SPDX-License-Identifier: Apache-2.0 */
/* The files under web/ and D3, as embed.cmake put them into web.c at build time. */
#ifndef CT_POSTPROC_RENDER_REPORT_WEB_H
#define CT_POSTPROC_RENDER_REPORT_WEB_H

#include <stddef.h>

struct ct_web_text {
	const unsigned char *data;
	size_t bytes;
};

extern const struct ct_web_text ct_web_css;
extern const struct ct_web_text ct_web_d3;      /* its licence before it */
extern const struct ct_web_text ct_web_kit;     /* scripts of all pages, before those of one kind */
extern const struct ct_web_text ct_web_report;  /* of the page of a trace or study */
extern const struct ct_web_text ct_web_compare; /* of that of several */

#endif
