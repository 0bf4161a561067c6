import { sharedProduct } from "@bulkhead/testing";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createTool, newTenant, type Client } from "../support/client.ts";
import { folder, sendZip, zipOf } from "../support/tool-packages.ts";

const product = await sharedProduct();
let owner: Client;

beforeAll(async () => {});
beforeEach(async () => {
  ({ owner } = await newTenant(product));
});

const TOOLS = "/api/v1/custom-tools";
const IMPORT = `${TOOLS}/import`;
const EACH = `${IMPORT}?mode=each`;

/** A tool as gateways of this kind keep it, in the folders that an import takes. */
const FETCH_PRODUCTS = {
  "manifest.json": {
    name: "fetch-products",
    description: "Fetch product data from a remote API",
    permissions: ["network"],
    input: {
      category: { type: "string", required: true },
      limit: { type: "number", required: false },
    },
    output: { products: { type: "array" }, count: { type: "number" } },
  },
  "tool.js": `const { category, limit } = input;

const data = await api.rest({
  url: \`https://api.example.com/products?category=\${category}&limit=\${limit || 10}\`
});

return {
  products: data.items,
  count: data.total
};
`,
  "README.md": "# Fetch products\n",
  examples: { "laptops.json": { category: "laptop", limit: 20 } },
};

const namesOf = async (): Promise<string[]> =>
  (await owner.get(`${TOOLS}?sort=name`)).body.data.tools.map(({ name }: { name: string }) => name);

describe("what an import makes of a folder", () => {
  test.each(["json", "zip"])("[R10] a folder of files becomes a tool, sent as %s", async (format) => {
    const { examples, ...files } = FETCH_PRODUCTS;
    const { status, body } =
      format === "json"
        ? await owner.post(IMPORT, { tools: { "fetch-products": FETCH_PRODUCTS } })
        : await sendZip(
            owner,
            IMPORT,
            zipOf({
              "tools/": "",
              "tools/.DS_Store": "x",
              ...Object.fromEntries(
                Object.entries(files).map(([name, content]) => [`tools/fetch-products/${name}`, content]),
              ),
              "tools/fetch-products/examples/laptops.json": examples["laptops.json"],
            }),
          );
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body.data).toMatchObject({ created: 1, refused: 0 });
    expect(body.data.tools[0]).toMatchObject({
      folder: "fetch-products",
      name: "fetch_products",
      version: 1,
    });
    const tool = (await owner.get(`${TOOLS}/fetch_products`)).body.data;
    expect(tool).toMatchObject({
      id: body.data.tools[0].id,
      contentHash: body.data.tools[0].contentHash,
      status: "active",
      createdBy: "user",
      code: FETCH_PRODUCTS["tool.js"],
      parameters: {
        type: "object",
        properties: { category: { type: "string" }, limit: { type: "number" } },
        required: ["category"],
      },
      outputSchema: {
        type: "object",
        properties: { products: { type: "array" }, count: { type: "number" } },
      },
      metadata: {
        package: {
          name: "fetch-products",
          readme: "# Fetch products\n",
          examples: { "laptops.json": { category: "laptop", limit: 20 } },
        },
      },
    });
  });

  test("names that break the rule are mapped, and the original is kept", async () => {
    const tools = {
      "workflow-x": folder(),
      camelCase: folder(),
      other: folder({ name: "Fetch Products" }),
      fine: folder(),
    };
    const { body } = await owner.post(IMPORT, { tools });
    expect(body.data.created).toBe(4);
    expect(await namesOf()).toEqual(["camel_case", "fetch_products", "fine", "workflow_x"]);
    const originalOf = async (name: string) =>
      (await owner.get(`${TOOLS}/${name}`)).body.data.metadata?.package.name;
    expect(await originalOf("camel_case")).toBe("camelCase");
    expect(await originalOf("fetch_products")).toBe("Fetch Products");
    expect(await originalOf("fine")).toBeUndefined();
  });

  test("an imported tool runs, in TypeScript too", async () => {
    const code = { "tool.ts": "const n: number = args.n;\nreturn n * 2;" };
    const tools = { double: folder({ input: { n: { type: "number", required: true } } }, code) };
    expect((await owner.post(IMPORT, { tools })).status).toBe(200);
    const run = (args: object) => owner.post(`${TOOLS}/double/execute`, { arguments: args });
    expect((await run({ n: 21 })).body.data.result).toBe(42);
    expect((await run({})).body.code).toBe("tool.arguments_invalid");
    expect((await owner.get(`${TOOLS}/double`)).body.data.language).toBe("typescript");
  });

  test("what a model made waits for approval where its permissions are dangerous", async () => {
    const tools = { sh: folder({ createdBy: "llm", permissions: ["shell"] }) };
    const { body } = await owner.post(IMPORT, { tools });
    expect(body.data.tools[0]).toMatchObject({ status: "pending_approval", permissions: ["shell"] });
    expect((await owner.get(`${TOOLS}/sh`)).body.data).toMatchObject({
      createdBy: "llm",
      requiresApproval: true,
    });
  });
});

