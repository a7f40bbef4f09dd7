/* SPDX-License-Identifier: Apache-2.0 */
/*
 * csv-read FILE: read CSV by the letter of RFC 4180 and print its records, a
 * line each, the fields separated by the character 0x1f, line feeds as \n. Any deviation, and
 * records of different lengths, end the program with status 1.
 */
#include <stdio.h>
#include <stdlib.h>

static FILE *file;
static unsigned long record = 1;

static void wrong(const char *what)
{
	fprintf(stderr, "csv-read: record %lu: %s\n", record, what);
	exit(1);
}

/* After the opening quote; returns what follows the closing one. */
static int read_quoted(void)
{
	for (;;) {
		int c = getc(file);

		if (c == EOF)
			wrong("the file ends within quotes");
		if (c == '"') {
			c = getc(file);
			if (c != '"')
				return c;
		}
		if (c == '\n')
			fputs("\\n", stdout);
		else
			putchar(c);
	}
}

/* Returns the comma or carriage return after the field. */
static int read_field(void)
{
	int c = getc(file);

	if (c == '"') {
		c = read_quoted();
		if (c != ',' && c != '\r')
			wrong("text after a closing quote");
		return c;
	}
	for (; c != ',' && c != '\r'; c = getc(file)) {
		if (c == EOF || c == '\n')
			wrong("a line does not end with CRLF");
		if (c == '"')
			wrong("a quote within a field without quotes");
		putchar(c);
	}
	return c;
}

static unsigned long read_record(void)
{
	unsigned long fields = 1;

	while (read_field() == ',') {
		putchar(0x1f);
		fields++;
	}
	if (getc(file) != '\n')
		wrong("a carriage return without a line feed");
	putchar('\n');
	return fields;
}

int main(int argc, char **argv)
{
	unsigned long fields = 0;
	int c;

	file = argc == 2 ? fopen(argv[1], "rb") : NULL;
	if (!file) {
		fprintf(stderr, "usage: csv-read FILE\n");
		return 2;
	}
	for (; (c = getc(file)) != EOF; record++) {
		unsigned long count;

		ungetc(c, file);
		count = read_record();
		if (fields && count != fields)
			wrong("more or fewer fields than the header");
		fields = count;
	}
	if (!fields)
		wrong("no header");
	return fclose(file) == 0 ? 0 : 1;
}
