# SPDX-License-Identifier: Apache-2.0
# Pages in one browser: a person uses them, as tests in them do; then each kind at four sizes, light and dark, by keyboard.
. "$CT_REPORT/lib.sh"

# passed LEAST: so many checks of the last page at least
passed() {
	[ "$(grep -c '^PASS' results)" -ge "$1" ] || fail "checks are missing"
}

# report_of TRACE: TRACE.html
report_of() {
	"$CT_CLI_BUILD/ctpost-make-trace" "$1.ctrace" "$1"
	"$CT_BIN/ctpost" report "$1.ctrace" -o "$1.html" 2>err || fail "$1: $(cat err)"
}

for name in empty small comparison; do
	"$CT_MAKE_REPORT" $name "$CT_REPORT" >$name.html
done
mkdir study
for run in calls uses first-uses; do
	"$CT_CLI_BUILD/ctpost-make-trace" "study/$run.ctrace" "ffm-$run"
done
"$CT_BIN/ctpost" report study -o study.html 2>err || fail "$(cat err)"
for trace in api api-plain changed; do
	report_of $trace
done

# Tables, charts, maps, sources, colours.
folded=yes
use small.html "$CT_REPORT/page.js"
passed 50
folded=

# Problems of a study: among the findings, in a section of their own, and on the time line.
use study.html "$CT_REPORT/ffm.js"
passed 15

# The time line of calls is pointed at, zoomed, followed (tests/unit/trace/trace_api.c).
use api.html "$CT_REPORT/calls.js"
passed 45

# says PAGE NAME EXPRESSION [WIDTH HEIGHT]: the expression is true of a page
says() {
	look "${4:-1400}" "${5:-1000}"
	open_page "$1${fragment:-}"
	[ "${folded:-}" ] || evaluate 'unfoldAll()' >/dev/null
	found=$(evaluate "$3")
	[ "$found" = true ] || fail "$1: $2: $found"
	no_console
}

# Where the address points is where the page is, though the page is made by its scripts.
fragment='#call_waits' folded=yes
says api.html 'the link leads there' 'new Promise(resolve => {
	const until = Date.now() + 60000, look = () => {
		const isThere = window.scrollY > 500 && Math.abs(document.getElementById("call_waits").getBoundingClientRect().top) < 60;

		isThere || Date.now() > until ? resolve(isThere) : requestAnimationFrame(look);
	};

	look();
})' 1400 700
fragment='' folded=

# Nothing is known of the devices, or of calls.
says api-plain.html 'bounds are said' '/not recorded: calls that only synchronise/.test([...document.querySelectorAll("#calls .note")]
	.map(node => node.textContent).join()) && document.querySelectorAll(".track-name").length === 2'
says changed.html 'no calls' '/has no calls.*--calls=off/.test(document.querySelector("#no-calls").textContent) &&
	!document.querySelector("#call_functions") && !document.querySelector("#steps")'

# Details of tables are there where there is room, or asked for.
for width in 1400 800; do
	says small.html 'details of tables' '(() => {
		const detail = document.querySelectorAll("#made_up_things th")[4], before = detail.offsetWidth > 0;

		document.querySelector("#made_up_things button.wider").click();
		return detail.textContent === "bytes" && before === window.innerWidth > 900 && detail.offsetWidth > 0;
	})()' $width 1000
done

# Whole names of kernels on demand.
long='void reduce<ns::policy<float, 256, 8, ns::layout::row_major>, ns::plus<float>>(float const*, float*)'
says comparison.html 'names' '(() => {
	const button = document.getElementById("full-names"), shown = () => document.querySelector("#problem-2 .mono").textContent, first = shown();

	button.click();
	const full = shown();

	button.click();
	return first === "reduce<...>" && full === "'"$long"'" && shown() === first;
})()'

# On paper.
open_page small.html
ask Page.printToPDF '{"transferMode":"ReturnAsBase64"}'
jq -r .result.data <<<"$answer" | base64 -d >paper.pdf
pages=$(grep -ac '/Type */Page\b' paper.pdf)
[ "$pages" -ge 3 ] && [ "$pages" -le 30 ] || fail "$pages pages on paper"

# nothing NAME EXPRESSION: the list of what is wrong is empty
nothing() {
	found=$(evaluate "JSON.stringify($2)")
	[ "$found" = '[]' ] || fail "$page, $size, $scheme: $1: $found"
}

TABS=14
# keys: from the top of the page by Tab; a part folds by Enter and Space; a line, the last one that is named, opens the
# source, Escape closes it
keys() {
	local i

	evaluate 'startFocus()' >/dev/null
	for ((i = 0; i < TABS; i++)); do
		press Tab
	done
	nothing 'focus' "wrongFocus($TABS)"
	evaluate 'document.querySelector("details.fold > summary").focus()' >/dev/null
	for key in Enter Space; do
		was=$(evaluate 'document.querySelector("details.fold").open')
		press $key
		[ "$(evaluate 'document.querySelector("details.fold").open')" != "$was" ] || fail "$page, $size, $scheme: $key does not fold"
	done
	[ "$(evaluate 'Boolean(document.querySelector("main button.place"))')" = true ] || return 0
	evaluate 'window.place = [...document.querySelectorAll("main button.place")].reduce((last, node) =>
		Number(node.textContent.split(":")[1]) > Number(last.textContent.split(":")[1]) ? node : last), place.focus()' >/dev/null
	press Enter
	nothing 'source panel' 'wrongPanel()'
	press Escape
	[ "$(evaluate 'document.activeElement === place && !document.querySelector(".source-panel")')" = true ] ||
		fail "$page, $size, $scheme: Escape does not lead back"
}

for page in empty small study comparison; do
	# All that a page may have, and a page without anything, are there for what they look like.
	case $page in
	empty | small) of='1400,900 400,800' ;;
	*) of='1920,1080 1400,900 800,600 400,800' ;;
	esac
	for size in $of; do
		size=${size/,/ }
		scheme=light
		look $size $scheme
		open_page $page.html
		evaluate 'theme.choose("auto")' >/dev/null
		evaluate_file "$CT_REPORT/check.js" >/dev/null
		first=
		case $page,$size in
		study,1400* | study,800*) first='"#time-bar", "#problem-1"' ;;
		comparison,1400* | comparison,800*) first='"#time-bar", "#problem-1", "#problem-2 .title"' ;;
		esac
		nothing 'below the first screen' "belowFirstScreen([$first])"
		[ $page = empty ] || keys
		evaluate 'unfoldAll()' >/dev/null
		nothing 'words' 'wrongWords()'
		for scheme in light dark; do
			look $size $scheme
			evaluate 'frames()' >/dev/null
			nothing 'colours' '[document.documentElement.dataset.theme].filter(shown => shown !== "'$scheme'")'
			nothing 'too wide' 'overflow()'
			nothing 'too pale' 'paleTexts()'
		done
	done
done
no_console
