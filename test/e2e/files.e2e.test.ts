import { sharedProduct } from "@bulkhead/testing";
import { request } from "node:http";
import { beforeAll, expect, test } from "vitest";
import { Client, newClient, newTenant } from "../support/client.ts";

const product = await sharedProduct();
let owner: Client;
let tenantId = "";

beforeAll(async () => {
  ({ owner, id: tenantId } = await newTenant(product));
});

const FILES = "/api/v1/files";

/** A request whose path goes out as it is written: no client tidies it up. */
function raw(
  method: string,
  path: string,
  key: string | null,
  { body = "", headers = {} }: { body?: string; headers?: object } = {},
) {
  return new Promise<{ status: number; headers: Record<string, unknown>; text: string }>(
    (resolve, reject) => {
      const { hostname, port } = new URL(product.url);
      const asked = request(
        { hostname, port, method, path, headers: { authorization: `Bearer ${key}`, ...headers } },
        (response) => {
          const chunks: Buffer[] = [];
          response.on("data", (chunk: Buffer) => chunks.push(chunk));
          response.on("end", () =>
            resolve({
              status: response.statusCode ?? 0,
              headers: response.headers,
              text: Buffer.concat(chunks).toString(),
            }),
          );
        },
      );
      asked.on("error", reject);
      asked.end(body);
    },
  );
}
const ask = (method: string, path: string, body = "", headers: object = {}) =>
  raw(method, `${FILES}${path}`, owner.key, { body, headers });
const codeOf = ({ text }: { text: string }): unknown => (JSON.parse(text) as { code: unknown }).code;

test("[G6] a file is written, read, listed and deleted as it is", async () => {
  const made = await ask("PUT", "/notes/a%20b.html?userId=u", "<script>1</script>", {
    "content-type": "text/html",
  });
  const { data } = JSON.parse(made.text);
  expect([made.status, made.headers["location"], made.headers["etag"]]).toEqual([
    201,
    `${FILES}/notes/a%20b.html`,
    `"${data.etag}"`,
  ]);
  expect(data).toMatchObject({
    path: "notes/a b.html",
    size: 18,
    version: 1,
    changed: true,
    inherited: false,
  });
  const read = await ask("GET", "/notes/a%20b.html?userId=u");
  expect([read.status, read.text]).toEqual([200, "<script>1</script>"]);
  // Whatever it holds, it runs as no page of this host.
  expect(read.headers).toMatchObject({
    "content-type": "text/html; charset=utf-8",
    "content-disposition": `attachment; filename="a b.html"; filename*=UTF-8''a%20b.html`,
    "content-security-policy": "sandbox; default-src 'none'",
    "x-content-type-options": "nosniff",
    etag: `"${data.etag}"`,
  });
  const head = await ask("HEAD", "/notes/a%20b.html?userId=u");
  expect([head.status, head.headers["content-length"], head.text]).toEqual([200, "18", ""]);
  const { body } = await owner.get(`${FILES}?userId=u&prefix=notes/`);
  expect(body.data).toMatchObject({ files: [{ path: "notes/a b.html" }], folders: [], nextCursor: null });
  expect(body.data.usage.files).toBeGreaterThan(0);
  const level = await owner.get(`${FILES}?userId=u&recursive=false`);
  expect(level.body.data).toMatchObject({ files: [], folders: [{ path: "notes", files: 1 }] });
  expect((await owner.get(`${FILES}?userId=v`)).body.data.files).toEqual([]);
  expect((await owner.delete(`${FILES}/notes?userId=u`)).body.code).toBe("file.is_folder");
  const gone = await owner.delete(`${FILES}/notes?userId=u&recursive=true`);
  expect(gone.body.data).toEqual({ deleted: true, files: 1, bytes: 18 });
  expect((await ask("GET", "/notes/a%20b.html?userId=u")).status).toBe(404);
});

