import type { SandboxVerdict } from "@bulkhead/core";
import { leakCheck } from "@bulkhead/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSandboxPool, type SandboxPool } from "./sandbox-pool.ts";
import { ONE_ISOLATE, toolRun } from "./testing/tool-runs.ts";
import { refused, Upstream } from "./testing/upstream.ts";

leakCheck();
let pool: SandboxPool;
beforeAll(() => {
  pool = openSandboxPool({ processesMax: 2, blankTarget: 0 });
});
afterAll(() => pool.close());

const run = (code: string, upstream: Upstream): Promise<SandboxVerdict> =>
  pool.run(toolRun(code, { network: true, ...ONE_ISOLATE }), upstream.heard, new AbortController().signal);
const valueOf = async (code: string, upstream: Upstream): Promise<unknown> => {
  const verdict = await run(code, upstream);
  expect(verdict, JSON.stringify(verdict)).toMatchObject({ outcome: "returned" });
  return verdict.outcome === "returned" ? JSON.parse(verdict.json) : undefined;
};

describe("a response", () => {
  it("has what the worker said of it", async () => {
    const upstream = new Upstream(['{"x":[1]}'], {
      status: 201,
      statusText: "Created",
      headers: [
        ["content-type", "application/json"],
        ["set-cookie", "a=1, 2"],
        ["set-cookie", "b=2"],
      ],
      redirected: true,
    });
    const code = `const r = await fetch(new URL("https://a.example/p"), { method: "post", body: "b" });
      return [r.ok, r.status, r.statusText, r.url, r.redirected, r.type, r.headers.get("Content-Type"), r.headers.getSetCookie(),
        r instanceof Response, r.bodyUsed, await r.json(), r.bodyUsed]`;
    expect(await valueOf(code, upstream)).toEqual([
      true,
      201,
      "Created",
      "https://a.example/p",
      true,
      "basic",
      "application/json",
      ["a=1, 2", "b=2"],
      true,
      false,
      { x: [1] },
      true,
    ]);
    expect(upstream.asked[0]).toEqual({
      url: "https://a.example/p",
      method: "POST",
      headers: [["content-type", "text/plain;charset=UTF-8"]],
      body: "b",
      bodyEncoding: "utf8",
      redirect: "follow",
    });
    expect(upstream.reads).toBe(0);
  });

  const PARTS = [
    "größ",
    Buffer.from("e ⭐"),
    Buffer.from("⭐").subarray(0, 2),
    Buffer.from("⭐").subarray(2),
    "!",
  ];
  const WHOLE = "größe ⭐⭐!";
  it.each<[string, string, unknown]>([
    ["text", "await r.text()", WHOLE],
    ["bytes", "new TextDecoder().decode(await r.bytes())", WHOLE],
    ["a buffer", "new TextDecoder().decode(await r.arrayBuffer())", WHOLE],
    ["a blob", "await (await r.blob()).text()", WHOLE],
    [
      "a stream",
      `await (async () => {
        const decoder = new TextDecoder(); let text = "";
        for await (const chunk of r.body) text += decoder.decode(chunk, { stream: true });
        return text + decoder.decode() })()`,
      WHOLE,
    ],
    [
      "two copies",
      `await (async () => { const other = r.clone(); return [await other.text(), await r.text()].join("|") })()`,
      `${WHOLE}|${WHOLE}`,
    ],
    [
      "two branches of its stream",
      `(await Promise.all(r.body.tee().map((half) => new Response(half).text()))).join("|")`,
      `${WHOLE}|${WHOLE}`,
    ],
  ])("in parts is read as %s", async (_, expression, expected) => {
    const upstream = new Upstream(PARTS);
    expect(await valueOf(`const r = await fetch("https://a.example"); return ${expression}`, upstream)).toBe(
      expected,
    );
    expect(upstream.reads).toBe(4);
  });

  it("is asked for no more than is read, and given up when its reader cancels", async () => {
    const upstream = new Upstream(["one", "two", "three", "four"]);
    const code = `const r = await fetch("https://a.example"); const reader = r.body.getReader();
      const text = (chunk) => new TextDecoder().decode(chunk.value);
      const read = [text(await reader.read()), text(await reader.read())];
      await reader.cancel();
      return [...read, (await reader.read()).done, r.bodyUsed]`;
    expect(await valueOf(code, upstream)).toEqual(["one", "two", true, true]);
    expect(upstream.reads).toBe(1);
  });

  it("is asked for no more when a loop over it is left", async () => {
    const upstream = new Upstream(["one", "two", "three"]);
    const code = `const r = await fetch("https://a.example"); let count = 0;
      for await (const chunk of r.body) { count += chunk.length; break }
      return [count, r.body.locked]`;
    expect(await valueOf(code, upstream)).toEqual([3, false]);
    expect(upstream.reads).toBe(0);
  });

  it("can be read once", async () => {
    const code = `const r = await fetch("https://a.example"); await r.text(); const faults = [];
      for (const again of [() => r.text(), () => r.json(), () => r.clone(), () => r.body.getReader()])
        try { await again() } catch (error) { faults.push(error instanceof TypeError ? "TypeError" : error) }
      return faults`;
    expect(await valueOf(code, new Upstream(["x"]))).toEqual([
      "TypeError",
      "TypeError",
      "TypeError",
      "TypeError",
    ]);
  });

  it.each([204, 304])("with status %i has no body", async (status) => {
    const code = `const r = await fetch("https://a.example"); return [r.body, await r.text(), r.bodyUsed]`;
    expect(await valueOf(code, new Upstream([""], { status }))).toEqual([null, "", false]);
  });

  it("has headers that can't be changed", async () => {
    const code = `const r = await fetch("https://a.example"); r.headers.set("a", "b")`;
    expect(await run(code, new Upstream([""]))).toMatchObject({
      outcome: "threw",
      message: expect.stringMatching(/^TypeError/),
    });
  });

  it("that breaks in the middle rejects its reader with a code, after what had come", async () => {
    const upstream = new Upstream(["one", "two", refused("failed", "it broke")]);
    const code = `const r = await fetch("https://a.example"); let text = "";
      try { for await (const chunk of r.body) text += new TextDecoder().decode(chunk) } catch (e) {
        return [text, e instanceof TypeError, e.code, e.message] }`;
    expect(await valueOf(code, upstream)).toEqual(["onetwo", true, "failed", "it broke"]);
    const escaped = `await (await fetch("https://a.example")).text()`;
    const limit = new Upstream(["one", refused("network_limit", "too much")]);
    expect(await run(escaped, limit)).toMatchObject({ outcome: "threw", code: "network_limit" });
  });
});

