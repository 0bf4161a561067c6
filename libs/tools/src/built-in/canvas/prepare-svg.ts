import { Parser } from "htmlparser2";
import { DEPTH_MAX, ELEMENTS_MAX, PIXELS_MAX, SIDE_MAX, SVG_SIZE_DEFAULT } from "./bounds.ts";

export interface SizeAsked {
  /** CSS pixels; undefined: as the picture says. */
  width?: number | undefined;
  height?: number | undefined;
  /** Pixels of the picture to one of CSS. */
  scale: number;
}

interface Size {
  width: number;
  height: number;
}

export interface PreparedSvg extends Size {
  /** The same SVG, whose root says its size in pixels. */
  svg: string;
  hasText: boolean;
  hasHtml: boolean;
}

/** Why a picture can't be drawn, in words for its caller. */
export class NotDrawable extends Error {
  readonly code: "invalid_request" | "capability_limit";

  constructor(code: NotDrawable["code"], message: string) {
    super(message);
    this.code = code;
  }
}

/** What shows something by its address. */
const SHOWING: ReadonlySet<string> = new Set(["image", "feimage", "use"]);
const ADDRESS_SHOWN_CHARS_MAX = 100;

/**
 * Reads an SVG once over: its elements are within their bounds, it shows nothing by an address, and its root gets the size that
 * is asked for, into which it fits by its own `preserveAspectRatio`. Throws `NotDrawable`. Takes time in proportion to the text,
 * so it must run in a process of its own.
 */
export function prepareSvg(source: string, asked: SizeAsked): PreparedSvg {
  const found = readElements(source);
  const { root } = found;
  if (root === null) throw new NotDrawable("invalid_request", "it is no SVG: its root is no svg element");
  const { natural, isCertain } = naturalSize(root.attributes);
  const size = sizeOf(natural, isCertain, asked);
  whyNotOfSize(size, asked.scale);
  const box = root.attributes["viewBox"] === undefined && isCertain ? natural : null;
  const tag = resized(source.slice(root.start, root.end + 1), size, box);
  return {
    ...size,
    svg: source.slice(0, root.start) + tag + source.slice(root.end + 1),
    hasText: found.hasText,
    hasHtml: found.hasHtml,
  };
}

/** Throws where a picture of this size has too many pixels, or less than one: a browser would never be done with that. */
export function whyNotOfSize({ width, height }: Size, scale: number): void {
  const [across, down] = [Math.ceil(width * scale), Math.ceil(height * scale)];
  for (const [name, side] of Object.entries({ width, height }))
    if (!(side * scale >= 1))
      throw new NotDrawable(
        "invalid_request",
        `${name}: ${side} at scale ${scale} makes less than one pixel: give a larger ${name} or scale`,
      );
  if (across > SIDE_MAX || down > SIDE_MAX || across * down > PIXELS_MAX)
    throw new NotDrawable(
      "capability_limit",
      `it would have ${across} x ${down} pixels; a side has ${SIDE_MAX} at most, and all ${PIXELS_MAX}: give a smaller width, height or scale`,
    );
}

interface Root {
  attributes: Readonly<Record<string, string>>;
  /** Where its tag begins and ends in the source. */
  start: number;
  end: number;
}

function readElements(source: string): { root: Root | null; hasText: boolean; hasHtml: boolean } {
  let root = null as Root | null;
  let hasText = false;
  let hasHtml = false;
  let elements = 0;
  let depth = 0;
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        elements += 1;
        depth += 1;
        if (elements > ELEMENTS_MAX)
          throw new NotDrawable("capability_limit", `it has more than ${ELEMENTS_MAX} elements`);
        if (depth > DEPTH_MAX)
          throw new NotDrawable("capability_limit", `it nests more than ${DEPTH_MAX} elements`);
        const kind = name.slice(name.indexOf(":") + 1).toLowerCase();
        if (elements === 1 && kind === "svg")
          root = { attributes, start: parser.startIndex, end: parser.endIndex };
        if (kind === "text") hasText = true;
        if (kind === "foreignobject") hasHtml = true;
        if (SHOWING.has(kind)) requireOwn(kind, attributes);
      },
      onclosetag() {
        depth -= 1;
      },
    },
    { xmlMode: true },
  );
  parser.end(source);
  return { root, hasText, hasHtml };
}