test("[G6] conditions, ranges and versions hold", async () => {
  const first = JSON.parse((await ask("PUT", "/c.txt", "first", { "if-none-match": "*" })).text).data;
  const again = await ask("PUT", "/c.txt", "other", { "if-none-match": "*" });
  expect([again.status, codeOf(again)]).toEqual([412, "file.precondition_failed"]);
  const same = await ask("PUT", "/c.txt", "first");
  expect([same.status, JSON.parse(same.text).data.changed]).toEqual([200, false]);
  const tag = `"${first.etag}"`;
  expect((await ask("PUT", "/c.txt", "second", { "if-match": tag })).status).toBe(200);
  expect((await ask("PUT", "/c.txt", "third", { "if-match": tag })).status).toBe(412);
  expect((await ask("DELETE", "/c.txt", "", { "if-match": tag })).status).toBe(412);
  expect((await ask("GET", "/c.txt", "", { "if-none-match": tag })).text).toBe("second");
  expect((await ask("GET", "/c.txt?version=1")).text).toBe("first");
  expect(codeOf(await ask("GET", "/c.txt?version=9"))).toBe("file.version_not_found");
  const { body } = await owner.get("/api/v1/file-versions?path=c.txt");
  expect(body.data.versions).toMatchObject([{ version: 2 }, { version: 1, etag: first.etag }]);
  const known = await ask("GET", "/c.txt", "", { "if-none-match": `"${body.data.file.etag}"` });
  expect([known.status, known.text]).toEqual([304, ""]);
  for (const [range, part, said] of [
    ["bytes=1-3", "eco", "bytes 1-3/6"],
    ["bytes=4-", "nd", "bytes 4-5/6"],
    ["bytes=-2", "nd", "bytes 4-5/6"],
    ["bytes=0-99", "second", "bytes 0-5/6"],
  ]) {
    const { status, headers, text } = await ask("GET", "/c.txt", "", { range });
    expect([status, text, headers["content-range"]]).toEqual([206, part, said]);
  }
  const beyond = await ask("GET", "/c.txt", "", { range: "bytes=6-" });
  expect([beyond.status, beyond.headers["content-range"]]).toEqual([416, "bytes */6"]);
  expect((await ask("GET", "/c.txt", "", { range: "bytes=0-1,3-4" })).status).toBe(200);
});

test.each([
  "/../a",
  "/a/..%2f..%2fb",
  "/%2e%2e/a",
  "/a%00b",
  "/a%5c..%5cb",
  "//a",
  "/a//b",
  "/a/",
  "/%2Fetc%2Fpasswd",
  "/nul.txt",
  "/a%0ab",
  "/a%E2%80%AEb",
  `/${"a".repeat(2_000)}`,
])("the path %s is refused for every method", async (path) => {
  for (const method of ["PUT", "GET", "DELETE"]) {
    const { status, text } = await ask(method, path, method === "PUT" ? "x" : "");
    expect([method, status]).toEqual([method, 400]);
    expect((JSON.parse(text) as { errors: { path: string }[] }).errors[0]?.path).toBe("path");
  }
});

test("what is encoded twice is no way up, and what can't be decoded is refused", async () => {
  expect((await ask("PUT", "/%252e%252e%252fa", "x")).status).toBe(201);
  expect((await ask("GET", "/%252e%252e%252fa")).text).toBe("x");
  for (const path of ["/%ff", "/%zz", "/%c0%ae"]) expect((await ask("GET", path)).status).toBe(400);
  expect((await ask("GET", "/")).status).toBe(404);
});

test("[G6] a file beyond the tenant's bound is refused, told or not how long it is", async () => {
  const { owner: small } = await newTenant(product, { maxFileBytes: 100, maxFiles: 1 });
  const put = (path: string, body: string, headers = {}) =>
    raw("PUT", `${FILES}/${path}`, small.key, { body, headers });
  for (const headers of [{}, { "transfer-encoding": "chunked" }]) {
    const refused = await put("a", "x".repeat(101), headers);
    expect([refused.status, codeOf(refused)]).toEqual([413, "file.too_large"]);
  }
  expect((await put("a", "x".repeat(100))).status).toBe(201);
  const full = await put("b", "x");
  expect([full.status, codeOf(full)]).toEqual([409, "file.quota_exceeded"]);
  expect((await put("a", "x", { "content-encoding": "gzip" })).status).toBe(415);
  expect((await put("a", "")).status).toBe(200);
});