describe("a refusal", () => {
  it("rejects with a code, which the verdict has when the tool lets it through", async () => {
    const denied = () => new Upstream([refused("egress_denied", "not from here")]);
    const caught = `try { await fetch("https://a.example") } catch (e) { return [e instanceof TypeError, e.code] }`;
    expect(await valueOf(caught, denied())).toEqual([true, "egress_denied"]);
    expect(await run(`await fetch("https://a.example")`, denied())).toMatchObject({
      outcome: "threw",
      code: "egress_denied",
      message: expect.stringContaining("not from here"),
    });
  });

  it("is told with the others where a tool tries many places and none answers", async () => {
    const code = `return Promise.any([fetch("https://a.example"), (async () => { throw new RangeError("mine") })()])`;
    const verdict = await run(code, new Upstream([refused("egress_denied", "not from here")]));
    expect(verdict).toMatchObject({
      outcome: "threw",
      message: expect.stringMatching(
        /^AggregateError: All promises were rejected \[TypeError: not from here \(tool\.js:1:\d+\); RangeError: mine \(tool\.js:1:\d+\)\]/,
      ),
    });
  });

  it("can't be forged by a tool", async () => {
    const code = "throw Object.assign(new Error('x'), { code: 'egress_denied' })";
    const verdict = await run(code, new Upstream([]));
    expect(verdict).toMatchObject({ outcome: "threw" });
    expect(verdict).not.toHaveProperty("code");
  });
});

describe("a signal", () => {
  it.each([
    ["before", `controller.abort(); await fetch("https://a.example", { signal })`, 0],
    [
      "while the request waits",
      `const r = fetch("https://a.example", { signal }); controller.abort(); await r`,
      1,
    ],
    [
      "while its body waits to be read",
      `const r = await fetch("https://a.example", { signal }); controller.abort(); await r.text()`,
      1,
    ],
    [
      "while its body is read",
      `const r = await fetch("https://a.example", { signal }); const t = r.text(); await null; controller.abort(); await t`,
      1,
    ],
    [
      "of a Request",
      `const q = new Request("https://a.example", { signal }); controller.abort(); await fetch(q)`,
      0,
    ],
  ])("that fires %s ends it with an AbortError", async (_, code, asked) => {
    const upstream = new Upstream(["one", "two"]);
    const whole = `const controller = new AbortController(); const { signal } = controller;
      try { ${code}; return "no error" } catch (e) { return [e.name, e instanceof Error, e === signal.reason] }`;
    expect(await valueOf(whole, upstream)).toEqual(["AbortError", true, true]);
    expect(upstream.asked).toHaveLength(asked);
  });

  it("gives its own reason, and a timeout's is a TimeoutError", async () => {
    const code = `const names = [];
      for (const signal of [AbortSignal.abort("mine"), AbortSignal.timeout(1), AbortSignal.any([AbortSignal.timeout(1)])]) {
        if (!signal.aborted) await new Promise((resolve) => signal.addEventListener("abort", resolve));
        await fetch("https://a.example", { signal }).catch((e) => names.push(e.name ?? e));
      }
      return names`;
    expect(await valueOf(code, new Upstream([]))).toEqual(["mine", "TimeoutError", "TimeoutError"]);
  });
});
