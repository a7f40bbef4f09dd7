/* SPDX-License-Identifier: Apache-2.0 */
/*
 * facts THEIRS.ptx OURS.ptx
 * What two compilers must agree on in the PTX of one program, whatever they optimize: kernels,
 * their parameters and bounds, variables that others see; and of each kernel without calls, which
 * kinds of effects it has, and whether every way through it meets one of that kind. An atomic that
 * one compiler has behind a branch and the other has not is such a difference. Prints each;
 * exit 1 if there are any.
 */
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum effect {
	ATOMIC,
	STORE,
	VOLATILE_LOAD,
	VOLATILE_STORE,
	BARRIER,
	SHUFFLE,
	VOTE,
	FENCE,
	TRAP,
	CALL,
	ROOT,
	APPROXIMATE_ROOT,
	QUOTIENT,
	FULL_QUOTIENT,
	APPROXIMATE_QUOTIENT,
	EFFECTS
};

static const char *const effect_names[] = {"atomic",  "store",    "volatile load", "volatile store",
					   "barrier", "shuffle",  "vote",          "fence",
					   "trap",    "call",     "sqrt.rn",       "sqrt.approx",
					   "div.rn",  "div.full", "div.approx"};

#define NODES 20000

struct node {
	bool is[EFFECTS];
	bool ends, jumps, falls; /* leaves the kernel; to `target`; to the next */
	char target[64], label[64];
};

struct unit {
	char *text;
	const char *path;
};

static struct node nodes[NODES];
static int stack[2 * NODES];
static bool seen[NODES];

static char *slurp(const char *path)
{
	FILE *file = fopen(path, "r");
	char *text;
	long size;

	if (!file || fseek(file, 0, SEEK_END) != 0 || (size = ftell(file)) < 0) {
		fprintf(stderr, "facts: cannot read %s\n", path);
		exit(2);
	}
	rewind(file);
	text = calloc(1, (size_t)size + 1);
	if (!text || fread(text, 1, (size_t)size, file) != (size_t)size)
		exit(2);
	fclose(file);
	return text;
}

/* The kernel's text from behind ".entry ", NULL if there is none of that name. */
static const char *find_entry(const struct unit *unit, const char *name)
{
	size_t length = strlen(name);

	for (const char *at = unit->text; (at = strstr(at, ".entry "));) {
		at += 7;
		if (strncmp(at, name, length) == 0 && !isalnum((unsigned char)at[length]) &&
		    (at[length] != '_' || !strncmp(at + length, "__intern__", 10)) &&
		    at[length] != '$')
			return at;
	}
	return NULL;
}

static bool has(const char *word, const char *part)
{
	return strstr(word, part) != NULL;
}

/* Classifies a statement, from its operation on. */
static void classify(const char *operation, struct node *node)
{
	bool volatile_ = has(operation, ".volatile");

	node->is[ATOMIC] = !strncmp(operation, "atom.", 5) || !strncmp(operation, "red.", 4);
	/* Without optimization variables are on the stack. */
	node->is[STORE] = !strncmp(operation, "st.", 3) && !has(operation, ".local") &&
			  !has(operation, ".param") && !has(operation, "[%SP");
	node->is[VOLATILE_LOAD] =
	    !strncmp(operation, "ld.", 3) && volatile_ && !has(operation, ".local");
	node->is[VOLATILE_STORE] = node->is[STORE] && volatile_;
	node->is[BARRIER] = !strncmp(operation, "bar.", 4) || !strncmp(operation, "barrier.", 8);
	node->is[SHUFFLE] = !strncmp(operation, "shfl.", 5);
	node->is[VOTE] = !strncmp(operation, "vote.", 5) || !strncmp(operation, "match.", 6) ||
			 !strncmp(operation, "redux.", 6);
	node->is[FENCE] = !strncmp(operation, "membar.", 7) || !strncmp(operation, "fence.", 6);
	node->is[TRAP] = !strncmp(operation, "trap", 4);
	node->is[CALL] = !strncmp(operation, "call", 4);
	node->is[ROOT] = !strncmp(operation, "sqrt.rn", 7);
	node->is[APPROXIMATE_ROOT] = !strncmp(operation, "sqrt.approx", 11);
	node->is[QUOTIENT] = !strncmp(operation, "div.rn", 6);
	node->is[FULL_QUOTIENT] = !strncmp(operation, "div.full", 8);
	node->is[APPROXIMATE_QUOTIENT] = !strncmp(operation, "div.approx", 10);
}

/* One statement; a predicate makes what it does a thing that may be passed. */
static void read_statement(const char *words, struct node *node)
{
	bool predicated = *words == '@';
	char operation[64] = "", operand[64] = "";

	if (predicated) {
		words += strcspn(words, " \t");
		words += strspn(words, " \t");
	}
	sscanf(words, "%63s %63[^ ;,\t]", operation, operand);
	node->falls = true;
	if (!strncmp(operation, "bra", 3)) {
		node->jumps = true;
		node->falls = predicated;
		memcpy(node->target, operand, sizeof(operand));
	} else if (!strncmp(operation, "ret", 3) || !strncmp(operation, "exit", 4)) {
		node->ends = true;
		node->falls = predicated;
	} else {
		classify(words, node);
		for (int i = 0; predicated && i < EFFECTS; i++)
			if (i != CALL)
				node->is[i] = node->is[i] && false;
	}
	if (node->is[TRAP])
		node->falls = false;
}