test("an agent's key has its own agent's files, without what is denied; a viewer only reads", async () => {
  await owner.patch("/api/v1/tenant/settings", {
    files: { deny: ["secret"], agents: { alpha: { deny: ["own"] } } },
  });
  const made = await owner.post(`/api/v1/tenants/${tenantId}/api-keys`, {
    name: "alpha",
    role: "agent",
    agentId: "alpha",
  });
  const agent = new Client(product.url, made.body.data.key);
  const viewer = await newClient(product, tenantId, "viewer");
  await ask("PUT", "/secret/key?agentId=alpha", "s");
  await ask("PUT", "/own?agentId=alpha", "s");
  await ask("PUT", "/open?agentId=alpha", "needle");
  const { body } = await agent.get(FILES);
  expect(body.data).toMatchObject({ files: [{ path: "open" }], folders: [] });
  expect(body.data.usage).toBeUndefined();
  expect((await agent.get(`${FILES}?agentId=beta`)).body.errors[0].path).toBe("agentId");
  expect((await agent.get(`${FILES}/secret/key`)).body.code).toBe("file.not_found");
  expect((await raw("PUT", `${FILES}/secret/key`, agent.key, { body: "x" })).status).toBe(403);
  expect((await raw("PUT", `${FILES}/mine`, agent.key, { body: "x" })).status).toBe(201);
  const found = await agent.post(`${FILES}/search`, { pattern: "s|needle" });
  expect(found.body.data).toMatchObject({ matches: [{ path: "open", line: 1, text: "needle" }], cut: null });
  const globbed = (await agent.post(`${FILES}/glob`, { pattern: "**" })).body.data;
  expect(globbed).toMatchObject({ files: [{ path: "mine" }, { path: "open" }], cut: false });
  expect((await viewer.get(`${FILES}?agentId=alpha`)).body.data.files).toHaveLength(4);
  expect((await raw("PUT", `${FILES}/x`, viewer.key, { body: "x" })).status).toBe(403);
  const { owner: stranger } = await newTenant(product);
  expect((await stranger.get(`${FILES}?agentId=alpha`)).body.data.files).toEqual([]);
  const elsewhere = await stranger.post(`${FILES}/glob?agentId=alpha`, { pattern: "**" });
  expect(elsewhere.body.data.files).toEqual([]);
});

test("a move is one step, and people's writes are in the audit log", async () => {
  await ask("PUT", "/m/1", "1");
  await ask("PUT", "/m/2", "2");
  expect((await owner.post(`${FILES}/move`, { from: "m", to: "n/o" })).body.data).toEqual({ moved: 2 });
  expect((await owner.post(`${FILES}/move`, { from: "n/o/1", to: "n/o/2" })).body.code).toBe("file.exists");
  expect((await owner.post(`${FILES}/move`, { from: "n", to: "n/o" })).body.errors[0].path).toBe("to");
  await owner.delete(`${FILES}/n/o/1`);
  const { body } = await owner.get("/api/v1/audit?subjectType=file&limit=4");
  expect(body.data.entries.map(({ action }: { action: string }) => action)).toEqual([
    "file.deleted",
    "file.moved",
    "file.written",
    "file.written",
  ]);
});

test("a pattern that can't be used is told by its field", async () => {
  for (const body of [{ pattern: "(?=a)" }, { pattern: "(" }, { pattern: "a", glob: "{a,b}".repeat(7) }])
    expect((await owner.post(`${FILES}/search`, body)).body.code).toBe("file.pattern_invalid");
  const many = { pattern: "{a,b}".repeat(7) };
  expect((await owner.post(`${FILES}/glob`, many)).body.code).toBe("file.pattern_invalid");
  expect((await owner.post(`${FILES}/glob`, { pattern: "" })).body.errors[0].path).toBe("pattern");
  expect((await owner.post(`${FILES}/glob`, { pattern: "*", path: "../a" })).body.errors[0].path).toBe(
    "path",
  );
  expect((await owner.get(`${FILES}?cursor=YQ%3D`)).body.errors[0].path).toBe("cursor");
});
