import type { AskCapability, JsonObject, ProvidedCall } from "@bulkhead/core";
import { expect, test } from "vitest";
import { SHOWN_BYTES_MAX } from "./bounds.ts";
import { drawCanvas, type CanvasDeps } from "./run.ts";

const BYTES = Buffer.from("picture");
const DRAWN = { outcome: "drawn", bytes: BYTES, width: 4, height: 3, notLoaded: [] } as const;
type Drawing = Awaited<ReturnType<NonNullable<CanvasDeps["browser"]>["run"]>>;

interface How {
  drawing?: Drawing;
  hasBrowser?: boolean;
  file?: string | Uint8Array;
}

/** Draws with these arguments; tells what was drawn and what was asked of the workspace, too. */
async function draw(args: JsonObject, { drawing = DRAWN, hasBrowser = false, file = "" }: How = {}) {
  const drawn: object[] = [];
  const asked: unknown[][] = [];
  const drawer = <D>(answer: D) => ({ run: (job: object) => Promise.resolve((drawn.push(job), answer)) });
  const ask: AskCapability = (family, operation, what, content) => {
    asked.push([family, operation, what, content]);
    return Promise.resolve({ ok: true, value: { path: "a.png", size: 7 }, content: file });
  };
  const cover = (text: string) => Promise.resolve(text.replaceAll("hunter2", "[REDACTED]"));
  const call = { tenantId: "ten_a", ask, cover, signal: new AbortController().signal };
  const deps = {
    svg: drawer(drawing.outcome === "absent" ? DRAWN : drawing),
    browser: hasBrowser ? drawer(drawing) : null,
  };
  const answer = await drawCanvas(deps, args, call as unknown as ProvidedCall);
  return { answer, drawn, asked };
}
const image = (mimeType: string, more: object) => ({
  ok: true,
  value: {
    $bulkhead: "content",
    content: [
      { type: "image", data: BYTES.toString("base64"), mimeType },
      { type: "json", json: { width: 4, height: 3, bytes: 7, ...more } },
    ],
  },
});

test("an SVG is drawn by resvg where there is no browser, and by Chromium where there is one", async () => {
  const { answer, drawn } = await draw({ svg: "<svg/>", width: 8, background: "#fff" });
  expect(answer).toEqual(image("image/png", { engine: "resvg", format: "png" }));
  expect(drawn).toEqual([{ svg: "<svg/>", width: 8, height: undefined, scale: 1, background: "#fff" }]);
  const notLoaded = ["https://a.example/"];
  const there = { hasBrowser: true, drawing: { ...DRAWN, notLoaded } };
  const page = await draw({ html: "<p>x", scale: 2, format: "jpeg" }, there);
  expect(page.answer).toEqual(image("image/jpeg", { engine: "chromium", format: "jpeg", notLoaded }));
  const asked = { width: undefined, height: undefined, scale: 2, background: null };
  expect(page.drawn).toEqual([
    { tenantId: "ten_a", drawing: { kind: "html", source: "<p>x", format: "jpeg", ...asked } },
  ]);
});

test("an SVG is drawn by resvg where a browser can't be had, and what takes one says why", async () => {
  const absent = { hasBrowser: true, drawing: { outcome: "absent", why: "No root of its own." } } as const;
  const { answer, drawn } = await draw({ svg: "<svg/>" }, absent);
  expect(answer).toEqual(image("image/png", { engine: "resvg", format: "png" }));
  expect(drawn).toHaveLength(2);
  for (const args of [{ html: "<p>" }, { svg: "<svg/>", format: "jpeg" }])
    expect((await draw(args, absent)).answer).toEqual({
      ok: false,
      code: "tool_failed",
      message: "canvas could not draw it: No root of its own.",
    });
});

test("secrets are covered before anything is drawn, and the answer says so", async () => {
  const { answer, drawn } = await draw({ svg: "<svg>hunter2</svg>" });
  expect(drawn).toMatchObject([{ svg: "<svg>[REDACTED]</svg>" }]);
  expect(answer).toEqual(image("image/png", { engine: "resvg", format: "png", covered: true }));
  const of = await draw({ path: "a.svg" }, { file: "<svg>hunter2</svg>" });
  expect(of.drawn).toMatchObject([{ svg: "<svg>[REDACTED]</svg>" }]);
});

test("what is saved is a file of the workspace, whose name says its format", async () => {
  const { answer, asked } = await draw({ svg: "<svg/>", saveAs: "a.png" });
  expect(asked).toEqual([["files", "write", { path: "a.png" }, BYTES]]);
  expect(answer).toMatchObject({ ok: true, value: { path: "a.png", size: 7, width: 4, engine: "resvg" } });
  const jpeg = await draw({ svg: "<svg/>", saveAs: "b.JPG" }, { hasBrowser: true });
  expect(jpeg.answer).toMatchObject({ ok: true, value: { format: "jpeg" } });
});

const large = { ...DRAWN, bytes: Buffer.alloc(SHOWN_BYTES_MAX + 1) };
test.each([
  [{}, {}, "invalid_request", /exactly one/],
  [{ svg: "a", html: "b" }, {}, "invalid_request", /exactly one/],
  [{ html: "<p>" }, {}, "tool_failed", /this worker has none: give an SVG/],
  [{ svg: "a", format: "jpeg" }, {}, "tool_failed", /ask for png/],
  [{ svg: "a", saveAs: "a.gif" }, {}, "invalid_request", /end with \.png, \.jpg or \.jpeg/],
  [{ svg: "a", saveAs: "a.png", format: "jpeg" }, {}, "invalid_request", /end with \.jpg/],
  [{ path: "a.md" }, {}, "invalid_request", /\.svg, \.html or \.htm/],
  [{ path: "a.html" }, { file: Buffer.from([0xe9]) }, "invalid_request", /a\.html is no text in UTF-8\.$/],
  [{ path: "a.svg" }, { file: "x".repeat(1_048_577) }, "capability_limit", /1048576 characters/],
  [{ svg: "a" }, { drawing: large }, "capability_limit", /give saveAs/],
  [
    { svg: "a" },
    { drawing: { outcome: "refused", code: "failed", why: "It took long." } },
    "failed",
    /It took long\.$/,
  ],
  [{ svg: "a" }, { drawing: { outcome: "overran" } }, "tool_failed", /too much time/],
  [{ svg: "a" }, { drawing: { outcome: "died" } }, "tool_failed", /too much memory/],
  [{ svg: "a" }, { drawing: { outcome: "crowded" } }, "tool_failed", /too many pictures wait/],
  [{ svg: "a" }, { drawing: { outcome: "unavailable" } }, "tool_failed", /try again/],
  [{ svg: "a" }, { drawing: { outcome: "aborted" } }, "aborted", /given up/],
] as [JsonObject, How, string, RegExp][])(
  "%j is refused by a code, in words: %#",
  async (args, how, code, message) => {
    const { answer } = await draw(args, how);
    expect(answer).toEqual({ ok: false, code, message: expect.stringMatching(message) });
    expect(answer).toMatchObject({ message: expect.stringMatching(/^canvas could not draw it: /) });
  },
);
