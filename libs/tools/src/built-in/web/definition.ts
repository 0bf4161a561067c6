import type { ProvidedTool, WebToolName } from "@bulkhead/core";
import { WEB_FETCH_PARAMETERS } from "./schema.ts";

export const WEB_TOOLS: Readonly<Record<WebToolName, ProvidedTool>> = {
  web_fetch: {
    name: "web_fetch",
    title: "Fetch a page",
    description:
      `Fetches a web page and returns what a person would read there: { url, status, title, text, links, truncated }. ` +
      `HTML becomes text; JSON and other text come as they are. Needs the caller's network permission.`,
    group: "web",
    parameters: WEB_FETCH_PARAMETERS,
    annotations: { readOnlyHint: true, openWorldHint: true },
    needs: "network",
    letBy: "name",
    capability: null,
  },
};
