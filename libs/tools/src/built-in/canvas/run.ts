import type { CapabilityAnswer, JsonObject, ProvidedAnswer, ProvidedCall } from "@bulkhead/core";
import type { BrowserDrawer } from "./browser-drawer.ts";
import { FILE_SOURCE_CHARS_MAX, SHOWN_BYTES_MAX } from "./bounds.ts";
import type { PictureFormat } from "./schema.ts";
import type { Drawing, SvgDrawer } from "./svg-drawer.ts";

export interface CanvasDeps {
  svg: Pick<SvgDrawer, "run">;
  /** Null where this worker has no browser. */
  browser: Pick<BrowserDrawer, "run"> | null;
}

type Refused = Extract<ProvidedAnswer, { ok: false }>;

interface Source {
  kind: "svg" | "html";
  text: string;
}
interface Picture {
  bytes: Uint8Array;
  width: number;
  height: number;
  engine: "chromium" | "resvg";
  /** Addresses of which something was wanted, where there were any. */
  notLoaded?: string[];
}

/** Draws what it is given or a file of the caller's workspace, and shows it or makes a file of it. */
export async function drawCanvas(
  deps: CanvasDeps,
  args: JsonObject,
  call: ProvidedCall,
): Promise<ProvidedAnswer> {
  const format = formatOf(args);
  if (typeof format !== "string") return format;
  const source = await sourceOf(args, call);
  if ("ok" in source) return source;
  // What is drawn can be found by nobody later: its secrets are covered before.
  const text = await call.cover(source.text);
  const picture = await draw(deps, { ...source, text }, format, args, call);
  if ("ok" in picture) return picture;
  const covered = text === source.text ? {} : { covered: true };
  return typeof args["saveAs"] === "string"
    ? save(args["saveAs"], picture, { format, ...covered }, call)
    : show(picture, { format, ...covered });
}

/** How a file's name ends by its format. */
const ENDINGS: Readonly<Record<PictureFormat, RegExp>> = { png: /\.png$/i, jpeg: /\.jpe?g$/i };

/** The format that is asked for, by its name or that of the file. */
function formatOf({ format, saveAs }: JsonObject): PictureFormat | Refused {
  const asked = format === "jpeg" || format === "png" ? format : undefined;
  if (typeof saveAs !== "string") return asked ?? "png";
  const byName = ENDINGS.png.test(saveAs) ? "png" : ENDINGS.jpeg.test(saveAs) ? "jpeg" : undefined;
  if (byName === undefined || (asked !== undefined && asked !== byName))
    return refused(
      "invalid_request",
      `saveAs must end with ${asked === "jpeg" ? ".jpg or .jpeg" : asked === "png" ? ".png" : ".png, .jpg or .jpeg"}`,
    );
  return byName;
}

async function sourceOf(args: JsonObject, call: ProvidedCall): Promise<Source | Refused> {
  const given = (["svg", "html", "path"] as const).filter((name) => args[name] !== undefined);
  const [name] = given;
  const said = name === undefined ? undefined : args[name];
  if (given.length !== 1 || name === undefined || typeof said !== "string")
    return refused("invalid_request", "give exactly one of svg, html and path");
  return name === "path" ? fileSource(said, call) : { kind: name, text: said };
}

async function fileSource(path: string, { ask, signal }: ProvidedCall): Promise<Source | Refused> {
  const kind = /\.svg$/i.test(path) ? "svg" : /\.html?$/i.test(path) ? "html" : null;
  if (kind === null)
    return refused("invalid_request", "path must name a file that ends with .svg, .html or .htm");
  const answer = await ask("files", "read", { path }, null, signal);
  if (!answer.ok) return answer;
  const { content: text = "" } = answer;
  if (typeof text !== "string") return refused("invalid_request", `${path} is no text in UTF-8`);
  return text.length <= FILE_SOURCE_CHARS_MAX
    ? { kind, text }
    : refused("capability_limit", `${path} has more than ${FILE_SOURCE_CHARS_MAX} characters`);
}

async function draw(
  { svg, browser }: CanvasDeps,
  { kind, text }: Source,
  format: PictureFormat,
  { width, height, scale, background }: JsonObject,
  call: ProvidedCall,
): Promise<Picture | Refused> {
  const asked = {
    width: numberOf(width),
    height: numberOf(height),
    scale: numberOf(scale) ?? 1,
    background: typeof background === "string" ? background : null,
  };
  if (browser !== null) {
    const drawing = { ...asked, kind, source: text, format };
    const drawn = await browser.run({ tenantId: call.tenantId, drawing }, call);
    // Where none can be had, an SVG is drawn as where there is none; the answer says by what.
    if (drawn.outcome !== "absent" || kind === "html" || format === "jpeg")
      return pictureOf("chromium", drawn);
  }
  if (kind === "html")
    return refused("tool_failed", "HTML is drawn by a browser, and this worker has none: give an SVG");
  if (format === "jpeg")
    return refused("tool_failed", "jpeg is made by a browser, and this worker has none: ask for png");
  return pictureOf("resvg", await svg.run({ ...asked, svg: text }, call));
}

function pictureOf(engine: Picture["engine"], drawing: Drawing): Picture | Refused {
  if (drawing.outcome !== "drawn") return undrawn(drawing);
  const { bytes, width, height, notLoaded } = drawing;
  return { bytes, width, height, engine, ...(notLoaded.length > 0 && { notLoaded: [...notLoaded] }) };
}

const numberOf = (value: unknown): number | undefined => (typeof value === "number" ? value : undefined);

type Told = { format: PictureFormat; covered?: boolean };

async function save(
  path: string,
  { bytes, ...about }: Picture,
  told: Told,
  { ask, signal }: ProvidedCall,
): Promise<ProvidedAnswer> {
  const answer: CapabilityAnswer = await ask("files", "write", { path }, bytes, signal);
  return answer.ok ? { ok: true, value: { ...answer.value, ...about, ...told } } : answer;
}

function show({ bytes, ...about }: Picture, told: Told): ProvidedAnswer {
  if (bytes.length > SHOWN_BYTES_MAX)
    return refused(
      "capability_limit",
      `the picture has ${bytes.length} bytes, and an answer brings ${SHOWN_BYTES_MAX} at most: give saveAs, so that it becomes a file of the workspace, or draw it smaller`,
    );
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
  const image = { type: "image", data, mimeType: `image/${told.format}` };
  const json = { ...about, bytes: bytes.length, ...told };
  return { ok: true, value: { $bulkhead: "content", content: [image, { type: "json", json }] } };
}

const UNDRAWN = {
  overran: ["tool_failed", "it takes too much time"],
  died: ["tool_failed", "it takes too much memory"],
  crowded: ["tool_failed", "too many pictures wait to be drawn; try again with fewer at once"],
  unavailable: ["tool_failed", "pictures can't be drawn at the moment; try again"],
  aborted: ["aborted", "the call was given up"],
} as const satisfies Record<Exclude<Drawing["outcome"], "drawn" | "refused" | "absent">, unknown>;

function undrawn(drawing: Exclude<Drawing, { outcome: "drawn" }>): Refused {
  if (drawing.outcome === "refused") return refused(drawing.code, drawing.why);
  if (drawing.outcome === "absent") return refused("tool_failed", drawing.why);
  const [code, why] = UNDRAWN[drawing.outcome];
  return refused(code, why);
}

const refused = (code: Refused["code"], why: string): Refused => ({
  ok: false,
  code,
  message: `canvas could not draw it: ${why.replace(/\.$/, "")}.`,
});
