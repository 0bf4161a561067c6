import { everyNth, isNightly, sharedProduct } from "@bulkhead/testing";
import { toolArchive } from "@bulkhead/tools/packages";
import { beforeEach, expect, test } from "vitest";
import { createTool, newTenant, type Client } from "../support/client.ts";
import { sendZip } from "../support/tool-packages.ts";

const product = await sharedProduct();
let owner: Client;

beforeEach(async () => {
  ({ owner } = await newTenant(product));
});

const TOOLS = "/api/v1/custom-tools";
const IMPORT = `${TOOLS}/import`;

async function exportZip(query = ""): Promise<{ zip: Buffer; headers: Headers }> {
  const headers = { authorization: `Bearer ${owner.key}`, accept: "application/zip" };
  const response = await fetch(`${product.url}${TOOLS}/export${query}`, { headers });
  expect(response.status).toBe(200);
  return { zip: Buffer.from(await response.arrayBuffer()), headers: response.headers };
}

const WHOLE = {
  alias: "WholeTool",
  title: "Whole",
  annotations: { destructiveHint: false },
  language: "typescript",
  outputSchema: { type: "number" },
  category: "numbers",
  permissions: ["network"],
  limits: { cpuMs: 100, nestedCalls: 1 },
  allowedHosts: ["api.example.com", "*.example.org:8443"],
  idempotent: true,
  retry: { attempts: 3, backoffMs: 10, on: ["tool.threw"] },
  dispatch: { maxConcurrent: 2 },
  retention: { arguments: "none", events: 90 },
  applyDefaults: true,
  approval: "ask",
  approvalCode: "return args.z !== '';",
  metadata: { team: "a", package: { readme: "# Hello", examples: { "a.json": [1] }, name: "Whole" } },
  requiredApiKeys: [{ name: "weather", displayName: "Weather" }],
  parameters: { type: "object", properties: { z: { type: "string" }, a: {} }, required: ["z"] },
};

// JSON is what other imports are tested with by day.
test.each(everyNth(["zip", "json"], 2))(
  "[R10, R11] what was exported as %s is the same tool in another tenant",
  async (format) => {
    await createTool(owner, "whole", "return args.n as number;", WHOLE);
    await createTool(owner, "models", "return 1;", { createdBy: "llm", permissions: ["email"] });
    await createTool(owner, "plain", "return 1;", { allowedHosts: [] });
    const { zip } = await exportZip();
    const document = (await owner.get(`${TOOLS}/export?format=json`)).body.data;
    const { owner: other } = await newTenant(product);
    const imported =
      format === "zip" ? await sendZip(other, IMPORT, zip) : await other.post(IMPORT, document);
    expect(imported.body.data, JSON.stringify(imported.body)).toMatchObject({ created: 3, refused: 0 });
    const OWN = ["id", "userId", "createdAt", "updatedAt"];
    const partOf = (tool: object) =>
      Object.fromEntries(Object.entries(tool).filter(([key]) => !OWN.includes(key)));
    for (const name of ["whole", "models", "plain"]) {
      const [mine, theirs] = [await owner.get(`${TOOLS}/${name}`), await other.get(`${TOOLS}/${name}`)];
      expect(partOf(theirs.body.data)).toEqual(partOf(mine.body.data));
    }
  },
);

test("a zip holds a folder for each tool, as an import takes them", async () => {
  await createTool(owner, "whole", "return args.n as number;", WHOLE);
  const { zip, headers } = await exportZip("?names=whole");
  expect(headers.get("content-disposition")).toContain("tools.zip");
  const files = toolArchive.read(zip);
  expect(files.map(({ path }) => path)).toEqual([
    "whole/manifest.json",
    "whole/tool.ts",
    "whole/approval.js",
    "whole/README.md",
    "whole/examples/a.json",
  ]);
  expect(Buffer.from(files[1]?.bytes ?? []).toString()).toBe("return args.n as number;");
  expect((await exportZip("?names=whole")).zip.equals(zip)).toBe(true);
});

test("metadata that would leave the folder stays metadata", async () => {
  const metadata = { package: { examples: { "../../etc/x.json": 1 }, readme: 5 } };
  await createTool(owner, "sly", "return 1;", { metadata });
  const files = toolArchive.read((await exportZip()).zip);
  expect(files.map(({ path }) => path)).toEqual(["sly/manifest.json", "sly/tool.js"]);
});

test("tools are chosen by name and by status", async () => {
  for (const name of ["a", "b", "c"]) await createTool(owner, name, "return 1;");
  await owner.post(`${TOOLS}/b/disable`);
  const exported = async (query: string) =>
    Object.keys((await owner.get(`${TOOLS}/export${query}`)).body.data.tools);
  expect(await exported("")).toEqual(["a", "b", "c"]);
  expect(await exported("?names=c,a")).toEqual(["a", "c"]);
  expect(await exported("?status=disabled")).toEqual(["b"]);
  expect((await owner.get(`${TOOLS}/export?names=a,nowhere`)).body.code).toBe("tool.not_found");
  expect((await owner.get(`${TOOLS}/export?names=a&status=disabled`)).body.code).toBe("tool.not_found");
});

test.runIf(isNightly)("what is too much for one import comes in parts, each an import", async () => {
  const code = `return ${JSON.stringify("x".repeat(250_000))};`;
  const names = Array.from({ length: 10 }, (_, n) => `big_${n}`);
  for (const name of names) await createTool(owner, name, code);
  const { owner: other } = await newTenant(product);
  let path: string | undefined = `${TOOLS}/export`;
  const parts: string[][] = [];
  while (path !== undefined) {
    const { body, headers } = await owner.get(path);
    parts.push(Object.keys(body.data.tools));
    expect((await other.post(IMPORT, body.data)).status).toBe(200);
    path = /^<([^>]+)>; rel="next"$/.exec(headers.get("link") ?? "")?.[1];
  }
  expect(parts.length).toBeGreaterThan(1);
  expect(parts.flat()).toEqual(names);
});

test("another tenant's tools are in no export", async () => {
  await createTool(owner, "secret", "return 1;");
  const { owner: other } = await newTenant(product);
  expect((await other.get(`${TOOLS}/export`)).body.data.tools).toEqual({});
  expect((await other.get(`${TOOLS}/export?names=secret`)).body.code).toBe("tool.not_found");
});
