import type { Browser, BrowserContext, Page } from "playwright-core";
import { HTML_SIZE_DEFAULT, PICTURE_BYTES_MAX } from "../../built-in/canvas/bounds.ts";
import { NotDrawable, prepareSvg, whyNotOfSize } from "../../built-in/canvas/prepare-svg.ts";
import { TOLD_CHARS_MAX, TOLD_MAX } from "../bounds.ts";
import type { BrowserDrawing, DrawAction } from "../draw-action.ts";
import { ActionError } from "./action-error.ts";
import { cut } from "./notes.ts";

interface Size {
  width: number;
  height: number;
}

/** Draws in a context of its own, in which no script runs and nothing is reached. */
export async function draw(browser: Browser, asked: DrawAction, timeoutMs: number): Promise<BrowserDrawing> {
  try {
    return await drawIn(browser, asked, timeoutMs);
  } catch (error) {
    if (!(error instanceof NotDrawable)) throw error;
    throw new ActionError(error.code === "invalid_request" ? "bad_action" : "refused", error.message);
  }
}

async function drawIn(browser: Browser, asked: DrawAction, timeoutMs: number): Promise<BrowserDrawing> {
  const { window, html } = asked.kind === "svg" ? windowOfSvg(asked) : windowOfHtml(asked);
  whyNotOfSize(window, asked.scale);
  const context = await browser.newContext({
    viewport: window,
    deviceScaleFactor: asked.scale,
    javaScriptEnabled: false,
    offline: true,
    acceptDownloads: false,
    serviceWorkers: "block",
  });
  try {
    context.setDefaultTimeout(timeoutMs);
    const notLoaded = await refuseAll(context);
    const page = await context.newPage();
    await page.setContent(html, { waitUntil: "load" });
    const size = await sizeOf(page, asked, window);
    const bytes = await pictureOf(page, asked, size);
    return { base64: bytes.toString("base64"), ...pixelsOf(size, asked.scale), notLoaded: [...notLoaded] };
  } finally {
    await context.close();
  }
}

/** What a page wants is told by its address, and comes from nowhere. */
async function refuseAll(context: BrowserContext): Promise<ReadonlySet<string>> {
  const wanted = new Set<string>();
  await context.route("**/*", async (route) => {
    const request = route.request();
    if (wanted.size < TOLD_MAX) wanted.add(cut(request.url(), TOLD_CHARS_MAX));
    // Without content a page that would go elsewhere stays; a request that fails would put an error in its place.
    await (request.isNavigationRequest() ? route.fulfill({ status: 204 }) : route.abort());
  });
  return wanted;
}

const style = (background: string | null): string =>
  background === null ? "" : `<style>html{background:${background}}</style>`;

/** An image of a page loads nothing and runs nothing, whatever stands in it. Windows have whole pixels. */
function windowOfSvg({ source, background, ...size }: DrawAction): { window: Size; html: string } {
  const { svg, width, height } = prepareSvg(source, size);
  const url = `data:image/svg+xml;base64,${Buffer.from(svg).toString("base64")}`;
  const image = `<img width="${width}" height="${height}" src="${url}">`;
  const html = `<!doctype html><style>body{margin:0}img{display:block}</style>${style(background)}${image}`;
  return { window: { width: Math.ceil(width), height: Math.ceil(height) }, html };
}

function windowOfHtml({ source, background, width, height }: DrawAction): { window: Size; html: string } {
  const window = { width: width ?? HTML_SIZE_DEFAULT.width, height: height ?? HTML_SIZE_DEFAULT.height };
  return { window, html: source + style(background) };
}

/** The height of what a page shows, which is no less than that of the window where it fills the window. */
const CONTENT_HEIGHT = `(({ scrollHeight, clientHeight, offsetHeight }) =>
  scrollHeight > clientHeight ? scrollHeight : offsetHeight)(document.documentElement)`;

/** A page whose height isn't asked for is drawn as a whole. */
async function sizeOf(page: Page, { kind, height, scale }: DrawAction, window: Size): Promise<Size> {
  if (kind === "svg") {
    const isRead: unknown = await page.evaluate("document.images[0].naturalWidth > 0");
    if (isRead !== true) throw new NotDrawable("invalid_request", "it is no SVG that a browser can read");
    return window;
  }
  if (height !== undefined) return window;
  const whole: unknown = await page.evaluate(CONTENT_HEIGHT);
  const size = { width: window.width, height: Math.max(1, Number(whole)) };
  whyNotOfSize(size, scale);
  return size;
}

const pixelsOf = ({ width, height }: Size, scale: number): Size => ({
  width: Math.max(1, Math.round(width * scale)),
  height: Math.max(1, Math.round(height * scale)),
});

async function pictureOf(page: Page, { kind, format, background }: DrawAction, size: Size): Promise<Buffer> {
  const isClear = format === "png" && (kind === "svg" || background !== null);
  const bytes = await page.screenshot({
    type: format,
    animations: "disabled",
    fullPage: true,
    clip: { x: 0, y: 0, ...size },
    omitBackground: isClear,
  });
  if (bytes.length > PICTURE_BYTES_MAX)
    throw new NotDrawable(
      "capability_limit",
      `the picture has ${bytes.length} bytes, and ${PICTURE_BYTES_MAX} is the most: draw it smaller`,
    );
  return bytes;
}
