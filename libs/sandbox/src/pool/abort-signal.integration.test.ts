import { leakCheck } from "@bulkhead/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSandboxPool, type SandboxPool } from "./sandbox-pool.ts";
import { runQuietly, toolRun } from "./testing/tool-runs.ts";

leakCheck();
let pool: SandboxPool;
beforeAll(() => {
  pool = openSandboxPool({ processesMax: 1, blankTarget: 1 });
});
afterAll(() => pool.close());

const START = `const controller = new AbortController(); const { signal } = controller; const log = [];
  const say = (text) => () => log.push(text); const hear = (text) => signal.addEventListener("abort", say(text));`;

async function loggedBy(code: string): Promise<unknown> {
  const verdict = await runQuietly(pool, toolRun(`${START} ${code}; return log`));
  expect(verdict, JSON.stringify(verdict)).toMatchObject({ outcome: "returned" });
  return verdict.outcome === "returned" ? JSON.parse(verdict.json) : undefined;
}

// Node keeps the place of a handler that was null meanwhile, and tells a Request's signal first: the standards do not.
describe("onabort", () => {
  it.each<[string, string, unknown[]]>([
    [
      "has its place where it was first set",
      'hear("1"); signal.onabort = say("old"); hear("2"); signal.onabort = say("on"); controller.abort()',
      ["1", "on", "2"],
    ],
    [
      "gives its place up when it becomes null",
      'signal.onabort = say("on"); signal.onabort = null; hear("1"); log.push(signal.onabort); signal.onabort = say("last"); controller.abort()',
      [null, "1", "last"],
    ],
    [
      "is a handler apart from a listener that is the same function",
      'const f = say("f"); signal.onabort = f; signal.addEventListener("abort", f); signal.removeEventListener("abort", f); controller.abort()',
      ["f"],
    ],
    [
      "is called with the event, as a method of the signal, once",
      "signal.onabort = function (e) { log.push(this === signal, e.type, e.target === signal) }; controller.abort(); controller.abort()",
      [true, "abort", true],
    ],
    [
      "is null for what is no object, and what is no function is never called",
      "signal.onabort = 5; log.push(signal.onabort); signal.onabort = {}; log.push(signal.onabort); controller.abort()",
      [null, {}],
    ],
    [
      "is not called once a listener before it took it away",
      'signal.addEventListener("abort", () => { signal.onabort = null }); signal.onabort = say("on"); controller.abort()',
      [],
    ],
    [
      "that throws stops no listener",
      'signal.onabort = () => { throw new Error("mine") }; hear("1"); controller.abort()',
      ["1"],
    ],
  ])("%s", async (_, code, expected) => {
    expect(await loggedBy(code)).toEqual(expected);
  });
});

describe("the reason", () => {
  it.each<[string, string, unknown[]]>([
    ["is undefined before", "log.push(signal.reason === undefined)", [true]],
    ["is what was given, null and 0 too", "controller.abort(null); log.push(signal.reason)", [null]],
    [
      "is an AbortError where none was given",
      "controller.abort(); log.push(signal.reason.name)",
      ["AbortError"],
    ],
    ["is the first one's", 'controller.abort(1); controller.abort("again"); log.push(signal.reason)', [1]],
    [
      "of a signal that is made aborted is kept too",
      "log.push(AbortSignal.abort(0).reason, AbortSignal.abort().reason.name)",
      [0, "AbortError"],
    ],
    [
      "is what is thrown",
      "const why = {}; controller.abort(why); try { signal.throwIfAborted() } catch (e) { log.push(e === why) }",
      [true],
    ],
  ])("%s", async (_, code, expected) => {
    expect(await loggedBy(code)).toEqual(expected);
  });
});

describe("a signal that depends on another", () => {
  const STATE = "signal.aborted, any.aborted, last.reason";
  it.each<[string, string, unknown[]]>([
    [
      "is aborted before anybody is told, and told after it",
      `const any = AbortSignal.any([signal]); const last = AbortSignal.any([any]);
        const tell = (text) => () => log.push([text, ${STATE}]);
        last.onabort = tell("last"); any.onabort = tell("any"); signal.onabort = tell("own"); controller.abort("why")`,
      [
        ["own", true, true, "why"],
        ["any", true, true, "why"],
        ["last", true, true, "why"],
      ],
    ],
    [
      "may be a Request's",
      `const request = new Request("https://a.example", { signal }); const other = request.clone().signal;
        other.onabort = say("clone's"); request.signal.onabort = say("request's"); hear("own"); controller.abort("why");
        log.push(request.signal.reason, other.reason)`,
      ["own", "request's", "clone's", "why", "why"],
    ],
    [
      "fires with the first of several, once",
      `const second = new AbortController(); const any = AbortSignal.any([signal, second.signal, signal]);
        any.onabort = () => log.push(any.reason); second.abort("second"); controller.abort("first")`,
      ["second"],
    ],
    [
      "is aborted at once where one of several is, for the reason of the first such",
      "const any = AbortSignal.any([signal, AbortSignal.abort(1), AbortSignal.abort(2)]); log.push(any.aborted, any.reason)",
      [true, 1],
    ],
    ["of none never is", "log.push(AbortSignal.any([AbortSignal.any([])]).aborted)", [false]],
  ])("%s", async (_, code, expected) => {
    expect(await loggedBy(code)).toEqual(expected);
  });
});
