import { DomUtils, parseDocument } from "htmlparser2";
import { ARTICLE_CHARS_MIN, ARTICLE_SHARE_MIN, LINK_HREF_CHARS_MAX, PAGE_DEPTH_MAX } from "./bounds.ts";

type Root = ReturnType<typeof parseDocument>;
type Node = Root["children"][number];
type Element = Extract<Node, { attribs: object }>;

/** Elements that nobody reads, or that only lead through a site. */
const SKIPPED = new Set(
  (
    "head title nav script style noscript template svg iframe object form button input select textarea dialog " +
    "canvas audio video"
  ).split(" "),
);
/** Around an article there is mostly what belongs to every page. */
const AROUND = new Set(["aside", "footer", "header"]);
/** Names of classes and ids by which pages mark what is no part of the text; the second ones speak against that. */
const UNLIKELY =
  /\b(?:ad-break|agegate|banner|breadcrumbs?|combx|comments?|cookies?|consent|disqus|gdpr|menu|modal|newsletter|pager|pagination|popup|promo|related|replies|rss|share|shoutbox|sidebar|skyscraper|social|sponsor|supplemental|toolbar)\b/i;
const LIKELY = /article|body|column|content|main|post|text/i;
/** Characters of a paragraph that count as text. */
const PARAGRAPH_CHARS_MIN = 25;
const PARAGRAPHS = new Set(["p", "pre", "blockquote", "td", "dd"]);

/** What is within an element, counted once for all of its parents. */
interface Counts {
  chars: number;
  linkChars: number;
}

/**
 * The HTML of a page's main part, or of the whole page where it has none that stands out; its links are absolute. It scores as
 * Readability does (paragraphs speak for what they are in, links against it), in a time that grows with the page alone.
 */
export function articleOf(html: string, url: string): string {
  const root = parseDocument(html);
  const base = baseOf(root, url);
  prune(root, false, 0);
  makeAbsolute(root, base);
  const whole = DomUtils.getOuterHTML(root);
  prune(root, true, 0);
  const counts = new Map<Node | Root, Counts>();
  const all = countIn(root, counts, false);
  const found = markedIn(root, counts) ?? bestIn(root, counts);
  const chars = found === null ? 0 : (counts.get(found)?.chars ?? 0);
  if (found === null || chars < ARTICLE_CHARS_MIN || chars < all.chars * ARTICLE_SHARE_MIN) return whole;
  return DomUtils.getOuterHTML(found);
}

function baseOf(root: Root, url: string): string {
  const [said] = DomUtils.getElementsByTagName("base", root, true, 1);
  const href = said?.attribs["href"];
  return href !== undefined && URL.canParse(href, url) ? new URL(href, url).href : url;
}

/** Takes out what is no text of the page, with `isArticle` also what is likely around it, and what nests too deep. */
function prune(parent: Root | Element, isArticle: boolean, depth: number): void {
  parent.children = parent.children.filter((node) => {
    if (DomUtils.isText(node)) return true;
    if (!DomUtils.isTag(node) || depth >= PAGE_DEPTH_MAX || isSkipped(node, isArticle)) return false;
    prune(node, isArticle, depth + 1);
    return true;
  });
}

function isSkipped({ name, attribs }: Element, isArticle: boolean): boolean {
  if (SKIPPED.has(name) || "hidden" in attribs || attribs["aria-hidden"] === "true") return true;
  if (/display\s*:\s*none/i.test(attribs["style"] ?? "")) return true;
  if (!isArticle || name === "body" || name === "main" || name === "article") return false;
  const named = `${attribs["class"] ?? ""} ${attribs["id"] ?? ""}`;
  return AROUND.has(name) || (UNLIKELY.test(named) && !LIKELY.test(named));
}

function makeAbsolute(parent: Root | Element, base: string): void {
  for (const node of parent.children) {
    if (!DomUtils.isTag(node)) continue;
    for (const name of ["href", "src"]) {
      const said = node.attribs[name];
      if (said === undefined) continue;
      const to = said.length > LINK_HREF_CHARS_MAX ? null : URL.parse(said, base);
      if (to !== null && /^https?:$/.test(to.protocol)) node.attribs[name] = to.href;
      else delete node.attribs[name];
    }
    makeAbsolute(node, base);
  }
}

function countIn(parent: Root | Element, counts: Map<Node | Root, Counts>, inLink: boolean): Counts {
  const sum = { chars: 0, linkChars: 0 };
  for (const node of parent.children) {
    if (DomUtils.isText(node)) {
      const chars = node.data.replace(/\s+/g, " ").length;
      sum.chars += chars;
      if (inLink) sum.linkChars += chars;
    } else if (DomUtils.isTag(node)) {
      const { chars, linkChars } = countIn(node, counts, inLink || node.name === "a");
      sum.chars += chars;
      sum.linkChars += linkChars;
    }
  }
  counts.set(parent, sum);
  return sum;
}

/** The one element that says itself that it is the page's main part. */
function markedIn(root: Root, counts: Map<Node | Root, Counts>): Element | null {
  const isLong = (one: Element): boolean => (counts.get(one)?.chars ?? 0) >= ARTICLE_CHARS_MIN;
  for (const test of [
    ({ name, attribs }: Element) => name === "main" || attribs["role"] === "main",
    ({ name }: Element) => name === "article",
  ]) {
    const marked = DomUtils.findAll(test, root.children).filter(isLong);
    const [only] = marked;
    if (only !== undefined && marked.length === 1) return only;
  }
  return null;
}

/** The element that most paragraphs with text are in; each speaks for its parent, and half as much for the one above. */
function bestIn(root: Root, counts: Map<Node | Root, Counts>): Element | null {
  const scores = new Map<Element, number>();
  const speakFor = (node: Node["parent"], score: number): void => {
    if (node !== null && DomUtils.isTag(node)) scores.set(node, (scores.get(node) ?? 0) + score);
  };
  for (const paragraph of DomUtils.findAll(({ name }) => PARAGRAPHS.has(name), root.children)) {
    const { chars = 0 } = counts.get(paragraph) ?? {};
    if (chars < PARAGRAPH_CHARS_MIN) continue;
    const score = 1 + Math.min(Math.floor(chars / 100), 3);
    speakFor(paragraph.parent, score);
    speakFor(paragraph.parent?.parent ?? null, score / 2);
  }
  let best: { element: Element; score: number } | null = null;
  for (const [element, said] of scores) {
    const { chars = 0, linkChars = 0 } = counts.get(element) ?? {};
    const score = said * (1 - linkChars / Math.max(chars, 1));
    if (best === null || score > best.score) best = { element, score };
  }
  return best?.element ?? null;
}
