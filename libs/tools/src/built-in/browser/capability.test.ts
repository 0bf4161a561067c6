import type { CapabilityCaller, JsonObject } from "@bulkhead/core";
import { expect, test } from "vitest";
import type { BrowserAction } from "../../browser/actions.ts";
import { CONTENT_BYTES_MAX } from "../../browser/action-bounds.ts";
import { SHOWN_BYTES_MAX } from "./bounds.ts";
import { openBrowser } from "./capability.ts";
import { BROWSER_PARAMETERS } from "./schema.ts";

const NEVER = new AbortController().signal;
const NOTES = { refused: { count: 0, first: [] }, dismissed: { count: 0, first: [] } };
const WAY = { egress: {} as never, allowedHosts: null, nextBodyId: () => 1 };

/** Of a tenant that is there or goes, and what its browser was asked. */
function family(tenant: object | null = {}, way: CapabilityCaller["way"] = WAY) {
  const asked: BrowserAction[] = [];
  const ended: string[] = [];
  const opened = openBrowser({
    tenants: { find: async () => tenant as never },
    browsers: {
      act: async (_asker, action) => {
        asked.push(action);
        return { ok: true, result: { action: "pages", pages: [] }, notes: NOTES };
      },
      endTenant: (tenantId) => void ended.push(tenantId),
    },
  });
  const caller = { tenantId: "ten_a", agentId: "one", userId: "ann", way } as CapabilityCaller;
  const act = (args: JsonObject) =>
    opened.run({ operation: "act", arguments: args, content: null }, caller, NEVER);
  return { asked, ended, act };
}

/** Each action with all that it takes. */
const ALL: readonly JsonObject[] = [
  { action: "open", url: "https://a.example/", page: "new" },
  { action: "snapshot", startChar: 0, maxChars: 100_000 },
  { action: "click", ref: "f1e3", double: true, button: "right" },
  { action: "type", ref: "e1", text: "x".repeat(16_384), submit: true, slowly: false },
  { action: "press", key: "Control+a" },
  { action: "select", ref: "e1", values: ["a"] },
  { action: "scroll", direction: "up", pixels: 20_000, ref: "e1" },
  { action: "back" },
  { action: "wait", text: "a", ms: 10_000 },
  { action: "text", ref: "e1", startChar: 5 },
  { action: "screenshot", fullPage: true, format: "jpeg" },
  { action: "pdf", saves: true },
  { action: "pages" },
  { action: "close", page: "p8" },
];

test("it takes each action that the schema names, and with it what the schema says", async () => {
  const { asked, act } = family();
  for (const args of ALL) expect(await act(args), JSON.stringify(args)).toMatchObject({ ok: true });
  const { properties } = BROWSER_PARAMETERS.browser as { properties: { action: { enum: string[] } } };
  expect(asked.map(({ action }) => action)).toEqual(properties.action.enum.toSorted(inOrder(asked)));
  const named = new Set(ALL.flatMap((args) => Object.keys(args)));
  expect([...named].filter((name) => !Object.hasOwn(properties, name))).toEqual(["saves"]);
});

const inOrder =
  (asked: readonly BrowserAction[]) =>
  (one: string, other: string): number =>
    asked.findIndex(({ action }) => action === one) - asked.findIndex(({ action }) => action === other);

test("what becomes a file may have more bytes than what is shown", async () => {
  const { asked, act } = family();
  await act({ action: "screenshot" });
  await act({ action: "screenshot", saves: true });
  expect(asked).toMatchObject([
    { format: "png", bytesMax: SHOWN_BYTES_MAX },
    { format: "png", bytesMax: CONTENT_BYTES_MAX },
  ]);
});

test.each<[JsonObject, RegExp]>([
  [{}, /action/],
  [{ action: "evaluate", code: "1" }, /action/],
  [{ action: "open", url: "file:///etc/passwd" }, /url: must be an address that begins with http/],
  [{ action: "open", url: "http://" }, /url/],
  [{ action: "open", url: `https://a.example/${"x".repeat(4_096)}` }, /url/],
  [{ action: "open", url: "https://a.example/", page: "p0" }, /page/],
  [{ action: "click", ref: "e1 >> xpath=//a" }, /ref: must be a ref/],
  [{ action: "click", ref: "e1", text: "x" }, /text/],
  [{ action: "type", ref: "e1", text: "x".repeat(501), slowly: true }, /text: must have 500/],
  [{ action: "wait" }, /text or ms/],
  [{ action: "screenshot", ref: "e1", fullPage: true }, /not both/],
  [{ action: "pages", page: "p1" }, /page/],
])("%j is refused before any browser is asked", async (args, message) => {
  const { asked, act } = family();
  expect(await act(args)).toMatchObject({
    ok: false,
    code: "invalid_request",
    message: expect.stringMatching(message),
  });
  expect(asked).toEqual([]);
});

test("what is seen in a picture is told beside it, so that a secret in it is found, and is no part of the answer", async () => {
  const page = { page: "p1", url: "https://a.example/", title: "A" };
  const picture = { base64: "AAAA", mimeType: "image/png", width: 1, height: 1, shows: "words" } as const;
  const opened = openBrowser({
    tenants: { find: async () => ({}) as never },
    browsers: {
      act: async () => ({ ok: true, result: { action: "screenshot", ...page, ...picture }, notes: NOTES }),
      endTenant: () => undefined,
    },
  });
  const request = { operation: "act", arguments: { action: "screenshot" }, content: null };
  const caller: Partial<CapabilityCaller> = { tenantId: "ten_a", way: WAY };
  expect(await opened.run(request, caller as CapabilityCaller, NEVER)).toEqual({
    ok: true,
    value: { ...page, mimeType: "image/png", width: 1, height: 1, bytes: 3 },
    content: Buffer.alloc(3),
    shows: "words",
  });
});

test("nothing is done for a tenant that goes, whose browsers end, or without a way out", async () => {
  for (const tenant of [null, { deletingAt: new Date(0) }]) {
    const gone = family(tenant);
    await expect(gone.act({ action: "pages" })).rejects.toMatchObject({ code: "tenant.not_found" });
    expect([gone.asked, gone.ended]).toEqual([[], ["ten_a"]]);
  }
  expect(await family({}, null).act({ action: "pages" })).toMatchObject({
    ok: false,
    code: "capability_denied",
  });
});
