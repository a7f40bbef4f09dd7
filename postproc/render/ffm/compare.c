/* SPDX-License-Identifier: Apache-2.0 */
/* Two studies in sentences. */
#include "postproc/render/ffm/compare.h"
#include "postproc/analysis/ffm/findings/compared.h"
#include "postproc/render/ffm/figures.h"
#include "postproc/tables/wrap.h"
#include <stdlib.h>

void ct_ffm_write_comparison(FILE *out, const struct ct_ffm_comparison *comparison,
			     const char *const name[2], const struct ct_ffm_view *view)
{
	char time[5][CT_AMOUNT_BYTES], share[CT_AMOUNT_BYTES];
	uint64_t run = comparison->study[0]->run_ns;
	size_t count;
	char **text = ct_ffm_doubt_texts(comparison, &count);

	fprintf(out, "Before  %s  %s\n", ct_ffm_time((int64_t)run, time[0]), name[0]);
	fprintf(out, "After   %s  %s\n",
		ct_ffm_time((int64_t)comparison->study[1]->run_ns, time[1]), name[1]);
	ct_amount_text(
	    &(struct ct_amount){run ? 100.0 * (double)comparison->saved_ns / (double)run : 0.0,
				"%"},
	    share);
	fprintf(out, "Saved   %s (%s of the run)\n", ct_ffm_time(comparison->saved_ns, time[2]),
		share);
	fprintf(out, "What is gone was predicted to save %s, by replay %s\n",
		ct_ffm_time((int64_t)comparison->predicted_ns, time[3]),
		ct_ffm_time(comparison->replayed_ns, time[4]));
	for (size_t i = 0; i < count; i++) {
		fputs("Doubtful: ", out);
		ct_write_wrapped(out, text[i], 10, view->style.width);
		free(text[i]);
	}
	free(text);
}
