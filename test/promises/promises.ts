/** What the product promises to who calls it, in one sentence, and where that is written. */
interface Promised {
  sentence: string;
  source: "the gateway's guide" | "the outside contract";
}

const of = (source: Promised["source"], sentences: Record<string, string>): Record<string, Promised> =>
  Object.fromEntries(Object.entries(sentences).map(([id, sentence]) => [id, { sentence, source }]));

/** The gateway's endpoints. */
const ENDPOINTS = of("the gateway's guide", {
  E1: "GET /custom-tools lists tools with their count, filtered by status, category and createdBy, with limit and offset.",
  E2: "GET /custom-tools/stats answers the seven counts.",
  E3: "GET /custom-tools/pending lists what waits for approval in the shape of the list.",
  E4: "GET /custom-tools/active/definitions answers active tools as definitions, with requiresConfirmation.",
  E5: "GET /custom-tools/:id answers the full record.",
  E6: "POST /custom-tools takes the documented body and answers 201 with the full record.",
  E7: "name, description, parameters and code are required to create a tool.",
  E8: "A name is taken once in a tenant.",
  E9: "Code with a forbidden pattern is not stored.",
  E10: "PATCH /custom-tools/:id changes the given fields only.",
  E11: "DELETE /custom-tools/:id removes the tool and answers { deleted: true }.",
  E12: "POST …/enable and …/disable set the status.",
  E13: "POST …/approve makes a pending tool active, and is a 400 for any other.",
  E14: "POST …/reject makes a pending tool rejected, and is a 400 for any other.",
  E15: "POST …/execute answers tool, result, isError, duration and metadata.",
  E16: "POST …/execute is a 400 for a tool that is not active.",
  E17: "POST …/test runs code without storing a tool, and says testMode.",
});

/** The life of a tool. */
const LIFECYCLE = of("the gateway's guide", {
  T1: "What a person creates is active whatever its permissions.",
  T2: "What a model creates with shell, filesystem or email waits for approval.",
  T3: "What a model creates with other permissions or none is active.",
  T4: "Every transition of the picture is allowed, and every other is refused.",
  T5: "A rejected tool stays for audit and can't be used.",
  T6: "A disabled tool is in no definition, can't be executed, and can be enabled again.",
  T7: "version starts at 1 and rises with a change of code or parameters.",
  T8: "Every execution, successful or failed, raises usageCount and sets lastUsedAt.",
});

/** The tools for models, and the layers that protect. */
const PROTECTION = of("the gateway's guide", {
  M1: "create_tool takes parameters as a JSON string and required_api_keys, and makes a tool of a model's.",
  M2: "list_custom_tools answers summaries and counts, filtered by category and status.",
  M3: "delete_custom_tool asks back unless confirm is true.",
  M4: "delete_custom_tool never deletes what a user made, and says who can.",
  M5: "toggle_custom_tool sets a tool active or disabled.",
  M6: "create_tool and delete_custom_tool require confirmation.",
  P1: "Layer 1: every forbidden pattern is found before the code is stored or run.",
  P2: "Layer 2: without the permission network, fetch is undefined.",
  P3: "Layer 3: a run that uses more than its CPU time, wall time, memory or network is ended.",
  P5: "Layer 5: what waits for approval can't be executed.",
  P7: "Layer 7: a name matches ^[a-z][a-z0-9_]*$.",
  P8: "Layer 8: each execution of a model's tool that an agent asks for waits for a person.",
  X1: "The four documented examples run as they are written.",
});

