import { isNightly, sharedProduct } from "@bulkhead/testing";
import { beforeAll, describe, expect, test } from "vitest";
import { createTool, newTenant, type Client } from "../support/client.ts";

const product = await sharedProduct();
let owner: Client;

beforeAll(async () => {
  ({ owner } = await newTenant(product));
});

const TOOLS = "/api/v1/custom-tools";
const ROUNDS = isNightly ? 10 : 2;
/** At a time: those that change a tool, and those that put it whole. */
const WRITERS = isNightly ? 50 : 12;
const PUTS = isNightly ? 20 : 6;
const change = (name: string, body: object) => owner.patch(`${TOOLS}/${name}`, body);
const run = (name: string, body: object = {}) => owner.post(`${TOOLS}/${name}/execute`, body);
const read = async (name: string) => (await owner.get(`${TOOLS}/${name}`)).body.data;

describe("an ETag", () => {
  test("is strong, changes with every change of the tool, and is good for a write while the tool only runs", async () => {
    const made = await owner.post(TOOLS, {
      name: "tagged",
      description: "d",
      parameters: { type: "object" },
      code: "return 1;",
    });
    const tags = [made.headers.get("etag")];
    const note = (headers: Headers) => tags.push(headers.get("etag"));
    note((await change("tagged", { description: "e" })).headers);
    note((await change("tagged", { code: "return 2;" })).headers);
    note((await owner.post(`${TOOLS}/tagged/disable`)).headers);
    note((await owner.post(`${TOOLS}/tagged/enable`)).headers);
    note((await owner.post(`${TOOLS}/tagged/versions/1/restore`)).headers);
    expect(new Set(tags).size).toBe(6);
    for (const tag of tags) expect(tag).toMatch(/^"[^"]+"$/);
    const last = tags.at(-1) ?? "";
    expect((await owner.get(`${TOOLS}/tagged`)).headers.get("etag")).toBe(last);
    await run("tagged");
    const written = await owner.patch(`${TOOLS}/tagged`, { description: "f" }, { "if-match": last });
    expect([written.status, written.headers.get("etag") === last]).toEqual([200, false]);
  });

  test("is another where a service was filled in, and good for a write still", async () => {
    const requiredConfigServices = [{ name: "tagged_sky" }];
    const { id, unconfiguredServices } = await createTool(owner, "asking", "return 1;", {
      requiredConfigServices,
    });
    const tag = (await owner.get(`${TOOLS}/asking`)).headers.get("etag") ?? "";
    expect([
      unconfiguredServices,
      (await owner.get(`${TOOLS}/${id}`, { "if-none-match": tag })).status,
    ]).toEqual([["tagged_sky"], 304]);
    await owner.post("/api/v1/config-services/tagged_sky/entries", { data: { api_key: "sk-0123456789" } });
    const filled = await owner.get(`${TOOLS}/asking`, { "if-none-match": tag });
    expect([filled.status, filled.body.data.unconfiguredServices]).toEqual([200, []]);
    const write = (title: string) => owner.patch(`${TOOLS}/asking`, { title }, { "if-match": tag });
    expect([(await write("first")).status, (await write("second")).status]).toEqual([200, 412]);
  });

  test("spares the answer's body to who has the tool as it is", async () => {
    const { id } = await createTool(owner, "known", "return 1;");
    const tag = (await owner.get(`${TOOLS}/known`)).headers.get("etag") ?? "";
    const ask = (header: string) => owner.get(`${TOOLS}/${id}`, { "if-none-match": header });
    for (const header of [tag, `W/${tag}`, `"other", ${tag}`, "*"]) {
      const answer = await ask(header);
      expect([answer.status, answer.body, answer.headers.get("etag")], header).toEqual([304, "", tag]);
    }
    expect((await ask('"other"')).status).toBe(200);
    await change("known", { description: "other" });
    expect((await ask(tag)).status).toBe(200);
    expect((await ask("no tag")).status).toBe(400);
  });

  test("[R59] spares the text of types to who has it, which is another when a tool is", async () => {
    const parameters = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
    await createTool(owner, "typed", "return args.city;", { parameters, outputSchema: { type: "string" } });
    await createTool(owner, "untyped", "return 1;");
    const get = async (path: string, tag = "") => {
      const answer = await owner.get(`/api/v1/${path}`, tag === "" ? {} : { "if-none-match": tag });
      return { ...answer, tag: answer.headers.get("etag") ?? "" };
    };
    const member = "  typed: {\n    arguments: {\n      city: string;\n    };\n    result: string;\n  };\n";
    const one = await get("custom-tools/typed/types.d.ts");
    expect(one.headers.get("content-type")).toBe("application/typescript; charset=utf-8");
    expect(one.body).toContain(`interface BulkheadTools {\n  /** typed */\n${member}}`);
    const all = await get("custom-tools/types.d.ts");
    expect(all.body).toContain(member);
    expect(all.body).toContain("  untyped: {");
    const globals = await get("reference/tool-globals.d.ts?tool=typed");
    expect(globals.body).toContain("type ToolArguments = {\n  city: string;\n};");
    expect((await get("reference/tool-globals.d.ts")).body).toContain("declare const args: ToolArguments;");
    for (const [path, { tag }] of [
      ["custom-tools/typed/types.d.ts", one],
      ["custom-tools/types.d.ts", all],
      ["reference/tool-globals.d.ts?tool=typed", globals],
    ] as const)
      expect([(await get(path, tag)).status, (await get(path, '"other"')).status]).toEqual([304, 200]);
    await change("typed", { outputSchema: { type: "number" } });
    expect((await get("custom-tools/types.d.ts", all.tag)).body).toContain("result: number;");
    expect((await get("custom-tools/nowhere/types.d.ts")).status).toBe(404);
  });

  test("[R36] guards every write: what was changed since is not written over", async () => {
    await createTool(owner, "written", "return 1;");
    const old = (await owner.get(`${TOOLS}/written`)).headers.get("etag") ?? "";
    const current = (await change("written", { code: "return 2;" })).headers.get("etag") ?? "";
    const path = `${TOOLS}/written`;
    const writes = {
      change: (tag: string) => owner.patch(path, { description: tag }, { "if-match": tag }),
      disable: (tag: string) => owner.post(`${path}/disable`, undefined, { "if-match": tag }),
      enable: (tag: string) => owner.post(`${path}/enable`, undefined, { "if-match": tag }),
      approve: (tag: string) => owner.post(`${path}/approve`, undefined, { "if-match": tag }),
      reject: (tag: string) => owner.post(`${path}/reject`, undefined, { "if-match": tag }),
      restore: (tag: string) => owner.post(`${path}/versions/1/restore`, undefined, { "if-match": tag }),
      delete: (tag: string) => owner.delete(path, { "if-match": tag }),
    };
    for (const [name, write] of Object.entries(writes)) {
      for (const tag of [old, `W/${current}`, '"none"', `${old}, "none"`]) {
        const { status, body } = await write(tag);
        expect([status, body.code], `${name} ${tag}`).toEqual([412, "tool.precondition_failed"]);
      }
      expect((await write("tag without quotes")).status, name).toBe(400);
    }
    expect(await read("written")).toMatchObject({ version: 2, status: "active", description: "written" });
    expect((await writes.change(`"none", ${current}`)).status).toBe(200);
    for (const write of [writes.change, writes.disable, writes.enable, writes.restore, writes.delete])
      expect((await write("*")).status).toBe(200);
  });
});

