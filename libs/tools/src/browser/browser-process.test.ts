import { PassThrough } from "node:stream";
import type { EgressAnswer, EgressReading, EgressSession, McpLauncher } from "@bulkhead/core";
import { encodeFrame } from "@bulkhead/sandbox/wire";
import { expect, test } from "vitest";
import type { BrowserAction } from "./actions.ts";
import { startBrowser, type BrowserProcess } from "./browser-process.ts";
import type { ToDriver } from "./browser-frames.ts";

const NOTES = { refused: { count: 0, first: [] }, dismissed: { count: 0, first: [] } };
const TEXT: BrowserAction = { action: "text" };
const DONE = {
  type: "done",
  result: {
    action: "text",
    page: "p1",
    url: "https://a.test/",
    title: "",
    text: "hello",
  },
  notes: NOTES,
};
const REQUEST = { type: "request", id: 1, method: "GET", url: "https://a.test/x", headers: [], body: null };

/** A driver that answers each message as the test says. */
async function drivenBy(
  answer: (message: ToDriver, say: (message: unknown) => void, output: PassThrough) => void,
  signal = new AbortController().signal,
) {
  const over = Promise.withResolvers<void>();
  const [input, output] = [new PassThrough(), new PassThrough()];
  let isKilled = false;
  const launched: Parameters<McpLauncher["launch"]>[0][] = [];
  const say = (message: unknown): void => void output.write(encodeFrame(message, 64 * 2 ** 20));
  input.on("data", (chunk: Buffer) => {
    for (let at = 0; at < chunk.length; at += 4 + chunk.readUInt32BE(at))
      answer(
        JSON.parse(chunk.toString("utf8", at + 4, at + 4 + chunk.readUInt32BE(at))) as ToDriver,
        say,
        output,
      );
  });
  const kill = (): void => {
    isKilled = true;
    over.resolve();
  };
  const launcher: McpLauncher = {
    launch: (command) => {
      launched.push(command);
      return Promise.resolve({ input, output, lastWords: "", exitCode: null, ended: over.promise, kill });
    },
  };
  const starting = startBrowser({ launcher, chromium: "/usr/bin/chromium" }, "ten_a", signal);
  return { starting, launched, kill, isKilled: () => isKilled };
}

/** One that is ready at once, and answers an action as the test says. */
async function readyBrowser(
  onAct: (say: (message: unknown) => void, output: PassThrough) => void,
  onMore: (message: ToDriver, say: (message: unknown) => void) => void = () => undefined,
) {
  const driven = await drivenBy((message, say, output) => {
    if (message.type === "start") say({ type: "ready", version: "1.2.3" });
    else if (message.type === "act") onAct(say, output);
    else onMore(message, say);
  });
  return { ...driven, browser: await driven.starting };
}

const session = (
  fetch: (signal: AbortSignal) => Promise<EgressAnswer>,
  read: () => EgressReading = () => ({ ok: false, code: "failed", message: "no" }),
): EgressSession =>
  ({
    fetch: (_: unknown, signal: AbortSignal) => fetch(signal),
    read: () => Promise.resolve(read()),
  }) as never;

const act = (
  browser: BrowserProcess,
  egress: EgressSession | null = null,
  signal = new AbortController().signal,
) => {
  let bodies = 0;
  return browser.act(TEXT, { egress, nextBodyId: () => ++bodies }, signal);
};

test("a browser is launched within its own bounds, sees its program, and says its version", async () => {
  const { browser, launched } = await readyBrowser((say) => say(DONE));
  expect(browser.version).toBe("1.2.3");
  expect(launched).toMatchObject([{ tenantId: "ten_a", size: "browser", env: {} }]);
  expect(launched[0]?.args).toContain("/usr/bin/chromium");
  expect(await act(browser)).toEqual({ ok: true, result: DONE.result, notes: NOTES });
});

test.each<[string, unknown]>([
  ["of no known kind", { type: "hello" }],
  ["with a field too many", { ...DONE, more: 1 }],
  ["with a text over its bound", { ...DONE, result: { ...DONE.result, title: "x".repeat(10_000) } }],
  ["about a page by no id", { ...DONE, result: { ...DONE.result, page: "../p1" } }],
  [
    "that asks with headers without end",
    { ...REQUEST, headers: Array.from({ length: 200 }, () => ["a", "b"]) },
  ],
])("a message %s ends the browser", async (_, message) => {
  const { browser, isKilled } = await readyBrowser((say) => say(message));
  expect(await act(browser)).toMatchObject({
    ok: false,
    code: "ended",
    message: "The browser was ended, since its driver broke its rules.",
  });
  expect(isKilled()).toBe(true);
  expect(await browser.ended).toBe("Its driver broke its rules.");
});

