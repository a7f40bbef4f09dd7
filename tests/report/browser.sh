# SPDX-License-Identifier: Apache-2.0
# A headless Chromium that is asked over its pipe. bash, with jq. browser: its command.
asked=0 session=

# ask METHOD [PARAMETERS]: the whole answer, a line of JSON. What the page writes to the console meanwhile, and
# exceptions that are not caught, go to the file console.
ask() {
	local message parameters=${2:-}

	asked=$((asked + 1))
	printf '{"id":%d,"method":"%s","params":%s%s}\0' "$asked" "$1" "${parameters:-{\}}" "${session:+,\"sessionId\":\"$session\"}" >&8
	while IFS= read -r -d '' -t 100 message <&9; do
		case $message in
		'{"id":'"$asked",*)
			case $message in
			*'"error":{'*) [ "${message#'{"id":'"$asked"',"error"'}" = "$message" ] || fail "$1: $message" ;;
			esac
			answer=$message
			return
			;;
		*'"method":"Runtime.consoleAPICalled"'* | *'"method":"Runtime.exceptionThrown"'* | *'"method":"Log.entryAdded"'*)
			printf '%s\n' "$message" >>console
			;;
		esac
	done
	fail "the browser does not answer $1: $(tail -n 3 browser.log)"
}

# start_browser [OPTION...]: in the current directory, until the shell exits
start_browser() {
	: >console
	rm -f to from
	mkfifo to from
	"$browser" --headless=new --no-sandbox --disable-gpu --disable-dev-shm-usage --hide-scrollbars --no-first-run \
		--user-data-dir="$PWD/profile" --remote-debugging-pipe "$@" about:blank 3<to 4>from >browser.log 2>&1 &
	browser_id=$!
	trap 'kill "$browser_id" 2>/dev/null || true; wait "$browser_id" 2>/dev/null || true' EXIT
	exec 8>to 9<from
	ask Target.getTargets
	ask Target.attachToTarget "$(jq -c '{targetId: [.result.targetInfos[] | select(.type == "page")][0].targetId, flatten: true}' <<<"$answer")"
	session=$(jq -r .result.sessionId <<<"$answer")
	ask Page.enable
	ask Runtime.enable
	ask Log.enable
}

# look WIDTH HEIGHT [dark|light]: the size of the window, and what the system's colours are
look() {
	ask Emulation.setDeviceMetricsOverride "{\"width\":$1,\"height\":$2,\"deviceScaleFactor\":1,\"mobile\":false}"
	ask Emulation.setEmulatedMedia "{\"features\":[{\"name\":\"prefers-color-scheme\",\"value\":\"${3:-light}\"}]}"
}

# open_page FILE[#FRAGMENT]: and wait until it has loaded
open_page() {
	ask Page.navigate '{"url":"about:blank"}'
	ask Page.navigate "{\"url\":\"file://$PWD/$1\"}"
	evaluate 'new Promise(resolve => document.readyState === "complete" ? resolve() : window.addEventListener("load", () => setTimeout(resolve, 0)))' >/dev/null
}

# quoted TEXT: as a string of JSON, in json. jq takes longer to start than a browser to answer.
quoted() {
	json=${1//\\/\\\\}
	json=${json//\"/\\\"}
	json=${json//$'\n'/\\n}
	json=\"${json//$'\t'/\\t}\"
}

# evaluate EXPRESSION: its value, of a promise that of its end; without a value: nothing
evaluate() {
	local value

	quoted "$1"
	ask Runtime.evaluate "{\"expression\":$json,\"awaitPromise\":true,\"returnByValue\":true,\"userGesture\":true}"
	case $answer in
	*'"exceptionDetails":{'*) fail "$answer" ;;
	*'"value":'*) ;;
	*) return 0 ;;
	esac
	value=${answer#*\"value\":}
	value=${value%\}\},\"sessionId\"*}
	case $value in
	\"*)
		value=${value#\"}
		printf '%b\n' "${value%\"}"
		;;
	*) printf '%s\n' "${value%%,*}" ;;
	esac
}

# evaluate_file FILE: a script, likewise
evaluate_file() {
	evaluate "$(cat "$1")"
}

# press KEY...: as a person does: Tab, Shift+Tab, Enter, Space, Escape, or a letter
press() {
	local key code text number modifiers

	for key in "$@"; do
		modifiers=0 text=
		case $key in
		Shift+*) modifiers=8 key=${key#Shift+} ;;
		esac
		code=$key
		case $key in
		Tab) number=9 ;;
		Enter) number=13 text='\r' ;;
		Escape) number=27 ;;
		Space) number=32 text=' ' key=' ' ;;
		*) number=$(printf '%d' "'${key^^}") text=$key code=Key${key^^} ;;
		esac
		set -- "\"key\":\"$key\",\"code\":\"$code\",\"windowsVirtualKeyCode\":$number,\"modifiers\":$modifiers" "$@"
		ask Input.dispatchKeyEvent "{\"type\":\"keyDown\",$1${text:+,\"text\":\"$text\"}}"
		ask Input.dispatchKeyEvent "{\"type\":\"keyUp\",$1}"
		shift
	done
}
