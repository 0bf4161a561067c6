import { everyNth, isNightly, sharedProduct } from "@bulkhead/testing";
import { deflateRawSync } from "node:zlib";
import { beforeEach, describe, expect, test } from "vitest";
import { newClient, newTenant, type Client } from "../support/client.ts";
import { folder, sendZip, zipOf } from "../support/tool-packages.ts";

const product = await sharedProduct();
let owner: Client;
let tenantId = "";

beforeEach(async () => {
  ({ owner, id: tenantId } = await newTenant(product));
});

const TOOLS = "/api/v1/custom-tools";
const IMPORT = `${TOOLS}/import`;
const EACH = `${IMPORT}?mode=each`;
/** Of bytes by chance. */
const ROUNDS = isNightly ? 120 : 15;

describe("who may, and with what", () => {
  test.each([
    ["developer", 200, 200],
    ["agent", 403, 200],
    ["viewer", 403, 200],
  ])("a key of role %s", async (role, importing, exporting) => {
    const client = await newClient(product, tenantId, role);
    expect((await client.post(IMPORT, { tools: { a: folder() } })).status).toBe(importing);
    expect((await sendZip(client, EACH, zipOf({}))).status).toBe(importing);
    expect((await client.get(`${TOOLS}/export`)).status).toBe(exporting);
  });

  test("a zip is for the import alone", async () => {
    expect((await sendZip(owner, TOOLS, zipOf({}))).body.code).toBe("request.unsupported_media_type");
  });

  test.each([
    ["no tools", {}, "tools"],
    ["an unknown field", { tools: {}, more: 1 }, "more"],
    [
      "too many tools",
      { tools: Object.fromEntries(Array.from({ length: 1_001 }, (_, n) => [`t${n}`, {}])) },
      "tools",
    ],
  ])("a document with %s is refused as a whole", async (_what, body, path) => {
    const answer = await owner.post(EACH, body);
    expect([answer.status, answer.body.code, answer.body.errors[0].path]).toEqual([
      400,
      "request.invalid",
      path,
    ]);
  });
});

describe("an archive as another system names it, and a path as no archive has it", () => {
  test("what Windows calls a zip is one", async () => {
    const zip = zipOf({ "a/manifest.json": { description: "d" }, "a/tool.js": "return 1;" });
    const { status, body } = await sendZip(owner, IMPORT, zip, "application/x-zip-compressed");
    expect([status, body.data?.created]).toEqual([200, 1]);
  });

  test.each(["../a", "/etc/a", "a\u0000"])(
    "the folder %j is refused alike as JSON and in a zip",
    async (name) => {
      const json = await owner.post(EACH, { tools: { fine: folder(), [name]: folder() } });
      const zip = zipOf({ "fine/tool.js": "return 1;", [`${name}/tool.js`]: "return 1;" });
      const zipped = await sendZip(owner, EACH, zip);
      for (const { status, body } of [json, zipped]) {
        expect([status, body.code]).toEqual([400, "archive.invalid"]);
        expect(body.errors[0].path).toBe("");
        expect(body.errors[0].message).toMatch(/^holds the path ".*", which is not allowed$/);
      }
      expect((await owner.get(TOOLS)).body.data.count).toBe(0);
    },
  );

  test("a name with marks loses them and no letter", async () => {
    const { body } = await owner.post(EACH, { tools: { größe: folder(), 天気: folder() } });
    expect(body.data.tools).toMatchObject([
      { folder: "größe", name: "grosse" },
      { folder: "天気", error: { code: "request.invalid" } },
    ]);
  });
});

describe("text that no store holds", () => {
  test.each(everyNth(["\u0000", "\ud800", "\uffff", "__proto_", "a/b"], 3))(
    "%j anywhere is a tool or a fault",
    async (odd) => {
      const whole = (more: object) => ({ ...folder(), ...more });
      const tools = {
        // No archive holds that path: the import would be refused whole.
        ...(odd === "\u0000" ? {} : { [`folder${odd}`]: folder() }),
        named: folder({ name: `named${odd}` }),
        described: folder({ description: odd }),
        field: folder({ input: { [odd]: { type: "string", required: true } }, metadata: { [odd]: odd } }),
        readme: whole({ "README.md": odd }),
        example: whole({ examples: { "a.json": odd, [`${odd}.json`]: 1 } }),
        file: whole({ [odd]: odd }),
        code: folder({}, { "tool.js": `return "${odd}";` }),
      };
      const { status, body } = await owner.post(EACH, { tools });
      expect(status, JSON.stringify(body)).toBe(200);
      for (const { error } of body.data.tools) {
        if (error) expect(error.code).toMatch(/^(request|tool)\./);
      }
      expect((await owner.get(`${TOOLS}/export?format=zip`)).status).toBe(200);
      const document = (await owner.get(`${TOOLS}/export`)).body.data;
      const { owner: other } = await newTenant(product);
      expect((await other.post(IMPORT, document)).body.data).toMatchObject({ refused: 0 });
    },
  );
});

describe("hostile archives", () => {
  test.each<[string, Uint8Array]>([
    ["nothing", Buffer.alloc(0)],
    ["a file outside of every folder", zipOf({ "manifest.json": "{}" })],
    ["a way out", zipOf({ "../a/manifest.json": "{}" })],
    ["a bomb by its own word", zipOf({ "a/tool.js": "x".repeat(5_000_000) })],
    ["too many entries", zipOf(Object.fromEntries(Array.from({ length: 2_001 }, (_, n) => [`a/${n}`, ""])))],
    ["deflated noise", deflateRawSync(Buffer.alloc(1_000_000))],
  ])("%s is refused by name", async (_what, zip) => {
    const { status, body } = await sendZip(owner, EACH, zip);
    expect([status, body.code], JSON.stringify(body)).toEqual([400, "archive.invalid"]);
  });

  test("whatever bytes are sent, the answer is never ours to blame", async () => {
    const good = zipOf({
      "a/manifest.json": { description: "d" },
      "a/tool.js": "return 1;",
      "a/README.md": "x",
    });
    let seed = 42;
    const random = (below: number) => (seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648) % below;
    for (let round = 0; round < ROUNDS; round += 1) {
      const bytes = Buffer.from(round % 3 === 0 ? Buffer.alloc(random(300) + 1) : good);
      for (let n = 0; n <= random(6); n += 1) bytes[random(bytes.length)] = random(256);
      const { status } = await sendZip(
        owner,
        EACH,
        bytes.subarray(0, round % 3 === 1 ? random(bytes.length) : bytes.length),
      );
      expect([200, 400], `round ${round}`).toContain(status);
    }
  });

  test("a body over the bound is refused as any is", async () => {
    expect((await sendZip(owner, EACH, Buffer.alloc(3 * 1024 * 1024))).body.code).toBe("request.too_large");
  });
});
