import {
  CAPABILITY_CALLS_MAX,
  familiesOf,
  Fault,
  type CapabilityAnswer,
  type CapabilityCaller,
  type CapabilityRequest,
  type Effect,
  type Permission,
} from "@bulkhead/core";
import { describe, expect, test } from "vitest";
import { heldAttempt } from "../fixtures/held-attempt.ts";
import { callsOf, SECRET, type World } from "../fixtures/capability-world.ts";
import { sampleCover } from "../fixtures/sample-cover.ts";
import { CapabilityCalls } from "./capability-calls.ts";

const NEVER = new AbortController().signal;
type Asked = Extract<Effect, { kind: "capability" }>;
const asking = (operation: string, args: unknown = { path: "a.md" }, more: Partial<Asked> = {}): Asked => ({
  kind: "capability",
  family: "files",
  operation,
  argumentsJson: JSON.stringify(args),
  content: null,
  contentEncoding: "utf8",
  ...more,
});

test("what comes from outside has the run's secrets covered, refusals too", async () => {
  const { calls } = callsOf({
    coversAnswers: true,
    answer: async () => ({ ok: true, value: { rows: [{ note: `it is ${SECRET}` }] } }),
  });
  expect(await calls.ask("files", "read", {}, null, NEVER)).toEqual({
    ok: true,
    value: { rows: [{ note: "it is [REDACTED]" }] },
  });
  const refusing = callsOf({
    coversAnswers: true,
    answer: async () => ({ ok: false, code: "failed", message: `no ${SECRET}` }),
  });
  expect(await refusing.calls.ask("files", "write", {}, null, NEVER)).toMatchObject({
    message: "no [REDACTED]",
  });
});

test("a picture that shows a secret as text is withheld, another one is handed over as it is", async () => {
  const content = Buffer.from("picture");
  const asked = (shows: string) => {
    const answer = async () => ({ ok: true as const, value: { width: 1 }, content, shows });
    return callsOf({ coversAnswers: true, answer }).calls.ask("files", "read", {}, null, NEVER);
  };
  expect(await asked("words")).toEqual({ ok: true, value: { width: 1 }, content });
  expect(await asked(`it is ${SECRET}`)).toEqual({
    ok: false,
    code: "capability_denied",
    message: expect.stringMatching(/^It shows a secret.*ask for its text/),
  });
});

test("a tool's own command is run as it is, with the variables of its record", async () => {
  const asked: CapabilityRequest[] = [];
  const shell = {
    operations: new Map([["exec", "writes" as const]]),
    run: async (request: CapabilityRequest) => {
      asked.push(request);
      return { ok: true as const, value: {} };
    },
  };
  const callsBy = (permissions: Permission[]) =>
    new CapabilityCalls(
      { capabilities: { shell }, report: () => undefined, way: null, whileHeld: (work) => work() },
      heldAttempt(),
      permissions,
      sampleCover(SECRET),
    );
  const line = { command: `echo ${SECRET}` };
  expect(await callsBy(["shell"]).runCommand(line, { KEY: SECRET }, NEVER)).toEqual({ ok: true, value: {} });
  expect(asked).toMatchObject([{ operation: "exec", arguments: line, variables: { KEY: SECRET } }]);
  expect(await callsBy([]).runCommand(line, {}, NEVER)).toMatchObject({ code: "capability_denied" });
});

