import { matchExample, tryOf, type CheckSchema, type ToolExample } from "@bulkhead/contracts";
import { everyNth, sharedProduct } from "@bulkhead/testing";
import { Ajv } from "ajv";
import { build } from "esbuild";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { newTenant, type Client } from "../support/client.ts";
import { openReceiver } from "../support/receiver.ts";

const TEMPLATES = "/api/v1/templates";
const FOLDERS = join(import.meta.dirname, "../../libs/tools/templates");

const product = await sharedProduct();
let owner: Client;
let templates: Record<string, ReturnType<typeof JSON.parse>> = {};

beforeAll(async () => {
  ({ owner } = await newTenant(product));
  const { templates: listed } = (await owner.get(TEMPLATES)).body.data;
  const whole = await Promise.all(
    listed.map(async ({ name }: { name: string }) => (await owner.get(`${TEMPLATES}/${name}`)).body.data),
  );
  templates = Object.fromEntries(whole.map((template) => [template.name, template]));
});

const ajv = new Ajv({ strict: false });
const checkSchema: CheckSchema = (schema, value) => {
  ajv.validate(schema as object, value);
  return Promise.resolve((ajv.errors ?? []).map(({ message = "" }) => ({ path: "", message })));
};

/** The differences of each example's run from what it says. */
async function judge(tool: object, examples: { name: string; example: ToolExample }[]) {
  const judged = await Promise.all(
    examples.map(async ({ name, example }) => {
      const { status, body } = await owner.post("/api/v1/custom-tools/test", { ...tool, ...tryOf(example) });
      if (status !== 200) return [name, body.errors ?? body.detail];
      const { result, error } = body.data;
      const end = { result: result ?? null, errorCode: error?.code ?? null };
      const differences = await matchExample(example.result, end, checkSchema);
      return [name, differences.length > 0 ? { differences, error } : "as it says"];
    }),
  );
  return Object.fromEntries(judged);
}

/** Of a creation's fields those that a try takes. */
const triable = ({
  title: _t,
  metadata: _m,
  idempotent: _i,
  retry: _r,
  annotations: _a,
  ...tool
}: object & {
  [field: string]: unknown;
}) => tool;

const asTheySay = (examples: { name: string }[]) =>
  Object.fromEntries(examples.map(({ name }) => [name, "as it says"]));

test("there are twelve templates, each with a description, words to find it by, and what it needs", async () => {
  const { templates: listed } = (await owner.get(TEMPLATES)).body.data;
  expect(listed).toHaveLength(12);
  expect(listed.find(({ name }: { name: string }) => name === "send_webhook")).toEqual({
    name: "send_webhook",
    title: "Webhook sender",
    description: expect.stringContaining("event receiver"),
    tags: ["http", "webhook", "signature"],
    permissions: ["network"],
    services: ["event_hook"],
  });
  expect(await owner.get(`${TEMPLATES}/none`)).toMatchObject({
    status: 404,
    body: { code: "template.not_found" },
  });
});

test("every template does in the sandbox what its examples say", async () => {
  product.showLogsIfTestFails();
  const whole = everyNth(
    Object.values(templates).filter(({ tool }) => tool !== undefined),
    2,
  );
  expect(Object.values(templates).filter(({ examples }) => examples.length === 0)).toEqual([]);
  const judged: [string, unknown][] = [];
  for (const { name, tool, examples } of whole) judged.push([name, await judge(triable(tool), examples)]);
  expect(judged).toEqual(whole.map(({ name, examples }) => [name, asTheySay(examples)]));
});

test("every folder is one that an import takes, with no warning but for keys that are to be filled in", async () => {
  const { owner: fresh } = await newTenant(product);
  const whole = Object.values(templates).filter(({ needsBundling }) => !needsBundling);
  const folders = Object.fromEntries(whole.map(({ name, files }) => [name, folderOf(files)]));
  const { status, body } = await fresh.post("/api/v1/custom-tools/import", { tools: folders });
  expect([status, body.errors]).toEqual([200, undefined]);
  for (const { name, warnings = [] } of body.data.tools) {
    const { services } = templates[name];
    const others = warnings.filter(
      (warning: string) => !services.some((one: string) => warning.includes(one)),
    );
    expect([name, others]).toEqual([name, []]);
  }
});

test("what a template gives as its tool is the body of a creation", async () => {
  const { status, body } = await owner.post("/api/v1/custom-tools", templates["send_webhook"].tool);
  expect([status, body.errors]).toEqual([201, undefined]);
  expect(body.data).toMatchObject({
    name: "send_webhook",
    status: "active",
    unconfiguredServices: ["event_hook"],
  });
});

test("a try with recorded answers reaches nothing outside, and gets no service's key", async () => {
  const receiver = await openReceiver(() => 200);
  const tool = {
    name: "sample",
    permissions: ["network"],
    requiredConfigServices: [{ name: "event_hook" }],
    code: `const key = utils.getApiKey("event_hook");
      const { status } = await fetch("https://a.example/", { headers: { key } });
      return { status, refused: await fetch("${receiver.url}/" + key).catch(({ code }) => code) };`,
  };
  const recorded = { fetch: [{ url: "https://a.example/", status: 418 }] };
  const { body } = await owner.post("/api/v1/custom-tools/test", { ...tool, recorded });
  expect(body.data.result).toEqual({ status: 418, refused: "egress_denied" });
  expect(receiver.received).toEqual([]);
  await receiver.close();
});

/** As a JSON document has a folder: a value for each file of JSON, text for any other. */
function folderOf(files: Record<string, string>): object {
  const inExamples = (path: string) => path.startsWith("examples/");
  const top = Object.entries(files).filter(([path]) => !inExamples(path));
  const examples = Object.entries(files).filter(([path]) => inExamples(path));
  return {
    ...Object.fromEntries(
      top.map(([path, text]) => [path, path.endsWith(".json") ? JSON.parse(text) : text]),
    ),
    examples: Object.fromEntries(
      examples.map(([path, text]) => [path.slice("examples/".length), JSON.parse(text)]),
    ),
  };
}

test("the template with an npm package does what its examples say once it is bundled", async () => {
  const bundled = Object.values(templates).filter(({ needsBundling }) => needsBundling);
  expect(bundled.map(({ name, tool }) => [name, tool])).toEqual([["compare_texts", undefined]]);
  const [{ name, files, examples }] = bundled;
  const { outputFiles } = await build({
    entryPoints: [join(FOLDERS, name, "tool.ts")],
    bundle: true,
    write: false,
    format: "esm",
    platform: "neutral",
    mainFields: ["browser", "module", "main"],
  });
  const fields = triable(JSON.parse(files["manifest.json"]));
  const tool = { ...fields, code: outputFiles[0]?.text };
  expect(await judge(tool, examples)).toEqual(asTheySay(examples));
});
