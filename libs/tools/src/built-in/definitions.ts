import type { BuiltInToolName, ProvidedTool } from "@bulkhead/core";
import { TEXT_CHARS_DEFAULT, TEXT_CHARS_MAX } from "./bounds.ts";

const WEB_FETCH: ProvidedTool = {
  name: "web_fetch",
  description:
    `Fetches a web page and returns what a person would read there: { url, status, title, text, links, truncated }. ` +
    `HTML becomes text; JSON and other text come as they are. Needs the caller's network permission.`,
  parameters: {
    type: "object",
    properties: {
      url: { type: "string", minLength: 1, maxLength: 8_192, description: "Where the page is." },
      maxLength: {
        type: "integer",
        minimum: 1,
        maximum: TEXT_CHARS_MAX,
        default: TEXT_CHARS_DEFAULT,
        description: "Characters of text at most.",
      },
    },
    required: ["url"],
    additionalProperties: false,
  },
  needsNetwork: true,
};

const BY_NAME: Record<BuiltInToolName, ProvidedTool> = { web_fetch: WEB_FETCH };

/** The tools that come with the platform, as tools and callers are shown them. */
export const BUILT_IN_TOOLS: readonly ProvidedTool[] = Object.values(BY_NAME);