describe("what a run asks", () => {
  test("is done for the caller of its execution, whatever its arguments say", async () => {
    const { calls, ran } = callsOf();
    const said = { path: "a.md", tenantId: "ten_b", agentId: "two", userId: "bob", workspace: {} };
    expect(await calls.perform(asking("read", said), NEVER)).toMatchObject({
      ok: true,
      body: '{"done":true}',
    });
    expect(ran).toMatchObject([
      { caller: { tenantId: "ten_a", agentId: "one", userId: "ann", executionId: "exe_1", toolName: "a" } },
    ]);
    const nobody = callsOf({ context: {} });
    await nobody.calls.perform(asking("read"), NEVER);
    expect(nobody.ran).toMatchObject([{ caller: { agentId: null, userId: null } }]);
  });

  test("marks the row before it changes something, and only then", async () => {
    const { calls, marks } = callsOf();
    await calls.perform(asking("read"), NEVER);
    expect(marks()).toBe(0);
    await calls.perform(asking("write", {}, { content: "x" }), NEVER);
    expect(marks()).toBe(1);
    const lost = callsOf({ isHeld: false });
    expect(await lost.calls.perform(asking("write"), NEVER)).toMatchObject({ code: "aborted" });
    expect(lost.ran).toEqual([]);
  });

  test("is not begun where the run is over", async () => {
    const { calls, ran } = callsOf();
    expect(await calls.perform(asking("write"), AbortSignal.abort())).toMatchObject({ code: "aborted" });
    expect(ran).toEqual([]);
  });

  test("is waited for at the run's end", async () => {
    const { promise, resolve } = Promise.withResolvers<CapabilityAnswer>();
    const { calls } = callsOf({ answer: () => promise });
    const answered = calls.perform(asking("write"), NEVER);
    let isSettled = false;
    const settled = calls.settled().then(() => (isSettled = true));
    await new Promise((done) => setImmediate(done));
    expect(isSettled).toBe(false);
    resolve({ ok: true, value: {} });
    await Promise.all([answered, settled]);
  });

  test("has a bound, which refused questions don't use up", async () => {
    const { calls, ran } = callsOf();
    await calls.perform(asking("chmod"), NEVER);
    for (let n = 0; n < CAPABILITY_CALLS_MAX; n += 1) await calls.perform(asking("read"), NEVER);
    expect(await calls.perform(asking("read"), NEVER)).toMatchObject({ code: "capability_limit" });
    expect([ran.length, calls.calls]).toEqual([CAPABILITY_CALLS_MAX, CAPABILITY_CALLS_MAX]);
  });
});

describe("it is refused", () => {
  test.each([
    ["without the permission", asking("read"), { permissions: ["network"] }, "capability_denied"],
    ["of an unknown family", asking("read", {}, { family: "shell" }), {}, "capability_denied"],
    ["of a family that objects inherit", asking("read", {}, { family: "toString" }), {}, "capability_denied"],
    ["where its engine is not there", asking("read"), { hasEngine: false }, "capability_denied"],
    ["as an operation that objects inherit", asking("constructor"), {}, "invalid_request"],
    ["with a list as its arguments", asking("read", []), {}, "invalid_request"],
    ["with no JSON", asking("read", {}, { argumentsJson: "{" }), {}, "invalid_request"],
  ] as [string, Asked, World, string][])("%s", async (_, effect, world, code) => {
    const { calls, ran } = callsOf(world);
    expect(await calls.perform(effect, NEVER)).toMatchObject({ ok: false, code });
    expect(ran).toEqual([]);
  });

  test.each([
    ["tool.not_found", "not_found"],
    ["tool.name_taken", "conflict"],
    ["schedule.too_many", "capability_limit"],
    ["request.invalid", "invalid_request"],
    ["auth.forbidden", "capability_denied"],
  ] as const)("with the words of the fault %s and the code %s", async (fault, code) => {
    const answer = () => Promise.reject(new Fault(fault, { detail: "these words" }));
    const { calls, reported } = callsOf({ answer });
    expect(await calls.perform(asking("read"), NEVER)).toEqual({ ok: false, code, message: "these words" });
    expect(reported).toEqual([]);
  });

  test("without words of ours where it is our fault, which is reported", async () => {
    const { calls, reported } = callsOf({
      answer: () => Promise.reject(new Error("password of the database")),
    });
    expect(await calls.perform(asking("read"), NEVER)).toEqual({
      ok: false,
      code: "failed",
      message: "It could not be done; try again.",
    });
    expect(reported).toHaveLength(1);
  });
});