const BAD: [string, unknown, string, string][] = [
  [
    "a type that is none",
    folder({ input: { a: { type: "text" } } }),
    "bad/manifest.json: input.a.type",
    "request.invalid",
  ],
  [
    "a field of another kind",
    folder({ permissions: ["root"] }),
    "bad/manifest.json: permissions.0",
    "request.invalid",
  ],
  ["an unknown field", folder({ colour: 1 }), "bad/manifest.json: colour", "request.invalid"],
  ["no manifest", { "tool.js": "return 1;" }, "bad/manifest.json", "request.invalid"],
  ["no code", { "manifest.json": { description: "d" } }, "bad/tool.js", "request.invalid"],
  ["two codes", { ...folder(), "tool.ts": "return 1;" }, "bad/tool.ts", "request.invalid"],
  ["code that is no text", folder({}, { "tool.js": 1 }), "bad/tool.js", "request.invalid"],
  ["forbidden code", folder({}, { "tool.js": "return eval('1');" }), "bad/tool.js", "tool.code_invalid"],
  ["a file that is none of a tool's", { ...folder(), "run.sh": "" }, "bad/run.sh", "request.invalid"],
  [
    "an example with a way out",
    { ...folder(), examples: { "../x.json": 1 } },
    "bad/examples/../x.json",
    "request.invalid",
  ],
  ["a reserved name", folder({ name: "search-tools" }), "bad/manifest.json: name", "request.invalid"],
  ["a name without letters", folder({ name: "日本" }), "bad/manifest.json: name", "request.invalid"],
  [
    "limits above the ceiling",
    folder({ limits: { cpuMs: 60_001 } }),
    "bad/manifest.json: limits.cpuMs",
    "request.invalid",
  ],
  [
    "a host that is none",
    folder({ allowedHosts: ["a b"] }),
    "bad/manifest.json: allowedHosts.0",
    "request.invalid",
  ],
  [
    "a schema that is none",
    folder({ input: { a: { minimum: "x" } } }),
    "bad/manifest.json: input.a.minimum",
    "tool.schema_invalid",
  ],
  [
    "two ways to say the arguments",
    folder({ input: {}, parameters: { type: "object" } }),
    "bad/manifest.json: input",
    "request.invalid",
  ],
  ["no folder at all", "text", "bad/manifest.json", "request.invalid"],
];

describe("one bad tool", () => {
  test.each(BAD)("%s is named by file and field, and stops no other", async (_what, bad, path, code) => {
    const tools = { a: folder(), bad, z: folder() };
    const all = await owner.post(IMPORT, { tools });
    expect([all.status, all.body.code, all.body.errors[0].path]).toEqual([400, "import.refused", path]);
    expect(await namesOf()).toEqual([]);
    const each = await owner.post(EACH, { tools });
    expect(each.body.data).toMatchObject({ created: 2, refused: 1 });
    expect(each.body.data.tools[1]).toMatchObject({ folder: "bad", error: { code, errors: [{ path }] } });
    expect(await namesOf()).toEqual(["a", "z"]);
  });

  test("in a zip it is named by file and field too", async () => {
    const zip = zipOf({
      "bad/manifest.json": '{"description": ',
      "bad/tool.js": "return 1;",
      "worse/manifest.json": { description: "d" },
      "worse/tool.js": "return ;;;(",
      "good/manifest.json": { description: "d" },
      "good/tool.js": "return 1;",
    });
    const { body } = await sendZip(owner, EACH, zip);
    expect(body.data).toMatchObject({ created: 1, refused: 2 });
    const [bad, worse] = body.data.tools;
    expect(bad.error.errors[0]).toMatchObject({ path: "bad/manifest.json" });
    expect(worse.error.errors[0]).toMatchObject({ path: "worse/tool.js", line: 1, rule: "syntax" });
    const all = await sendZip(owner, IMPORT, zip);
    expect(all.body.errors.map(({ path }: { path: string }) => path)).toEqual([
      "bad/manifest.json",
      "worse/tool.js",
      "good/manifest.json: name",
    ]);
  });

  test("a name that is taken is a conflict of its tool", async () => {
    await createTool(owner, "taken_name", "return 1;");
    const tools = { "taken-name": folder(), fresh: folder(), Fresh: folder() };
    const all = await owner.post(IMPORT, { tools });
    expect([all.status, all.body.code]).toEqual([409, "tool.name_taken"]);
    expect(all.body.errors.map(({ path }: { path: string }) => path)).toEqual([
      "taken-name/manifest.json: name",
      "Fresh/manifest.json: name",
    ]);
    expect(await namesOf()).toEqual(["taken_name"]);
    const each = await owner.post(EACH, { tools });
    expect(each.body.data.tools.map((item: { error?: { code: string } }) => item.error?.code)).toEqual([
      "tool.name_taken",
      undefined,
      "tool.name_taken",
    ]);
  });

  test("of two imports of the same names at once one makes all its tools and the other none", async () => {
    const tools = (own: string) => ({ shared: folder(), [own]: folder() });
    const both = await Promise.all(["one", "two"].map((own) => owner.post(IMPORT, { tools: tools(own) })));
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    expect(await namesOf()).toHaveLength(2);
  });
});

test.each(["all", "each"])(
  "[R10] a tool that is there is updated or skipped as asked for, in mode %s",
  async (mode) => {
    await createTool(owner, "there", "return 1;", { alias: "There" });
    const tools = { there: folder(), getIssue: folder(), another: folder() };
    const ask = async (existing: string) =>
      (await owner.post(`${IMPORT}?mode=${mode}&existing=${existing}`, { tools })).body.data;
    const outcomesOf = (data: { tools: { outcome: string }[] }) => data.tools.map(({ outcome }) => outcome);
    const skipped = await ask("skip");
    expect(outcomesOf(skipped)).toEqual(["skipped", "created", "created"]);
    expect(skipped).toMatchObject({ created: 2, updated: 0, unchanged: 0, skipped: 1, refused: 0 });
    expect((await owner.get(`${TOOLS}/getIssue`)).body.data.name).toBe("get_issue");
    expect(outcomesOf(await ask("update"))).toEqual(["updated", "unchanged", "unchanged"]);
    expect((await owner.get(`${TOOLS}/there`)).body.data).not.toHaveProperty("alias");
    const again = await ask("update");
    expect(again).toMatchObject({ created: 0, updated: 0, unchanged: 3 });
    expect(again.tools[0].id).toBe(skipped.tools[0].id);
  },
);
