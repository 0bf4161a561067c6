import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ACT_REQUESTS_BYTES_MAX, ACT_REQUESTS_MAX, UPLOAD_BYTES_MAX } from "../bounds.ts";
import { Forward, isChromiumsOwn } from "./forward.ts";
import { Notes } from "./notes.ts";

test.each([
  ["a page that was opened", { "sec-fetch-site": "none", "sec-fetch-mode": "navigate" }, false],
  ["a page's script", { "sec-fetch-site": "cross-site", "sec-fetch-mode": "cors" }, false],
  ["a page's request in the clear", { accept: "*/*" }, false],
  ["news of Chromium's parts", { "sec-fetch-site": "none", "sec-fetch-mode": "no-cors" }, true],
  ["the same in the clear", { "x-goog-update-appid": "ceofaddefefcbblgcgnibnonglccbfja" }, true],
])("%s is told from what nobody asked for", (_, headers, isOwn) => {
  expect(isChromiumsOwn(headers)).toBe(isOwn);
});

let saidBytes: number;
let ids: number[];
beforeEach(() => {
  [saidBytes, ids] = [0, []];
  vi.spyOn(process.stdout, "write").mockImplementation((frame) => {
    saidBytes += frame.length;
    const [, id] = /"type":"request","id":(\d+)/.exec(frame.slice(0, 64).toString()) ?? [];
    if (id !== undefined) ids.push(Number(id));
    return true;
  });
});
afterEach(() => void vi.restoreAllMocks());

/** A page asks so many times, and is refused by the worker each time that it is told of. */
async function flood(forward: Forward, times: number, body = ""): Promise<void> {
  for (let n = 0; n < times; n += 1) {
    const request = Object.assign(Readable.from([Buffer.from(body)]), {
      method: "POST",
      headers: {},
      rawHeaders: [],
    });
    const response = { on: () => undefined, headersSent: false, socket: { end: () => undefined } };
    await forward.take(
      "https://a.example/",
      request as unknown as IncomingMessage,
      response as unknown as ServerResponse,
    );
    const id = ids.at(-1);
    if (id !== undefined) forward.answer({ type: "refused", id, message: "no" });
  }
}

test("a page that asks without end is refused here, and asks anew in the next action", async () => {
  const notes = new Notes();
  const forward = new Forward(notes);
  forward.open();
  await flood(forward, ACT_REQUESTS_MAX + 3);
  expect(ids).toHaveLength(ACT_REQUESTS_MAX);
  expect(notes.take().refused).toMatchObject({ count: ACT_REQUESTS_MAX + 3 });
  forward.close();
  forward.open();
  await flood(forward, 1);
  expect(ids).toHaveLength(ACT_REQUESTS_MAX + 1);
});

test("a page that sends much again and again is refused before the worker hears too much", async () => {
  const forward = new Forward(new Notes());
  forward.open();
  await flood(forward, 6, "x".repeat(UPLOAD_BYTES_MAX));
  expect(saidBytes).toBeGreaterThan(ACT_REQUESTS_BYTES_MAX);
  expect(ids).toHaveLength(3);
});