describe("what is written", () => {
  test.each([
    ["a text", SECRET, "utf8", "[REDACTED]"],
    ["bytes that are text", Buffer.from(SECRET).toString("base64"), "base64", Buffer.from("[REDACTED]")],
  ] as const)(
    "has secrets covered in %s, and the answer says so",
    async (_, content, contentEncoding, kept) => {
      const { calls, ran } = callsOf();
      const effect = asking("write", { path: "a.md" }, { content, contentEncoding });
      expect(await calls.perform(effect, NEVER)).toMatchObject({ body: '{"done":true,"covered":true}' });
      expect(ran[0]?.request.content).toEqual(kept);
    },
  );

  test("is what was sent where there is nothing to cover", async () => {
    const { calls, ran } = callsOf();
    const bytes = Buffer.of(0, 255, 254, 1);
    const effect = asking("write", {}, { content: bytes.toString("base64"), contentEncoding: "base64" });
    expect(await calls.perform(effect, NEVER)).toMatchObject({ body: '{"done":true}' });
    expect(ran[0]?.request.content).toEqual(bytes);
  });

  test("is covered in its arguments, which a question alone is not", async () => {
    const { calls, ran } = callsOf();
    await calls.perform(asking("write", { path: `${SECRET}.md` }), NEVER);
    await calls.perform(asking("read", { path: `${SECRET}.md` }), NEVER);
    expect(ran.map(({ request }) => request.arguments["path"])).toEqual(["[REDACTED].md", `${SECRET}.md`]);
  });
});

test("an answer's bytes go as they are, its value beside them", async () => {
  const answer = async (): Promise<CapabilityAnswer> => ({
    ok: true,
    value: { size: 2 },
    content: Buffer.of(0, 255),
  });
  const { calls } = callsOf({ answer });
  expect(await calls.perform(asking("read"), NEVER)).toEqual({
    ok: true,
    head: '{"size":2}',
    body: "AP8=",
    bodyEncoding: "base64",
  });
});

test.each(["memory", "nodes", "gateway", "browser"] as const)(
  "%s has nothing in a tool's world: its built-in tool alone asks it",
  async (name) => {
    const family = {
      operations: new Map([["list", "reads" as const]]),
      run: async () => ({ ok: true as const, value: {} }),
    };
    const permissions: Permission[] = ["filesystem", "shell", "network"];
    const calls = new CapabilityCalls(
      { capabilities: { [name]: family }, report: () => undefined, way: null, whileHeld: (work) => work() },
      heldAttempt(),
      permissions,
      sampleCover(SECRET),
    );
    expect(await calls.perform(asking("list", {}, { family: name }), NEVER)).toMatchObject({
      code: "capability_denied",
    });
    expect(await calls.ask(name, "list", {}, null, NEVER)).toMatchObject({ ok: true });
    expect(familiesOf(permissions)).not.toContain(name);
  },
);

test("a browser has the run's own way out", async () => {
  const asked: CapabilityCaller[] = [];
  const browser = {
    operations: new Map([["act", "writes" as const]]),
    run: async (_: CapabilityRequest, caller: CapabilityCaller) => {
      asked.push(caller);
      return { ok: true as const, value: {} };
    },
  };
  const way = { egress: {} as never, allowedHosts: null, nextBodyId: () => 1 };
  const deps = { capabilities: { browser }, report: () => undefined, way };
  const calls = new CapabilityCalls(
    { ...deps, whileHeld: (work) => work() },
    heldAttempt(),
    ["network"],
    sampleCover(SECRET),
  );
  expect(await calls.ask("browser", "act", { action: "pages" }, null, NEVER)).toMatchObject({ ok: true });
  expect(asked.map((caller) => caller.way)).toEqual([way]);
});
