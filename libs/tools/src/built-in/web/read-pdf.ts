import { getDocument } from "unpdf/pdfjs";
import { PDF_PAGES_MAX, TITLE_CHARS_MAX } from "./bounds.ts";
import { cutText } from "./cut-text.ts";
import type { Page } from "./read-html.ts";

/** Scripts, fonts and pictures of a PDF are no text; none of its files is fetched. */
const TEXT_ALONE = {
  isEvalSupported: false,
  disableFontFace: true,
  useSystemFonts: false,
  useWorkerFetch: false,
  enableXfa: false,
  stopAtErrors: false,
  verbosity: 0,
} as const;

/** The text of a PDF, page by page under headings. Throws what the library throws. */
export async function readPdf(bytes: Uint8Array, textCharsMax: number): Promise<Page> {
  const loading = getDocument({ ...TEXT_ALONE, data: bytes });
  const document = await loading.promise;
  const parts: string[] = [];
  let chars = 0;
  const pages = document.numPages;
  const last = Math.min(pages, PDF_PAGES_MAX);
  let at = 1;
  for (; at <= last && chars <= textCharsMax; at += 1) {
    const page = await document.getPage(at);
    const { items } = await page.getTextContent();
    const text = items.map((item) => ("str" in item ? `${item.str}${item.hasEOL ? "\n" : ""}` : "")).join("");
    page.cleanup();
    const part = `[Page ${at}]\n${text.trim()}`;
    parts.push(part);
    chars += part.length + 2;
  }
  const title = await titleOf(document);
  await loading.destroy();
  const text = parts.join("\n\n");
  const truncated = at <= pages || text.length > textCharsMax || title.length > TITLE_CHARS_MAX;
  return {
    title: cutText(title, TITLE_CHARS_MAX),
    text: cutText(text, textCharsMax).toWellFormed(),
    links: [],
    truncated,
    pages,
  };
}

async function titleOf(document: Awaited<ReturnType<typeof getDocument>["promise"]>): Promise<string> {
  const { info } = await document.getMetadata();
  const said = "Title" in info ? info.Title : "";
  return typeof said === "string" ? said.replace(/\s+/g, " ").trim() : "";
}
