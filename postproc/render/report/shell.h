/* SPDX-License-Identifier: Apache-2.0 */
/* The page of a report and that of a comparison share this: one HTML file that loads nothing,
 * with style, data, D3, and the scripts that both are made by. */
#ifndef CT_POSTPROC_RENDER_REPORT_SHELL_H
#define CT_POSTPROC_RENDER_REPORT_SHELL_H

#include "postproc/render/report/web.h"
#include <stdio.h>

/* Up to where the data, one JSON object, is to be written. what: the page is, behind its title.
 * Errors stay in the file. */
void ct_shell_begin(FILE *out, const char *title, const char *what);
/* Behind it; what follows may be elements that scripts find. */
void ct_shell_end_data(FILE *out);
/* The rest; scripts: of this kind of page. */
void ct_shell_end(FILE *out, const struct ct_web_text *scripts);

/* A text in HTML. */
void ct_shell_put_text(FILE *out, const char *text);

#endif