const ROUTES = of("the outside contract", {
  R1: "POST, GET and PATCH /tenants, with limits and settings, are the administrator's.",
  R2: "POST, GET and DELETE …/api-keys: a key is shown once, and a deleted one opens nothing.",
  R3: "Lists of tools are searched, sorted, and read to their end page by page.",
  R4: "Definitions come as OpenAI, Anthropic, MCP and AI SDK want them.",
  R5: "GET …/versions and …/versions/:n: every version is kept as it was.",
  R6: "GET …/versions/:n/diff compares two versions.",
  R7: "POST …/versions/:n/restore makes a new version.",
  R8: "GET …/versions/:n/evidence shows what an approval is given for.",
  R9: "POST …/versions/:n/approve and …/reject decide on what waits while the approved version serves.",
  R10: "POST …/import makes tools of folders, all or each, as zip or JSON.",
  R11: "GET …/export gives what an import takes, and …/export/hashes what of it differs.",
  R12: "POST …/execute in mode sync answers the result.",
  R13: "POST …/execute in mode async answers 202 with links.",
  R14: "POST …/execute in mode stream is the event stream.",
  R15: "An Idempotency-Key makes a repeat the same execution.",
  R16: "POST /executions/batch answers each of up to 1,000 calls, in order.",
  R17: "GET /executions lists a tenant's executions newest first, by pages.",
  R18: "GET /executions/:id/events resumes behind Last-Event-ID, and tells a gap.",
  R19: "POST /executions/:id/cancel ends it for good, and is a 409 for what has ended.",
  R20: "POST /executions/:id/replay and /executions/replay make calls again.",
  R21: "GET …/attempts shows each try.",
  R22: "GET …/deliveries and POST …/redeliver show and repeat callbacks.",
  R23: "GET /meta-tools/definitions describes the meta-tools in every format.",
  R24: "search_tools, describe_tools, call_tool, update_tool and run_code are there for agents.",
  R25: "Services and their entries are made, read without secrets, changed and deleted.",
  R26: "GET /approvals lists what waits; allow-once, allow-always and deny answer it.",
  R27: "GET /events tells what happens in the tenant, live and resumable.",
  R28: "Schedules run by cron or interval, pause, resume, run now and end.",
  R29: "GET /audit shows every change, filtered, and no secret.",
  R30: "GET /system shows the administrator versions, layers, shards and workers.",
  R31: "GET /healthz, /readyz, /docs and /docs/json need no key.",
  R32: "An admin key on a tenant's route is a 403 tenant.required.",
  R33: "Roles may do what the contract gives them, and what may not be seen is as what does not exist.",
  R34: "A 400 names each field at fault, unknown ones too, whatever is sent.",
  R35: "Limits answer 429 with Retry-After, RateLimit and RateLimit-Policy.",
  R36: "A write with If-Match is for the state that was read: a lost update is a 412.",
  R37: "Arguments are checked by the rules of JSON Schema, drafts 2020-12, 2019-09 and 7.",
  R38: "A hostile schema is refused or bounded in time, and other tenants are served meanwhile.",
  R39: "GET /usage sums executions, worker time and bytes by day and tool.",
  R40: "What a run said is told and found long after its stream has gone, for as long as its tenant wants.",
  R41: "What a run was given, answered and said goes when its caller, its tool or its tenant says so, or with DELETE /executions/:id.",
  R50: "GET /me tells any key who it is, its tenant, and what there is.",
  R51: "A key may end by itself, tells when it was last used, and gets a new secret while the old one works.",
  R52: "An access token may do a part of what its key may, and ends with it.",
  R53: "A browser's session is a cookie that ends with its key, and whose writes no other site's page can send.",
  R54: "A tool outside an agent's policy does not exist to it, at any door.",
  R55: "POST /policy/explain says of each tool which step took it or gave it back.",
  R56: "GET /executions/stats counts by bucket and group what the list shows.",
  R57: "GET /executions/:id/arguments and …/result are read in byte ranges.",
  R58: "GET /load tells a tenant what of it waits and runs.",
  R59: "Types of tools and of what they see come as TypeScript.",
  R60: "/mcp passes the conformance suite of both revisions, but for what stands in a list with its reason.",
  R61: "A call by MCP is an execution: it tells its progress, is cancelled, and waits for a person where one has to allow it.",
  R62: "A call by MCP whose connection breaks is resumed at any API process.",
  R63: "Others' MCP servers are registered without a secret in the open, those that are a process by the administrator alone.",
  R64: "An agent or user gets of an MCP server what grants give them; deny beats allow, and an approved request grants in the same moment.",
  R70: "PUT /custom-tools/:name creates a tool or makes it what is said, and the same again changes nothing.",
  R71: "A tool's alias is what models see, and every call takes it.",
});

