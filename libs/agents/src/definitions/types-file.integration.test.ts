import { toolGlobals } from "@bulkhead/contracts/tool-globals";
import { declareArguments, declareMember, type JsonObject } from "@bulkhead/core";
import * as fc from "fast-check";
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { typesFile } from "./types-file.ts";

const SEED = 20_261_126;
const TSC = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin/tsc");

const GREET: JsonObject = {
  type: "object",
  properties: {
    name: { type: "string" },
    times: { type: "integer" },
    mood: { enum: ["kind", "dry", 7, null] },
  },
  required: ["name"],
};
const GREETED: JsonObject = { type: "object", properties: { text: { type: "string" } }, required: ["text"] };

/** Texts by which a name, a description or a value could leave its place, and what chance makes of others. */
const HOSTILE = [
  "*/ evil(); /*",
  "**/",
  "*",
  "/",
  "@ts-expect-error",
  "x */ @ts-ignore",
  "// @ts-nocheck\n",
  '"; evil(); "',
  "`${evil()}`",
  "\\",
  "\\u0022",
  "\u2028evil()\u2029",
  "\0",
  "\ud800",
  "__proto__",
  "constructor",
  "new",
  "readonly",
  "get",
  "0",
  "-1",
  "a-b",
  "ünïcode",
  "",
  "}\n}",
  ...fc.sample(fc.string({ unit: "binary", maxLength: 20 }), { numRuns: 200, seed: SEED }),
];

const SCHEMAS: JsonObject[] = [
  {},
  { type: "object" },
  { type: "object", additionalProperties: false },
  { type: "object", properties: { a: { $ref: "#" }, b: { $ref: "#/$defs/nowhere" } } },
  { type: ["object", "null"], nullable: true },
  { anyOf: [GREET, { type: "null" }], allOf: [GREETED] },
  {
    type: "object",
    properties: { a: { enum: Array.from({ length: 99 }, (_, n) => (n % 2 ? n : `*/${n}`)) } },
  },
  {
    type: "object",
    properties: { a: { const: 1e300 }, b: { const: -0.5 }, c: { enum: [] }, d: { const: {} } },
  },
  { type: "object", properties: { a: { type: "array", items: { type: ["string", "fish"] } } } },
];

const member = (name: string, parameters: JsonObject, outputSchema: JsonObject | null, description = "") =>
  declareMember({ name, description, parameters, outputSchema }, 8_000);

const MEMBERS = [
  member("greet", GREET, GREETED, "Greets. */"),
  member("API-post-search", { type: "object" }, null),
  ...SCHEMAS.map((schema, n) => member(`schema_${n}`, schema, schema)),
  ...HOSTILE.map((text, n) => {
    const schema = {
      type: "object",
      description: text,
      properties: { [text]: { enum: [text], description: text }, [`${text}s`]: { const: text } },
      required: [text],
    };
    return member(`hostile_${n}`, schema, schema, text);
  }),
];

/** What a tool's code and a caller may write, and what they may not. */
const USES = `
async function tool() {
  const name: string = args.name;
  const times: number | undefined = input.times;
  // @ts-expect-error: the schema has no such argument
  args.nowhere;
  const { toolName, userId = "nobody" } = context;
  const response = await fetch(new URL("/v1", "https://example.com"), {
    method: "POST",
    headers: new Headers({ accept: "text/plain" }),
    body: new URLSearchParams({ name }),
    signal: AbortSignal.any([AbortSignal.timeout(1_000), new AbortController().signal]),
  });
  for await (const chunk of response.body ?? []) console.log(chunk.byteLength);
  const rows = utils.parseCsv(await response.text()).map((row) => row["id"]);
  setTimeout(() => emit({ rows, times }), 10);
  const key: string | undefined = utils.getApiKey("service");
  const signed: string = await utils.hmac("service", new TextEncoder().encode(name), { encoding: "base64url" });
  const today = Temporal.Now.plainDateISO().toString();
  const data = await api.rest({ url: "https://example.com", auth: { service: "service" } });
  const form = new FormData();
  form.append("file", new File([Buffer.from(name, "utf8")], "name.txt"));
  const text: string = (await utils.callTool("greet", { name })).text;
  const other = await utils.callTool("somebody_elses", { any: "thing" });
  // @ts-expect-error: greet needs a name
  await utils.callTool("greet", {});
  // @ts-expect-error: there is no file system
  require("fs");
  // @ts-expect-error: there is no DOM
  document.title;
  return { toolName, userId, key, signed, today, data, text, other, clone: structuredClone(rows), of: crypto.randomUUID() };
}
const call: BulkheadTools["greet"]["arguments"] = { name: "Ada", mood: 7 };
const quoted: BulkheadTools["API-post-search"]["arguments"] = { any: "thing" };
`;

let folder: string;
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), "bulkhead-types-"))));
afterAll(() => rm(folder, { recursive: true }));

test("the declarations compile strictly, whatever schemas hold, and say what a tool's code may do", async () => {
  const json = Buffer.from(JSON.stringify(MEMBERS.map((one) => ({ member: one }))));
  const options = {
    strict: true,
    noEmit: true,
    lib: ["esnext"],
    types: [],
    target: "esnext",
    module: "esnext",
  };
  const files = {
    "globals.d.ts": toolGlobals(declareArguments(GREET, 8_000)),
    "tools.d.ts": typesFile({ json, count: MEMBERS.length, omitted: 0 }),
    "uses.ts": USES,
    "tsconfig.json": JSON.stringify({ compilerOptions: options, include: ["*.ts"] }),
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  const compiled = await promisify(execFile)(process.execPath, [TSC, "-p", folder]).catch(
    (error: { stdout: string }) => error,
  );
  expect(compiled.stdout).toBe("");
}, 120_000);