/* The statements of a kernel; how many, or -1 if it has a form that is not read (brx.idx). */
static int read_body(const char *at, bool present[EFFECTS])
{
	int count = 0, depth = 0;

	memset(present, 0, EFFECTS * sizeof(*present));
	for (at = strchr(at, '{'); at && *at && count < NODES - 1;) {
		char line[512];
		size_t length;

		at += strspn(at, " \t\r\n");
		if (*at == '{' || *at == '}') {
			depth += *at == '{' ? 1 : -1;
			if (depth == 0)
				break;
			at++;
			continue;
		}
		length = strcspn(at, "\n");
		snprintf(line, sizeof(line), "%.*s", (int)(length < 511 ? length : 511), at);
		for (const char *end = at + length; at < end;
		     at++) /* "cvta.shared.u64 %rd2, %tmp; }" */
			depth += *at == '{' ? 1 : *at == '}' ? -1 : 0;
		memset(&nodes[count], 0, sizeof(nodes[count]));
		if (!strncmp(line, "//", 2) || line[0] == '.' || line[0] == 0)
			continue;
		if (has(line, "brx.idx"))
			return -1;
		if (line[0] == '$' && strcspn(line, ":") < strlen(line)) {
			snprintf(nodes[count].label, sizeof(nodes[count].label), "%.*s",
				 (int)strcspn(line, ":"), line);
			nodes[count].falls = true;
		} else {
			struct node bare = {0};

			classify(line[0] == '@' ? line + strcspn(line, " \t") + 1 : line, &bare);
			for (int i = 0; i < EFFECTS; i++)
				present[i] |= bare.is[i];
			read_statement(line, &nodes[count]);
		}
		count++;
	}
	return count;
}

static int labelled(int count, const char *label)
{
	for (int i = 0; i < count; i++)
		if (!strcmp(nodes[i].label, label))
			return i;
	return count;
}

/* Is there a way from the beginning to an end that meets none of this kind? */
static bool avoidable(int count, enum effect effect)
{
	int top = 0;

	memset(seen, 0, sizeof(seen));
	stack[top++] = 0;
	while (top > 0) {
		int at = stack[--top];

		if (at >= count)
			return true;
		if (seen[at])
			continue;
		seen[at] = true;
		if (nodes[at].is[effect])
			continue;
		if (nodes[at].ends)
			return true;
		if (nodes[at].jumps)
			stack[top++] = labelled(count, nodes[at].target);
		if (nodes[at].falls)
			stack[top++] = at + 1;
	}
	return false;
}

struct facts {
	bool read, present[EFFECTS], avoidable[EFFECTS];
};

static struct facts facts_of(const char *entry)
{
	struct facts facts = {0};
	int count = read_body(entry, facts.present);

	facts.read = count >= 0;
	for (int i = 0; facts.read && i < EFFECTS; i++)
		facts.avoidable[i] = !facts.present[i] || avoidable(count, (enum effect)i);
	return facts;
}

/* Sizes, alignments and bounds, as words without names: what is in front of the body. */
static void signature(const char *entry, char *out, size_t size)
{
	const char *end = entry + strcspn(entry, "{"), *at = entry;
	size_t used = 0;

	out[0] = 0;
	for (; at < end; at++) {
		char bytes[32] = "", bounds[64] = "";
		int align = 0;

		if (!strncmp(at, ".param ", 7)) {
			const char *stop = at + strcspn(at, ",)");

			if (sscanf(at, ".param .align %d .b8 %*[^[][%31[0-9]", &align, bytes) != 2)
				snprintf(bytes, sizeof(bytes), "%d",
					 at[8] && has((char[]){at[8], 0}, "p") ? 1
									       : atoi(at + 9) / 8);
			else if (atoi(bytes) == align)
				align = 0; /* one scalar, whatever it is called */
			used += (size_t)snprintf(out + used, size - used, " %s:%d", bytes, align);
			at = stop - 1;
		} else if (sscanf(at, ".maxntid %63[^\n]", bounds) == 1 ||
			   sscanf(at, ".reqntid %63[^\n]", bounds) == 1 ||
			   sscanf(at, ".minnctapersm %63[^\n]", bounds) == 1) {
			unsigned long product = 1;

			/* 64 is 64, 1, 1 */
			for (char *word = strtok(bounds, ", ");
			     word && isdigit((unsigned char)*word); word = strtok(NULL, ", "))
				product *= strtoul(word, NULL, 10);
			used +=
			    (size_t)snprintf(out + used, size - used, " %.4s%lu", at + 1, product);
		}
		if (used >= size)
			return;
	}
}

