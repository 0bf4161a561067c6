import { compile } from "html-to-text";
import { articleOf } from "./article.ts";
import { PAGE_BYTES_MAX, PAGE_DEPTH_MAX } from "./bounds.ts";
import { boundedList } from "./html-formats.ts";
import {
  mdCode,
  mdEmphasis,
  mdHeading,
  mdImage,
  mdLink,
  mdPre,
  mdQuote,
  mdRule,
  mdStrong,
  mdTable,
} from "./markdown-formats.ts";

const HEADINGS = ["h1", "h2", "h3", "h4", "h5", "h6"];

const toMarkdown = compile({
  wordwrap: false,
  limits: { maxInputLength: PAGE_BYTES_MAX * 2, maxDepth: PAGE_DEPTH_MAX, ellipsis: "" },
  formatters: {
    boundedList,
    mdCode,
    mdEmphasis,
    mdHeading,
    mdImage,
    mdLink,
    mdPre,
    mdQuote,
    mdRule,
    mdStrong,
    mdTable,
  },
  selectors: [
    ...HEADINGS.map((selector) => ({ selector, format: "mdHeading" })),
    { selector: "a", format: "mdLink" },
    { selector: "img", format: "mdImage" },
    { selector: "ul", options: { itemPrefix: "- " } },
    { selector: "ol", format: "boundedList" },
    { selector: "pre", format: "mdPre" },
    { selector: "blockquote", format: "mdQuote" },
    { selector: "hr", format: "mdRule" },
    { selector: "table", format: "mdTable" },
    ...["code", "kbd", "samp"].map((selector) => ({ selector, format: "mdCode" })),
    ...["strong", "b"].map((selector) => ({ selector, format: "mdStrong" })),
    ...["em", "i"].map((selector) => ({ selector, format: "mdEmphasis" })),
  ],
});

/** The main part of a page as Markdown. */
export const readMarkdown = (html: string, url: string): string =>
  toMarkdown(articleOf(html.slice(0, PAGE_BYTES_MAX), url)).trim();
