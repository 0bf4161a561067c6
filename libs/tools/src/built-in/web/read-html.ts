import { compile } from "html-to-text";
import { Parser } from "htmlparser2";
import {
  LINK_HREF_CHARS_MAX,
  LINK_TEXT_CHARS_MAX,
  LINKS_MAX,
  PAGE_BYTES_MAX,
  PAGE_DEPTH_MAX,
  type PageFormat,
  TITLE_CHARS_MAX,
} from "./bounds.ts";
import { cutText } from "./cut-text.ts";
import { boundedList, tableRow } from "./html-formats.ts";
import { readMarkdown } from "./read-markdown.ts";

export interface Page {
  title: string;
  text: string;
  links: PageLink[];
  /** Something of the title, the text or the links was left out. */
  truncated: boolean;
  /** Of a PDF, how many it has; of anything else unset. */
  pages?: number | undefined;
}

interface PageLink {
  text: string;
  /** Absolute, http or https. */
  href: string;
}

/** Elements that are never visible, or that only navigate a site. */
const SKIPPED = ["head", "title", "nav", "script", "style", "noscript", "template", "svg", "iframe", "img"];

const toText = compile({
  wordwrap: false,
  limits: { maxInputLength: PAGE_BYTES_MAX, maxDepth: PAGE_DEPTH_MAX, ellipsis: "" },
  formatters: { boundedList, tableRow },
  selectors: [
    ...SKIPPED.map((selector) => ({ selector, format: "skip" })),
    { selector: "a", options: { ignoreHref: true } },
    ...["h1", "h2", "h3", "h4", "h5", "h6"].map((selector) => ({ selector, options: { uppercase: false } })),
    { selector: "ol", format: "boundedList" },
    // Not the library's data tables: they are laid out in memory that grows with the square of a page's numbers.
    { selector: "table", format: "block" },
    { selector: "tr", format: "tableRow" },
  ],
});

/** The readable part of a page. */
export function readHtml(html: string, url: string, textCharsMax: number, format: PageFormat): Page {
  const { title, links, isCut } = readHead(html, url);
  const text = format === "markdown" ? readMarkdown(html, url) : toText(html);
  return {
    title,
    text: cutText(text, textCharsMax),
    links,
    truncated: isCut || text.length > textCharsMax || html.length > PAGE_BYTES_MAX,
  };
}

/** The title and the links; `isCut` where something of them was left out. */
function readHead(html: string, url: string) {
  const found = { title: "", links: [] as PageLink[], moreLinks: false };
  let base = url;
  let inTitle = false;
  /** A picture within the page has titles of its own. */
  let picturesAround = 0;
  let link: PageLink | null = null;
  const parser = new Parser({
    onopentag(name, { href }) {
      if (name === "svg") picturesAround += 1;
      if (name === "title" && picturesAround === 0) inTitle = found.title === "";
      if (name === "base" && href) base = absolute(href, base) ?? base;
      // An address is not free to read: one beyond the bound is enough to know that there are more.
      if (name !== "a" || !href || found.moreLinks) return;
      const to = absolute(href, base);
      link = to === null ? null : { text: "", href: to };
      if (link === null) return;
      if (found.links.length < LINKS_MAX) found.links.push(link);
      else found.moreLinks = true;
    },
    ontext(text) {
      if (inTitle) found.title += text;
      if (link !== null) link.text += text;
    },
    onclosetag(name) {
      if (name === "svg") picturesAround -= 1;
      if (name === "title") inTitle = false;
      if (name === "a") link = null;
    },
  });
  parser.end(html);
  const title = tidy(found.title);
  const texts = found.links.map(({ text }) => tidy(text));
  return {
    title: cutText(title, TITLE_CHARS_MAX),
    links: found.links.map(({ href }, at) => ({ text: cutText(texts[at] ?? "", LINK_TEXT_CHARS_MAX), href })),
    isCut:
      found.moreLinks ||
      title.length > TITLE_CHARS_MAX ||
      texts.some((text) => text.length > LINK_TEXT_CHARS_MAX),
  };
}

/** Null for a link that leads to no page. */
function absolute(href: string, base: string): string | null {
  if (href.length > LINK_HREF_CHARS_MAX || !URL.canParse(href, base)) return null;
  const { protocol, href: to } = new URL(href, base);
  return (protocol === "https:" || protocol === "http:") && to.length <= LINK_HREF_CHARS_MAX ? to : null;
}

const tidy = (text: string): string => text.replace(/\s+/g, " ").trim();
