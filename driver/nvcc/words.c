/* SPDX-License-Identifier: Apache-2.0 */
/* Lists in arguments of nvcc. */
#include "driver/nvcc/words.h"

#include <stdlib.h>
#include <string.h>

void ct_nvcc_words_split(struct ct_args *words, const char *text, bool at_blanks)
{
	char *word = malloc(strlen(text) + 1);
	size_t used = 0;
	bool is_word = false;
	char quote = 0;

	if (!word) {
		words->failed = true;
		return;
	}
	for (;; text++) {
		bool ends =
		    !*text || (!quote && (*text == ',' || (at_blanks && strchr(" \t\n", *text))));

		if (ends) {
			word[used] = '\0';
			if (is_word)
				ct_args_push(words, word);
			used = 0;
			is_word = false;
			if (!*text)
				break;
			continue;
		}
		is_word = true;
		if (*text == '\\' && text[1] && quote != '\'')
			word[used++] = *++text;
		else if (quote ? *text == quote : *text == '"' || *text == '\'')
			quote = quote ? 0 : *text;
		else
			word[used++] = *text;
	}
	free(word);
}
