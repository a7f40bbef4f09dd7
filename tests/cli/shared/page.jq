# The object of a page (docs/report.md) as the tables that it holds: {schema, title, NAME: [{KEY: cell}]}.
# Places are [file, line, column if known]; 0 and "" of what refers to nothing are null.
def numbers($rows):
	if .values then .values
	elif .runs then .runs as $runs | [range(0; $runs | length; 2) as $i | range($runs[$i + 1]) | $runs[$i]]
	else .others as $others | reduce range(0; $others | length; 2) as $i ([range($rows) | 0]; .[$others[$i]] = $others[$i + 1]) end;
def cells($page; $rows):
	.type as $type | numbers($rows) | map(
		if $type == "text" or $type == "name" or $type == "address" then if . == 0 then null else $page.texts[.] end
		elif $type == "line" or $type == "place" then if . == 0 then null else $page.places[. - 1] end
		elif $type == "bool" then . == 1
		else . end);
. as $page
| {schema, title} + ([.tables[] | .rows as $rows | {key: .name, value:
	(.columns | map({key, cells: cells($page; $rows)}) as $columns
		| [range($rows) as $i | [$columns[] | {key, value: .cells[$i]}] | from_entries])}] | from_entries)