describe("[R36] simultaneous updates of one tool", () => {
  const all = <T>(make: (n: number) => Promise<T>) =>
    Promise.all(Array.from({ length: WRITERS }, (_, n) => make(n)));

  test("that name one state: exactly one is made, the others hear 412", async () => {
    await createTool(owner, "raced", "return 0;");
    const tag = (await owner.get(`${TOOLS}/raced`)).headers.get("etag") ?? "";
    const answers = await all((n) =>
      owner.patch(`${TOOLS}/raced`, { code: `return ${n + 1};` }, { "if-match": tag }),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const lost = answers.filter(({ body }) => body.code === "tool.precondition_failed");
    expect(lost.map(({ status }) => status)).toEqual(Array.from({ length: WRITERS - 1 }, () => 412));
    const won = answers.find(({ status }) => status === 200);
    expect(await read("raced")).toMatchObject({ version: 2, code: won?.body.data.code });
  });

  test("that name none: ordered versions, and 409 for those that came between", async () => {
    await createTool(owner, "ordered", "return 0;");
    const answers = await all((n) => change("ordered", { code: `return ${n + 1};`, metadata: { n } }));
    const made = answers.filter(({ status }) => status === 200).map(({ body }) => body.data);
    const lost = answers.filter(({ status }) => status !== 200);
    for (const { status, body } of lost) expect([status, body.code]).toEqual([409, "tool.changed"]);
    const numbers = made.map(({ version }) => version).toSorted((a, b) => a - b);
    expect(numbers).toEqual(Array.from({ length: made.length }, (_, n) => n + 2));
    for (const { version, code } of made)
      expect((await owner.get(`${TOOLS}/ordered/versions/${version}`)).body.data.code).toBe(code);
    const last = made.find(({ version }) => version === made.length + 1);
    expect(await read("ordered")).toMatchObject({
      version: last.version,
      code: last.code,
      metadata: last.metadata,
    });
  });

  test("an approval that races with a change never activates what was not seen", async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const name = `pending_${round}`;
      const permissions = ["shell"];
      await createTool(owner, name, "return 'seen';", { createdBy: "llm", permissions });
      const tag = (await owner.get(`${TOOLS}/${name}`)).headers.get("etag") ?? "";
      const [approved, changed] = await Promise.all([
        owner.post(`${TOOLS}/${name}/approve`, undefined, { "if-match": tag }),
        owner.patch(`${TOOLS}/${name}`, { code: "return 'unseen';" }, { "if-match": tag }),
      ]);
      expect([approved.status, changed.status].toSorted((a, b) => a - b)).toEqual([200, 412]);
      const { status, code } = await read(name);
      expect([status, code]).toEqual(
        approved.status === 200 ? ["active", "return 'seen';"] : ["pending_approval", "return 'unseen';"],
      );
    }
  });
});

