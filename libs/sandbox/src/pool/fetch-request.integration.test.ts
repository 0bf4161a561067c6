import type { SandboxVerdict } from "@bulkhead/core";
import { leakCheck } from "@bulkhead/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSandboxPool, type SandboxPool } from "./sandbox-pool.ts";
import { toolRun } from "./testing/tool-runs.ts";
import { Upstream } from "./testing/upstream.ts";

leakCheck();
let pool: SandboxPool;
beforeAll(() => {
  pool = openSandboxPool({ processesMax: 2, blankTarget: 0 });
});
afterAll(() => pool.close());

const run = (code: string, upstream: Upstream, limits = {}): Promise<SandboxVerdict> =>
  pool.run(toolRun(code, { network: true }, limits), upstream.heard, new AbortController().signal);
const valueOf = async (code: string, upstream: Upstream): Promise<unknown> => {
  const verdict = await run(code, upstream);
  expect(verdict, JSON.stringify(verdict)).toMatchObject({ outcome: "returned" });
  return verdict.outcome === "returned" ? JSON.parse(verdict.json) : undefined;
};

describe("a request", () => {
  const sent = async (code: string): Promise<Upstream["asked"][number] | undefined> => {
    const upstream = new Upstream(["ok"]);
    await valueOf(`${code}; return 1`, upstream);
    return upstream.asked[0];
  };

  it.each<[string, string, object]>([
    [
      "a Request",
      `await fetch(new Request("https://a.example", { method: "PUT", body: "x", headers: { a: "b" } }))`,
      {
        method: "PUT",
        body: "x",
        headers: [
          ["a", "b"],
          ["content-type", "text/plain;charset=UTF-8"],
        ],
      },
    ],
    [
      "a Request and changes",
      `await fetch(new Request("https://a.example", { redirect: "manual" }), { method: "delete", headers: { c: "d" } })`,
      {
        method: "DELETE",
        redirect: "manual",
        headers: [["c", "d"]],
      },
    ],
    [
      "search parameters",
      `await fetch("https://a.example", { method: "POST", body: new URLSearchParams({ a: "ä b" }) })`,
      {
        body: "a=%C3%A4+b",
        headers: [["content-type", "application/x-www-form-urlencoded;charset=UTF-8"]],
      },
    ],
    [
      "bytes",
      `await fetch("https://a.example", { method: "POST", body: new Uint8Array([0, 255]) })`,
      {
        body: "AP8=",
        bodyEncoding: "base64",
        headers: [],
      },
    ],
    [
      "a blob",
      `await fetch("https://a.example", { method: "POST", body: new Blob(["a", new Uint8Array([98])], { type: "text/X" }) })`,
      {
        body: "YWI=",
        headers: [["content-type", "text/x"]],
      },
    ],
    [
      "a stream, collected",
      `await fetch("https://a.example", { method: "POST", duplex: "half",
        body: ReadableStream.from([new Uint8Array([97]), new Uint8Array([98])]) })`,
      { body: "YWI=", headers: [] },
    ],
    [
      "a lone surrogate as its replacement",
      `await fetch("https://a.example", { method: "POST", body: "\\ud800" })`,
      {
        body: "\ufffd",
      },
    ],
  ])("can be made of %s", async (_, code, expected) => {
    expect(await sent(code)).toMatchObject(expected);
  });

  it("with a form carries its fields and files", async () => {
    const request =
      await sent(`const form = new FormData(); form.append("a", "1\\n2"); form.append("f", new Blob(["xyz"], { type: "text/csv" }), 'n"1.csv');
      await fetch("https://a.example", { method: "POST", body: form })`);
    const type = request?.headers[0]?.[1] ?? "";
    const boundary = /^multipart\/form-data; boundary=(\S+)$/.exec(type)?.[1];
    expect(Buffer.from(request?.body ?? "", "base64").toString()).toBe(
      [
        `--${boundary}`,
        'Content-Disposition: form-data; name="a"',
        "",
        "1\r\n2",
        `--${boundary}`,
        'Content-Disposition: form-data; name="f"; filename="n%221.csv"',
        "Content-Type: text/csv",
        "",
        "xyz",
        `--${boundary}--`,
        "",
      ].join("\r\n"),
    );
  });

  it.each([
    ["a relative URL", `fetch("/path")`],
    ["credentials in a Request's URL", `(async () => fetch(new Request("https://u:p@a.example")))()`],
    ["a body with GET", `fetch("https://a.example", { body: "x" })`],
    ["the method TRACE", `fetch("https://a.example", { method: "trace" })`],
    ["a method with a line break", `fetch("https://a.example", { method: "GET\\r\\nX: y" })`],
    ["a line break in a header", `fetch("https://a.example", { headers: { a: "b\\r\\nHost: c" } })`],
    ["a header beyond Latin-1", `fetch("https://a.example", { headers: { a: "→" } })`],
    ["an unknown redirect mode", `fetch("https://a.example", { redirect: "maybe" })`],
    ["something else as its signal", `fetch("https://a.example", { signal: {} })`],
    [
      "a stream that was read",
      `(() => { const s = ReadableStream.from([]); s.getReader(); return fetch("https://a.example", { method: "POST", body: s }) })()`,
    ],
  ])("with %s is a TypeError that is never sent", async (_, expression) => {
    const upstream = new Upstream(["x"]);
    const code = `let promise; try { promise = ${expression} } catch { return "threw at once" }
      return promise.then(() => "sent", (error) => error.constructor === TypeError)`;
    expect(await valueOf(code, upstream)).toBe(true);
    expect(upstream.asked).toEqual([]);
  });

  it("with a body over the limit is refused before it leaves the sandbox", async () => {
    const upstream = new Upstream(["x"]);
    const code = `try { await fetch("https://a.example", { method: "POST", body: "\\u0001".repeat(3000) }) } catch (e) { return e.code }`;
    expect(await run(code, upstream, { bytesOut: 2_000 })).toMatchObject({ json: '"network_limit"' });
    expect(upstream.asked).toEqual([]);
  });
});