/** What a picture shows stands in it: as data, or in another place of the same SVG. */
function requireOwn(kind: string, attributes: Readonly<Record<string, string>>): void {
  const said = attributes["href"] ?? attributes["xlink:href"] ?? "";
  const href = said.trim();
  if (href === "" || href.startsWith("#") || /^data:/i.test(href)) return;
  throw new NotDrawable(
    "invalid_request",
    `<${kind}> shows "${href.slice(0, ADDRESS_SHOWN_CHARS_MAX)}"; there is no network and there are no files here: give it as a data: URL`,
  );
}

const LENGTH = /^\s*\+?(\d*\.?\d+(?:e[+-]?\d+)?)\s*(px|pt|pc|mm|cm|in|em|rem|ex)?\s*$/i;
const PIXELS_PER: Readonly<Record<string, number>> = {
  px: 1,
  pt: 96 / 72,
  pc: 16,
  mm: 96 / 25.4,
  cm: 96 / 2.54,
  in: 96,
  em: 16,
  rem: 16,
  ex: 8,
};

/** Null for none, and for one that depends on what is around the picture. */
function lengthOf(text: string | undefined): number | null {
  const [, number, unit = "px"] = LENGTH.exec(text ?? "") ?? [];
  const length = Number(number) * (PIXELS_PER[unit.toLowerCase()] ?? Number.NaN);
  return Number.isFinite(length) && length > 0 ? length : null;
}

function boxOf(text: string | undefined): Size | null {
  const numbers = (text ?? "")
    .trim()
    .split(/[\s,]+/)
    .map(Number);
  const [, , width = 0, height = 0] = numbers;
  const isBox = numbers.length === 4 && numbers.every(Number.isFinite) && width > 0 && height > 0;
  return isBox ? { width, height } : null;
}

/** The size that it says itself; uncertain where it says none. */
function naturalSize(attributes: Readonly<Record<string, string>>): { natural: Size; isCertain: boolean } {
  const box = boxOf(attributes["viewBox"]);
  const [width, height] = [lengthOf(attributes["width"]), lengthOf(attributes["height"])];
  if (width !== null && height !== null) return { natural: { width, height }, isCertain: true };
  if (box === null) {
    const natural = { width: width ?? SVG_SIZE_DEFAULT.width, height: height ?? SVG_SIZE_DEFAULT.height };
    return { natural, isCertain: false };
  }
  if (width !== null)
    return { natural: { width, height: (width * box.height) / box.width }, isCertain: true };
  if (height !== null)
    return { natural: { width: (height * box.width) / box.height, height }, isCertain: true };
  return { natural: box, isCertain: true };
}

/** A side that is not asked for follows from the other one. */
function sizeOf(natural: Size, isCertain: boolean, { width, height }: SizeAsked): Size {
  if (width !== undefined && height !== undefined) return { width, height };
  if (width !== undefined)
    return { width, height: isCertain ? (width * natural.height) / natural.width : natural.height };
  if (height !== undefined)
    return { width: isCertain ? (height * natural.width) / natural.height : natural.width, height };
  return natural;
}

const OWN_SIZE = /\s(?:width|height)\s*=\s*(?:"[^"]*"|'[^']*')/g;

function resized(tag: string, { width, height }: Size, box: Size | null): string {
  const [bare = "", end = ">"] = tag.replace(OWN_SIZE, "").split(/(\/?>)$/);
  const ofBox = box === null ? "" : ` viewBox="0 0 ${box.width} ${box.height}"`;
  return `${bare} width="${width}" height="${height}"${ofBox}${end}`;
}