describe("[R70] a tool that is put by its name", () => {
  const put = (name: string, body: object, headers: Record<string, string> = {}) =>
    owner.raw("PUT", `${TOOLS}/${name}`, JSON.stringify(body), {
      "content-type": "application/json",
      ...headers,
    });
  const WHOLE = {
    alias: "putTool",
    title: "Put",
    annotations: { readOnlyHint: true },
    description: "d",
    parameters: { type: "object", properties: { z: {}, a: { type: "number" } } },
    code: "return args.a as number;",
    language: "typescript",
    outputSchema: { type: "number" },
    category: "numbers",
    permissions: ["network", "email"],
    limits: { cpuMs: 100 },
    allowedHosts: ["api.example.com"],
    idempotent: true,
    retry: { attempts: 3, on: ["sandbox.crashed", "tool.threw"] },
    dispatch: { maxConcurrent: 2 },
    retention: { events: 9 },
    applyDefaults: true,
    approval: "ask",
    approvalCode: "return args.a > 1;",
    metadata: { b: 1, a: [2] },
    requiredApiKeys: [{ name: "weather" }],
    requiredConfigServices: [{ name: "maps", configSchema: [{ name: "token", type: "secret" }] }],
  };
  const PLAIN = { description: "d", parameters: { type: "object" }, code: "return 1;" };
  const auditedOf = async (id: string) =>
    (await owner.get(`/api/v1/audit?subjectId=${id}`)).body.data.entries.map(
      ({ action }: { action: string }) => action,
    );

  test("is created, stays as it is by the same again, and loses what is left out", async () => {
    const made = await put("whole", WHOLE);
    expect([made.status, made.body.data.changed]).toEqual([201, true]);
    expect(made.headers.get("location")).toBe(`${TOOLS}/${made.body.data.id}`);
    const again = await put("whole", { ...WHOLE, name: "whole" });
    expect([again.status, again.body.data.changed]).toEqual([200, false]);
    expect(again.headers.get("etag")).toBe(made.headers.get("etag"));
    expect(await auditedOf(made.body.data.id)).toEqual(["tool.created"]);
    const { status, body } = await put("whole", PLAIN);
    expect([status, body.data.changed, body.data.version]).toEqual([200, true, 2]);
    for (const field of ["alias", "title", "annotations", "category", "retry", "approval", "metadata"])
      expect(body.data).not.toHaveProperty(field);
    expect(await auditedOf(made.body.data.id)).toEqual(["tool.updated", "tool.created"]);
  });

  test("keeps to its conditions and to the rules of creation", async () => {
    expect((await put("cond", PLAIN, { "if-match": "*" })).status).toBe(412);
    expect((await put("cond", PLAIN, { "if-match": '"x"' })).status).toBe(412);
    const { contentHash } = (await put("cond", PLAIN, { "if-none-match": "*" })).body.data;
    expect((await put("cond", PLAIN, { "if-none-match": "*" })).body.code).toBe("tool.precondition_failed");
    const next = { ...PLAIN, code: "return 2;" };
    expect((await put("cond", next, { "if-match": `"${contentHash}"` })).status).toBe(200);
    expect((await put("cond", PLAIN, { "if-match": `"${contentHash}"` })).status).toBe(412);
    const pathsOf = async (name: string, body: object, headers = {}) => {
      const answer = await put(name, body, headers);
      return [answer.status, ...answer.body.errors.map(({ path }: { path: string }) => path)];
    };
    expect(await pathsOf("cond", { ...PLAIN, name: "other" })).toEqual([400, "name"]);
    expect(await pathsOf("stats", PLAIN)).toEqual([400, "name"]);
    expect(await pathsOf("Cond", PLAIN)).toEqual([400, "id"]);
    expect(await pathsOf("cond", PLAIN, { "if-none-match": '"x"' })).toEqual([400, "if-none-match"]);
    expect(await pathsOf("cond", { ...PLAIN, alias: "a b" })).toEqual([400, "alias"]);
  });

  test("by many at the same moment, it is created once and every change is made", async () => {
    const answers = await Promise.all(
      Array.from({ length: PUTS }, (_, n) => put("at_once", { ...PLAIN, code: `return ${n};` })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(PUTS - 1);
    expect((await read("at_once")).version).toBe(PUTS);
    const same = await Promise.all(Array.from({ length: PUTS }, () => put("same", PLAIN)));
    expect(same.filter(({ body }) => body.data.changed)).toHaveLength(1);
  });

  test("waits for a person where a model made it and it can do more", async () => {
    const model = { ...PLAIN, createdBy: "llm" };
    await put("models", model);
    const grown = { ...model, code: "return fetch('https://a.example');", permissions: ["network"] };
    expect((await put("models", grown)).body.data).toMatchObject({
      version: 1,
      pendingVersion: 2,
      changed: true,
    });
    expect((await put("models", grown)).body.data).toMatchObject({ pendingVersion: 2, changed: false });
    await put("persons", PLAIN);
    expect((await put("persons", model)).body.code).toBe("tool.made_by_user");
  });
});