/** What agents are given beside their tenant's tools. */
const GIVEN = of("the outside contract", {
  G1: "gateway does and answers what REST does and answers for the key of its call, and refuses what REST refuses it.",
  G2: "What gateway does stands in the audit log as that key's, with the agent that the call names.",
  G3: "No tool, script, draft, schedule, subagent or access token administers a tenant by gateway.",
  G4: "run_code gives a person's script what a model's tool has without a review, and an agent's nothing.",
  G5: "Files, documents and memories belong to a tenant, an agent and a user, and nobody sees a byte of another's, by whatever door.",
  G6: "/files/<path> gives and takes bytes as they are, by ETag, range and version, within bounds that are told.",
  G7: "The tools for files work in their caller's workspace, each call an execution.",
  G8: "A path is taken as one parser takes it, and none leads out of its workspace.",
  G9: "A permission gives what it names (utils.fs, .exec, .data, .db, .email, .schedule), and without it there is none.",
  G10: "What destroys is run for nobody, and a tenant's rules say which commands agents run.",
  G11: "A tool with command in place of code runs that line, in which no argument ever leaves its word.",
  G12: "Collections keep JSON documents by version, which are found by what they hold, page by page.",
  G13: "What was written to the memory is found by its words, whichever door wrote it.",
  G14: "A message goes out in its channel's own form, and a tenant sends as many a day as its limit lets it.",
  G15: "A database of others is asked by a service of the tenant's, and no code holds how it is reached.",
  G16: "A schedule that a run made fires with no more than the key of the call that made it.",
  G17: "GET /built-in-tools tells of each tool its schema, group, permission, and whether it works here.",
});

const RUNNING = of("the outside contract", {
  S1: "npm start serves by itself: a ready line, the demo key, commands that work as pasted; Ctrl-C ends all; a second start has the data.",
  S2: "Every bad setting is reported at once, by name, and the process exits 1.",
  S3: "The stores end with a killed owner, and their data is whole.",
  S4: "Migrations are applied once, however many processes begin with them.",
  S5: "Each process exports the metrics that are documented, and no others.",
  S6: "Private, loopback and metadata addresses are reached by no tool, whatever their spelling, unless EGRESS_ALLOW names them.",
});

const EXECUTIONS = of("the outside contract", {
  L1: "A final status never changes.",
  L2: "An execution is claimed by exactly one of many workers.",
  L3: "Who has lost an attempt can write nothing more.",
  L4: "timeoutMs counts from acceptance to the result, waiting included.",
  L5: "A worker's death: what had no effect is run again, what had one ends as lost.",
  L6: "A tenant's executions never exceed its concurrency, and none is lost.",
  L7: "Tenants that are always backlogged are served within the bound of start-time fair queueing.",
  L8: "Whatever dies and comes back, every accepted execution ends exactly once.",
  L9: "An end is told to its callback, signed, and again until it was taken.",
  L10: "Several APIs and workers on a Redis Cluster are one product.",
});

const SANDBOX = of("the outside contract", {
  B1: "A sandbox process never serves two tenants.",
  B2: "A run finds nothing that another left behind.",
  B3: "A hostile program ends as it must, and another tenant beside it is unharmed.",
  B4: "A sandbox in an attacker's hands harms neither the worker nor another tenant.",
  B5: "The global object is in no tool's hands.",
});

const SECRETS = of("the outside contract", {
  K1: "A placeholder is exchanged only toward hosts that may know its secret.",
  K2: "No secret stands in any answer, event, callback, row, print, trace or metric.",
  K3: "At rest no row holds a value, a key or a master key.",
  K4: "Master keys are changed while everything runs.",
});

/** By the id that titles of tests carry, as in `[E6]`. */
export const PROMISES: Readonly<Record<string, Promised>> = {
  ...ENDPOINTS,
  ...LIFECYCLE,
  ...PROTECTION,
  ...ROUTES,
  ...GIVEN,
  ...RUNNING,
  ...EXECUTIONS,
  ...SANDBOX,
  ...SECRETS,
};
