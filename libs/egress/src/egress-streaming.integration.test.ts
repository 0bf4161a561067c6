import type { ServerResponse } from "node:http";
import { until } from "@bulkhead/testing";
import { afterEach, describe, expect, it } from "vitest";
import { FIRST_PART_BYTES_MAX, PART_BYTES_MAX } from "./bounds.ts";
import { get, LocalOrigins, never } from "./local-origins.ts";

const origins = new LocalOrigins();
afterEach(() => origins.close());
const open = (limits = {}) => origins.openSession(limits).session;

/** A server that waits for its answer to be written. */
async function serveByHand(): Promise<{ url: string; asked: Promise<ServerResponse>; gone: () => boolean }> {
  const { promise: asked, resolve } = Promise.withResolvers<ServerResponse>();
  let gone = false;
  const url = await origins.serve((_, response) => {
    response.on("close", () => (gone = true)).flushHeaders();
    resolve(response);
  });
  return { url, asked, gone: () => gone };
}

describe("a response", () => {
  it("that is short comes whole with its head", async () => {
    const url = await origins.serve((_, response) => response.end("short"));
    const session = open();
    expect(await session.fetch(get(url), never, 1)).toMatchObject({ body: "short", done: true });
    expect(await session.read(1, never)).toMatchObject({ ok: false, code: "invalid_request" });
  });

  it("is there at its head, and its parts as they come", async () => {
    const { url, asked } = await serveByHand();
    const session = open();
    const answer = session.fetch(get(url), never, 7);
    const response = await asked;
    expect(await answer).toMatchObject({ ok: true, status: 200, body: "", done: false });
    response.write("one");
    expect(await session.read(7, never)).toEqual({
      ok: true,
      body: "one",
      bodyEncoding: "utf8",
      done: false,
    });
    response.end("two");
    let text = "";
    for (let done = false; !done;) {
      const part = await session.read(7, never);
      if (!part.ok) throw new Error(part.message);
      text += part.body;
      ({ done } = part);
    }
    expect(text).toBe("two");
  });

  it("that is long comes in bounded parts, and text stays text wherever it is cut", async () => {
    const text = "größe 𝄞 → ".repeat(100_000);
    const url = await origins.serve((_, response) => response.end(text));
    const session = open({ bytesIn: 10_000_000 });
    const first = await session.fetch(get(url), never, 1);
    if (!first.ok) throw new Error(first.message);
    expect(Buffer.byteLength(first.body)).toBeLessThanOrEqual(FIRST_PART_BYTES_MAX);
    let whole = first.body;
    for (let { done } = first; !done;) {
      const part = await session.read(1, never);
      if (!part.ok) throw new Error(part.message);
      expect(part.bodyEncoding).toBe("utf8");
      expect(Buffer.byteLength(part.body)).toBeLessThanOrEqual(PART_BYTES_MAX);
      whole += part.body;
      ({ done } = part);
    }
    expect(whole === text).toBe(true);
  });

  it("that nobody reads is held back at its sender", async () => {
    const size = 200_000_000;
    let written = 0;
    const url = await origins.serve((_, response) => {
      const chunk = Buffer.alloc(1_000_000);
      const more = (): void => {
        while (written < size && response.write(chunk)) written += chunk.length;
        response.once("drain", more);
      };
      more();
    });
    const session = open({ bytesIn: 2 * size });
    await session.fetch(get(url), never, 1);
    for (let i = 0; i < 20; i += 1) await session.read(1, never);
    // Twenty parts, and what the sockets of both sides hold.
    expect(written).toBeLessThan(60_000_000);
  });
});

describe("a body that breaks", () => {
  it.each([
    ["in the middle", (response: ServerResponse) => response.destroy(), "failed"],
    ["by the limit of bytes", (response: ServerResponse) => response.end("x".repeat(200)), "network_limit"],
  ])("%s is told by a read, after what had come, and stays broken", async (_, end, code) => {
    const { url, asked } = await serveByHand();
    const session = open({ bytesIn: 100 });
    const answer = session.fetch(get(url), never, 1);
    const response = await asked;
    response.write("abc");
    let text = "";
    const first = await answer;
    if (!first.ok) throw new Error(first.message);
    text += first.body;
    if (text === "") text += await session.read(1, never).then((part) => (part.ok ? part.body : part.code));
    end(response);
    expect(text).toBe("abc");
    expect(await session.read(1, never)).toMatchObject({ ok: false, code });
    expect(await session.read(1, never)).toMatchObject({ ok: false, code });
  });

  it("is read once at a time", async () => {
    const { url, asked } = await serveByHand();
    const session = open();
    const answer = session.fetch(get(url), never, 1);
    const response = await asked;
    await answer;
    const reading = session.read(1, never);
    expect(await session.read(1, never)).toMatchObject({ code: "invalid_request" });
    response.end("x");
    expect(await reading).toMatchObject({ ok: true, body: "x" });
  });
});

describe("a body that is given up", () => {
  it.each<[string, (stop: AbortController, session: ReturnType<typeof open>) => void]>([
    ["by the signal of its fetch", (stop) => stop.abort()],
    ["by the end of the run", (_, session) => session.close()],
  ])("%s, while it is read, ends the read and the connection", async (_, end) => {
    const { url, asked, gone } = await serveByHand();
    const session = open();
    const stop = new AbortController();
    const answer = session.fetch(get(url), stop.signal, 1);
    await asked;
    await answer;
    const reading = session.read(1, never);
    end(stop, session);
    expect(await reading).toMatchObject({ ok: false, code: "aborted" });
    await until(gone, { what: "the server saw the connection end" });
  });

  it.each<[string, (stop: AbortController, session: ReturnType<typeof open>) => void]>([
    ["by the signal of its fetch", (stop) => stop.abort()],
    ["by the end of the run", (_, session) => session.close()],
  ])("%s, while nobody reads, ends the connection", async (_, end) => {
    const { url, asked, gone } = await serveByHand();
    const session = open();
    const stop = new AbortController();
    const answer = session.fetch(get(url), stop.signal, 1);
    await asked;
    await answer;
    end(stop, session);
    await until(gone, { what: "the server saw the connection end" });
    expect(await session.read(1, never)).toMatchObject({ ok: false });
  });
});
