import {
  COMMAND_CHARS_MAX,
  RECORDED_ANSWERS_MAX,
  RECORDED_HEADERS_MAX,
  type Json,
  type RecordedAnswers as Recorded,
} from "@bulkhead/core";
import { z } from "zod";
import { anyObject, text, webUrl } from "./fields.ts";
import { ToolName } from "./tool-fields.ts";

const URL_CHARS_MAX = 8_192;
const HEADER_CHARS_MAX = 4_096;
const DESCRIPTION_CHARS_MAX = 1_000;

/** The methods of HTTP that a tool's `fetch` sends. */
const METHOD = /^[A-Z]{1,32}$/;
/** As a header's name is written: a token of HTTP. */
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}$/;

const headers = z
  .record(z.string().regex(HEADER_NAME, "must be a header's name"), text(HEADER_CHARS_MAX))
  .refine(
    (all) => Object.keys(all).length <= RECORDED_HEADERS_MAX,
    `must be ${RECORDED_HEADERS_MAX} at most`,
  );

const RecordedFetch = z.strictObject({
  method: z
    .string()
    .regex(METHOD, "must be capital letters, as GET")
    .default("GET")
    .describe("The request's."),
  url: webUrl(URL_CHARS_MAX).describe(
    "The whole URL with its query. `{service}` stands in it where a service's key would, and `https://<service>.dry-run.invalid` for its `base_url`; of several services with like names the second has `-2` behind its own, and so on.",
  ),
  status: z.int().min(200).max(599).default(200).describe("The answer's."),
  headers: headers
    .optional()
    .describe("Left out: `content-type: application/json`, where `body` is no text."),
  body: z.unknown().optional().describe("Text goes as it is, any other JSON as JSON. Left out: empty."),
});

const RecordedCall = z.strictObject({
  name: ToolName.describe("The tool that `utils.callTool` names; it isn't run and needn't be there."),
  result: z.unknown().describe("Its result: any JSON."),
});

const COMMAND_OUTPUT_CHARS_MAX = 256 * 1024;

const RecordedCommand = z.strictObject({
  command: text(COMMAND_CHARS_MAX, 1).describe(
    "The whole line that would run, with the arguments of `{{.key}}` in single quotes as a dry run shows it.",
  ),
  stdout: text(COMMAND_OUTPUT_CHARS_MAX).default("").describe("What it says on its standard output."),
  stderr: text(COMMAND_OUTPUT_CHARS_MAX).default("").describe("What it says on its standard error."),
  exitCode: z.int().min(0).max(255).default(0).describe("The code that it ends with; 0: it succeeded."),
});

const fetchAnswers = z
  .array(RecordedFetch)
  .max(RECORDED_ANSWERS_MAX)
  .describe(
    "Answers of the outside, each for a method and a URL. Several for the same come in their order, and the last one stays.",
  );
const callResults = z
  .array(RecordedCall)
  .max(RECORDED_ANSWERS_MAX)
  .describe("Results of other tools, likewise for each name.");
const commandOutputs = z
  .array(RecordedCommand)
  .max(RECORDED_ANSWERS_MAX)
  .describe(
    "What commands leave, likewise for each line: a tool's own `command`, and those of `utils.exec`.",
  );

/** What stands for the outside in a try of a tool. */
export const RecordedAnswers = z
  .strictObject({
    fetch: fetchAnswers.default([]),
    calls: callResults.default([]),
    commands: commandOutputs.default([]),
  })
  .describe(
    "With it the run reaches nothing outside: requests, calls and commands get these answers, and one without an answer is refused by name. Services have values that stand for theirs.",
  );

/**
 * One file of a tool's `examples`: a call and what comes of it. `result` is the whole result, or `{"$match": …}` (objects may
 * have further fields), `{"$schema": …}` (JSON Schema), `{"$error": code}` (the run ends with this code). Left out: the run
 * succeeds.
 */
export const ToolExample = z.strictObject({
  description: text(DESCRIPTION_CHARS_MAX).optional(),
  arguments: anyObject.default({}),
  result: z.unknown().optional(),
  fetch: fetchAnswers.optional(),
  calls: callResults.optional(),
  commands: commandOutputs.optional(),
});

export type ToolExample = z.infer<typeof ToolExample>;

/** The answers as a run takes them. */
export const recordedOf = ({ fetch, calls, commands }: z.infer<typeof RecordedAnswers>): Recorded => ({
  commands,
  fetch: fetch.map(({ method, url, status, headers: said, body }) => ({
    method,
    url,
    status,
    headers: said ?? (body === undefined || typeof body === "string" ? {} : { "content-type": JSON_TYPE }),
    body: body === undefined ? "" : typeof body === "string" ? body : JSON.stringify(body),
  })),
  calls: calls.map(({ name, result }) => ({ name, result: (result ?? null) as Json })),
});

const JSON_TYPE = "application/json";

/** The body of `POST /custom-tools/test` that tries the example out, beside the tool's own fields. */
export const tryOf = ({ arguments: testArguments, fetch, calls, commands }: ToolExample) => ({
  testArguments,
  ...(fetch || calls || commands
    ? { recorded: { fetch: fetch ?? [], calls: calls ?? [], commands: commands ?? [] } }
    : {}),
});
