# SPDX-License-Identifier: Apache-2.0
# Lists what is wrong with a SARIF 2.1.0 log, by the names and types that its specification has of the objects
# that ctpost writes (3.13 and on): an array of texts, empty of a log that is right.
def only($where; $names): (keys_unsorted - $names)[] | "\($where): there is no property \(.)";
def need($where; $name; $type): select((.[$name] | type) != $type) | "\($where): \($name) is no \($type)";
def one_of($where; $name; $values): select(has($name) and (.[$name] as $v | $values | index($v) | not)) | "\($where): \($name) is \(.[$name])";
def whole($where; $name): select(has($name) and ((.[$name] | type) != "number" or .[$name] < 1 or .[$name] != (.[$name] | floor))) |
	"\($where): \($name) is \(.[$name])";
def message($where): (only($where; ["text", "markdown", "id", "arguments", "properties"]), need($where; "text"; "string"),
	(select(.text == "") | "\($where): no text"));
def artifact($where): (only($where; ["uri", "uriBaseId", "index", "description", "properties"]), need($where; "uri"; "string"),
	(select(.uri | test("[ <>\"{}|\\\\^`]|%(?![0-9A-F]{2})")) | "\($where): \(.uri) is no URI"),
	(select((has("uriBaseId") and (.uri | test("^(/|[a-zA-Z][a-zA-Z0-9+.-]*:)"))) or (has("uriBaseId") | not) and (.uri | test("^file:///") | not)) |
		"\($where): \(.uri) is not relative to \(.uriBaseId)"));
def region($where): (only($where; ["startLine", "startColumn", "endLine", "endColumn", "snippet", "message", "properties"]),
	need($where; "startLine"; "number"), whole($where; "startLine"), whole($where; "startColumn"),
	(select(has("snippet")) | .snippet | only("\($where).snippet"; ["text", "binary", "rendered", "properties"])));
def location($where): (only($where; ["id", "physicalLocation", "logicalLocations", "message", "annotations", "relationships", "properties"]),
	(select(has("physicalLocation")) | .physicalLocation | only("\($where).physicalLocation"; ["address", "artifactLocation", "region", "contextRegion", "properties"]),
		(.artifactLocation | artifact($where)), (select(has("region")) | .region | region($where))),
	(.logicalLocations // [] | .[] | only($where; ["name", "index", "fullyQualifiedName", "decoratedName", "parentIndex", "kind", "properties"])),
	(select(has("message")) | .message | message($where)));
def rule($where): (only($where; ["id", "deprecatedIds", "guid", "name", "shortDescription", "fullDescription", "messageStrings",
		"defaultConfiguration", "helpUri", "help", "relationships", "properties"]), need($where; "id"; "string"),
	(.shortDescription, .fullDescription, .help | message($where)), (select(.helpUri | test("^[a-z]+://[^ ]+#[a-z-]+$") | not) | "\($where): \(.helpUri)"),
	(.defaultConfiguration | only($where; ["enabled", "level", "rank", "parameters", "properties"])));
def result($where; $rules): (only($where; ["ruleId", "ruleIndex", "rule", "kind", "level", "message", "analysisTarget", "locations", "guid",
		"correlationGuid", "occurrenceCount", "partialFingerprints", "fingerprints", "stacks", "codeFlows", "graphs", "graphTraversals",
		"relatedLocations", "suppressions", "baselineState", "rank", "attachments", "hostedViewerUri", "workItemUris", "provenance",
		"fixes", "taxa", "webRequest", "webResponse", "properties"]),
	need($where; "message"; "object"), (.message | message($where)), need($where; "ruleId"; "string"),
	(select($rules[.ruleIndex].id != .ruleId) | "\($where): rule \(.ruleIndex) is not \(.ruleId)"),
	one_of($where; "level"; ["none", "note", "warning", "error"]),
	one_of($where; "kind"; ["notApplicable", "pass", "fail", "review", "open", "informational"]),
	one_of($where; "baselineState"; ["new", "unchanged", "updated", "absent"]),
	need($where; "locations"; "array"), (.locations[] | location($where)), (.relatedLocations // [] | .[] | location($where)),
	(.partialFingerprints | to_entries[] | select(.value | test("^[0-9a-f]{16}$") | not) | "\($where): fingerprint \(.value)"),
	(.suppressions // [] | .[] | only($where; ["kind", "location", "guid", "justification", "properties"]), one_of($where; "kind"; ["inSource", "external"])));
[only("log"; ["$schema", "version", "runs", "inlineExternalProperties", "properties"]), (select(.version != "2.1.0") | "log: version"), need("log"; "runs"; "array"),
	(.runs[] | only("run"; ["tool", "invocations", "conversion", "language", "versionControlProvenance", "originalUriBaseIds", "artifacts",
			"logicalLocations", "graphs", "results", "automationDetails", "runAggregates", "baselineGuid", "redactionTokens", "defaultEncoding",
			"defaultSourceLanguage", "newlineSequences", "columnKind", "externalPropertyFileReferences", "threadFlowLocations", "taxonomies",
			"addresses", "translations", "policies", "webRequests", "webResponses", "specialLocations", "properties"]),
		(.tool | only("tool"; ["driver", "extensions", "properties"]), (.driver | need("driver"; "name"; "string"),
			only("driver"; ["name", "fullName", "version", "semanticVersion", "informationUri", "rules", "organization", "product", "properties"]),
			(.rules[] | rule("rule \(.id)")), (select([.rules[].id] | length != (unique | length)) | "a rule twice"))),
		(.originalUriBaseIds | to_entries[] | select(.value.uri | test("^file:///(.*/)?$") | not) | "base \(.key): \(.value.uri)"),
		(.invocations[] | only("invocation"; ["executionSuccessful", "toolExecutionNotifications", "properties"]), need("invocation"; "executionSuccessful"; "boolean"),
			(.toolExecutionNotifications[] | only("notification"; ["level", "message", "locations", "properties"]), (.message | message("notification")))),
		(.tool.driver.rules as $rules | .results[] | result("result \(.ruleId)"; $rules)),
		(select([.results[] | has("baselineState")] | unique | length > 1) | "some results have a baselineState"))]