test.each<[string, (output: PassThrough) => void]>([
  ["no JSON", (output) => output.write(Buffer.from("\0\0\0\x04oops"))],
  ["a length over the bound", (output) => output.write(Buffer.from([0x7f, 0xff, 0xff, 0xff]))],
])("%s ends the browser", async (_, write) => {
  const { browser } = await readyBrowser((_say, output) => write(output));
  expect(await act(browser)).toMatchObject({ ok: false, code: "ended" });
});

test("a driver that speaks between actions is ended", async () => {
  const { browser } = await readyBrowser((say) => {
    say(DONE);
    say(REQUEST);
  });
  expect(await act(browser)).toMatchObject({ ok: true });
  expect(await browser.ended).toContain("broke its rules");
  expect(await act(browser)).toMatchObject({ ok: false, code: "ended" });
});

test("a driver that asks for the same request twice, or for more than may be under way, is ended", async () => {
  const never = session(() => new Promise(() => undefined));
  const twice = await readyBrowser((say) => [REQUEST, REQUEST].forEach(say));
  expect(await act(twice.browser, never)).toMatchObject({ code: "ended" });
  const many = await readyBrowser((say) => {
    for (let id = 1; id <= 65; id += 1) say({ ...REQUEST, id });
  });
  expect(await act(many.browser, never)).toMatchObject({ code: "ended" });
});

test("uploads that are under way share a bound", async () => {
  const never = session(() => new Promise(() => undefined));
  const body = Buffer.alloc(7 * 2 ** 20).toString("base64");
  const { browser } = await readyBrowser((say) =>
    [1, 2, 3].forEach((id) => say({ ...REQUEST, method: "POST", body, id })),
  );
  expect(await act(browser, never)).toMatchObject({ code: "ended" });
});

test("an answer comes part by part as it is asked for, and a request without a way is refused", async () => {
  const parts = ["two", "three"];
  const heard: string[] = [];
  const { browser } = await readyBrowser(
    (say) => say(REQUEST),
    (message, say) => {
      if (!("body" in message)) return;
      heard.push(message.body);
      say(message.done ? DONE : { type: "more", id: 1 });
    },
  );
  const part = () =>
    ({ ok: true, body: parts.shift() ?? "", bodyEncoding: "utf8", done: parts.length === 0 }) as const;
  const first = {
    ok: true as const,
    bodyEncoding: "utf8" as const,
    status: 200,
    statusText: "OK",
    headers: [],
    url: REQUEST.url,
    redirected: false,
  };
  expect(
    await act(
      browser,
      session(() => Promise.resolve({ ...first, body: "head ", done: false }), part),
    ),
  ).toMatchObject({ ok: true });
  expect(heard).toEqual(["head ", "two", "three"]);

  const words: string[] = [];
  const offline = await readyBrowser(
    (say) => say(REQUEST),
    (message, say) => {
      if (message.type === "refused") words.push(message.message);
      say(DONE);
    },
  );
  expect(await act(offline.browser)).toMatchObject({ ok: true });
  expect(words).toEqual(["this browser has no network"]);
});

test("what is under way ends with its action", async () => {
  const aborted = Promise.withResolvers<void>();
  const { browser } = await readyBrowser((say) => [REQUEST, DONE].forEach(say));
  const waits = session((signal) => {
    signal.addEventListener("abort", () => aborted.resolve());
    return new Promise(() => undefined);
  });
  expect(await act(browser, waits)).toMatchObject({ ok: true });
  await aborted.promise;
});

test("a call that is aborted ends its browser, also one that was aborted before", async () => {
  for (const isEarly of [true, false]) {
    const controller = new AbortController();
    if (isEarly) controller.abort();
    const { browser, isKilled } = await readyBrowser(() => controller.abort());
    expect(await act(browser, null, controller.signal)).toMatchObject({ ok: false, code: "ended" });
    expect(isKilled()).toBe(true);
  }
});

test("a driver that ends before it is ready is no browser", async () => {
  const { starting, kill } = await drivenBy(() => kill());
  await expect(starting).rejects.toThrow(/^The browser did not start: /);
});

test("a start that nobody waits for any more ends at once, also where that is so from the beginning", async () => {
  for (const isEarly of [true, false]) {
    const gone = new AbortController();
    if (isEarly) gone.abort();
    const { starting, isKilled } = await drivenBy(() => gone.abort(), gone.signal);
    await expect(starting).rejects.toThrow(/^The browser did not start: Nobody waits/);
    expect(isKilled()).toBe(true);
  }
});

test("one that can't be launched says why", async () => {
  const launcher = { launch: () => Promise.reject(new Error("perl is not installed")) };
  const { signal } = new AbortController();
  await expect(startBrowser({ launcher, chromium: "/x" }, "ten_a", signal)).rejects.toThrow(
    "The browser can't be started here: perl is not installed",
  );
});