/*
 * The name that clang gives a kernel of nvcc's. With -rdc nvcc puts the file into names that other
 * units do not see: __nv_static_38_<38 characters>__Z1kPi, <length>_GLOBAL__N__<hash>_<file>, or
 * both. clang says of a parameter that is auto that it is, as later versions of gcc do.
 */
static void clang_name(const char *theirs, char *ours, size_t size)
{
	unsigned length;
	int used = 0;
	bool is_static = false;
	const char *at, *end;

	if (sscanf(theirs, "__nv_static_%u_%n", &length, &used) == 1 && used &&
	    strlen(theirs) > used + length) {
		theirs += used + length;
		theirs += *theirs == '_';
		is_static = !strncmp(theirs, "_Z", 2);
	}
	at = strstr(theirs, "_GLOBAL__N__");
	if (!at) {
		end = strstr(theirs, "ILi");
		if (is_static)
			snprintf(ours, size, "_ZL%s", theirs + 2);
		else if (end)
			snprintf(ours, size, "%.*sITnDaLi%s", (int)(end - theirs), theirs, end + 3);
		else
			snprintf(ours, size, "%s", theirs);
		return;
	}
	snprintf(ours, size, "%s", theirs);
	for (end = at; end > theirs && isdigit((unsigned char)end[-1]);)
		end--;
	for (; end < at; end++) { /* a name's length may follow another number: S1_, 2 of 41_ */
		length = (unsigned)strtoul(end, NULL, 10);
		if (*end != '0' && length > 12 && length < strlen(at)) {
			snprintf(ours, size, "%.*s12_GLOBAL__N_1%s", (int)(end - theirs), theirs,
				 at + length);
			return;
		}
	}
}

static int compare_kernel(const char *name, const char *theirs, const struct unit *unit)
{
	const char *ours = find_entry(unit, name);
	char of_theirs[16384], of_ours[16384], internal[1100];
	struct facts a, b;
	int differences = 0;

	if (!ours) {
		clang_name(name, internal, sizeof(internal));
		ours = find_entry(unit, internal);
	}
	if (!ours && !strncmp(name, "_Z", 2)) { /* one that is static */
		snprintf(internal, sizeof(internal), "_ZL%s", name + 2);
		ours = find_entry(unit, internal);
	}
	if (!ours && has(name, "_INTERNAL_"))
		return 0; /* of a type without linkage: its name is each compiler's own */
	if (!ours) {
		printf("kernel %s is missing\n", name);
		return 1;
	}
	signature(theirs, of_theirs, sizeof(of_theirs));
	signature(ours, of_ours, sizeof(of_ours));
	if (strcmp(of_theirs, of_ours) != 0) {
		printf("kernel %s: parameters and bounds%s, nvcc's%s\n", name, of_ours, of_theirs);
		differences++;
	}
	a = facts_of(theirs);
	b = facts_of(ours);
	if (!a.read || !b.read || a.present[CALL] || b.present[CALL])
		return differences;
	for (int i = 0; i < EFFECTS; i++) {
		if (i == FENCE && !a.present[i])
			continue; /* more of them than nvcc has mean the same */
		if (a.present[i] != b.present[i] ||
		    (i < CALL && a.present[i] && a.avoidable[i] != b.avoidable[i])) {
			printf("kernel %s: %s %s, nvcc's %s\n", name, effect_names[i],
			       !b.present[i]    ? "none"
			       : b.avoidable[i] ? "on some ways"
						: "on every way",
			       !a.present[i]    ? "none"
			       : a.avoidable[i] ? "on some ways"
						: "on every way");
			differences++;
		}
	}
	return differences;
}

/* Variables of nvcc's that other units see are ours, too. */
static int compare_variables(const struct unit *theirs, const struct unit *ours)
{
	int differences = 0;

	for (const char *at = theirs->text; (at = strstr(at, "\n.visible .")); at++) {
		char space[16], type[16], name[256], line[512];
		int align;

		if (sscanf(at, "\n.visible .%15s .align %d .%15s %255[^[; =]", space, &align, type,
			   name) != 4)
			continue;
		snprintf(line, sizeof(line), " %s", name);
		if (!has(ours->text, line)) {
			printf("variable %s is missing\n", name);
			differences++;
		}
	}
	return differences;
}

int main(int argc, char **argv)
{
	struct unit theirs, ours;
	int differences = 0;

	if (argc != 3) {
		fputs("usage: facts THEIRS.ptx OURS.ptx\n", stderr);
		return 2;
	}
	theirs = (struct unit){slurp(argv[1]), argv[1]};
	ours = (struct unit){slurp(argv[2]), argv[2]};
	for (const char *at = theirs.text; (at = strstr(at, ".entry "));) {
		char name[1024];

		at += 7;
		if (sscanf(at, "%1023[A-Za-z0-9_$]", name) == 1)
			differences += compare_kernel(name, at, &ours);
	}
	differences += compare_variables(&theirs, &ours);
	free(theirs.text);
	free(ours.text);
	return differences > 0;
}
