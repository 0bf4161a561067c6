import type { BrowserToolName, ProvidedTool } from "@bulkhead/core";
import { PAGES_MAX } from "../../browser/bounds.ts";
import {
  BROWSER_BYTES_IN_MAX,
  BROWSER_MS_MAX,
  BROWSER_REQUESTS_MAX,
  BROWSER_WALL_MS,
  IDLE_MS_MAX,
} from "./bounds.ts";
import { BROWSER_PARAMETERS } from "./schema.ts";

const MINUTE_MS = 60_000;

/** As models are told of it: what, when, and within what bounds. */
export const BROWSER_TOOLS: Readonly<Record<BrowserToolName, ProvidedTool>> = {
  browser: {
    name: "browser",
    title: "Use a web browser",
    description:
      `Opens web pages in a browser of your own and uses them as a person does. open a url, take a snapshot, then click, type or ` +
      `select by its refs, and take a new snapshot after the page has changed. A snapshot is the page as a tree of roles and names with refs such as ` +
      `[ref=e12]; text is what can be read; screenshot is a picture, of nothing that shows a secret. Answers tell page, url and title; nextChar says where ` +
      `a long text goes on; refused names requests of the page that were not let out, dismissed its dialogs and downloads, ` +
      `opened the pages that it has opened. Cookies and pages stay between calls: ${PAGES_MAX} pages, until ${IDLE_MS_MAX / MINUTE_MS} minutes ` +
      `without a call or ${BROWSER_MS_MAX / MINUTE_MS} minutes in all. Scripts of pages run during calls alone. To read one page, web_fetch is cheaper.`,
    group: "ui",
    parameters: BROWSER_PARAMETERS.browser,
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
    needs: "network",
    argumentNeeds: { saveAs: "filesystem" },
    letBy: "name",
    capability: "browser",
    wallMs: BROWSER_WALL_MS,
    networkRequests: BROWSER_REQUESTS_MAX,
    bytesIn: BROWSER_BYTES_IN_MAX,
  },
};
