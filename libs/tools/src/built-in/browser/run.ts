import type {
  BrowserToolName,
  CapabilityAnswer,
  Json,
  JsonObject,
  ProvidedAnswer,
  ProvidedCall,
} from "@bulkhead/core";
import { PART_CHARS_DEFAULT } from "../../browser/action-bounds.ts";

type Run = (args: JsonObject, call: ProvidedCall) => Promise<ProvidedAnswer>;
type Given = Extract<CapabilityAnswer, { ok: true }>;

/** What has bytes that can become a file. */
const SAVED = ["screenshot", "pdf"];
const JPEG_NAME = /\.jpe?g$/i;

/** The browser, and for `saveAs` the workspace, of whoever made the call that the run belongs to. */
export const runBrowserTool: Readonly<Record<BrowserToolName, Run>> = {
  async browser({ saveAs, ...args }, { ask, signal }) {
    const path = typeof saveAs === "string" ? saveAs : null;
    if (path !== null && !SAVED.some((action) => action === args["action"]))
      return { ok: false, code: "invalid_request", message: "saveAs: is for screenshot and pdf alone." };
    const byName =
      args["action"] === "screenshot" && path !== null && JPEG_NAME.test(path) ? { format: "jpeg" } : {};
    const asked = path === null ? args : { ...byName, ...args, saves: true };
    const answer = await ask("browser", "act", asked, null, signal);
    if (!answer.ok) return answer;
    if (!(answer.content instanceof Uint8Array)) return { ok: true, value: partOf(answer.value, args) };
    if (path === null) return { ok: true, value: shown(answer, answer.content) };
    const written = await ask("files", "write", { path }, answer.content, signal);
    return written.ok ? { ok: true, value: { ...answer.value, file: written.value } } : written;
  },
};

/** Of a text the part that is asked for. It was covered as a whole: a secret can't be had in pieces. */
function partOf(
  { text: whole, ...value }: JsonObject,
  { startChar, maxChars = PART_CHARS_DEFAULT }: JsonObject,
): JsonObject {
  if (typeof whole !== "string") return value;
  const from = Number(startChar ?? 0);
  const part = whole.slice(from, from + Number(maxChars));
  // Half a pair of units at the end comes with its other half the next time.
  const text = part.length > 1 ? part.replace(/[\ud800-\udbff]$/, "") : part;
  const next = from + text.length;
  return {
    ...value,
    text: text.toWellFormed(),
    startChar: from,
    ...(next < whole.length && { nextChar: next }),
    totalChars: whole.length,
  };
}

/** A picture as models see one, another document as bytes. */
function shown({ value }: Given, content: Uint8Array): Json {
  const data = Buffer.from(content.buffer, content.byteOffset, content.byteLength).toString("base64");
  const mimeType = typeof value["mimeType"] === "string" ? value["mimeType"] : "application/octet-stream";
  const part: Json = mimeType.startsWith("image/")
    ? { type: "image", data, mimeType }
    : { type: "resource", resource: { uri: "file:///page.pdf", mimeType, blob: data } };
  return { $bulkhead: "content", content: [part, { type: "json", json: value }] };
}
