import type { BrowserToolName, JsonObject } from "@bulkhead/core";
import {
  PART_CHARS_DEFAULT,
  SCROLL_PX_DEFAULT,
  SCROLL_PX_MAX,
  WAIT_MS_MAX,
} from "../../browser/action-bounds.ts";
import { TEXT_CHARS_MAX } from "../../browser/bounds.ts";
import { PATH_CHARS_MAX } from "../files/bounds.ts";
import {
  ADDRESS_CHARS_MAX,
  KEY_CHARS_MAX,
  PAGE_ID_CHARS_MAX,
  REF_CHARS_MAX,
  TYPED_CHARS_MAX,
  VALUE_CHARS_MAX,
  VALUES_MAX,
  WAIT_TEXT_CHARS_MAX,
} from "./bounds.ts";

const ACTIONS = [
  "open",
  "snapshot",
  "click",
  "type",
  "press",
  "select",
  "scroll",
  "back",
  "wait",
  "text",
  "screenshot",
  "pdf",
  "pages",
  "close",
] as const;

const text = (maxLength: number, description: string): JsonObject => ({
  type: "string",
  minLength: 1,
  maxLength,
  description,
});
const integer = (minimum: number, maximum: number, description: string): JsonObject => ({
  type: "integer",
  minimum,
  maximum,
  description,
});
const flag = (description: string): JsonObject => ({ type: "boolean", description });

/** One object with all fields: models are not offered a choice of objects by every provider. */
export const BROWSER_PARAMETERS: Readonly<Record<BrowserToolName, JsonObject>> = {
  browser: {
    type: "object",
    properties: {
      action: {
        enum: [...ACTIONS],
        description:
          "open (url, page), snapshot (startChar, maxChars), click (ref, double, button), type (ref, text, submit, slowly), " +
          "press (key), select (ref, values), scroll (direction, pixels, ref), back, wait (text, ms), " +
          "text (ref, startChar, maxChars), screenshot (fullPage, ref, format, saveAs), pdf (saveAs), pages, close. " +
          "All but pages take page.",
      },
      url: text(ADDRESS_CHARS_MAX, "open: an address that begins with http:// or https://."),
      page: text(
        PAGE_ID_CHARS_MAX,
        "The page to do it in, such as `p2`, as answers tell; left out: the one that was used last. open: `new` opens another page. close: left out closes all and ends the browser.",
      ),
      ref: text(
        REF_CHARS_MAX,
        "click, type, select, scroll, text, screenshot: an element of the last snapshot, such as `e12`.",
      ),
      text: {
        type: "string",
        maxLength: TYPED_CHARS_MAX,
        description: `type: what the field is to hold. wait: a text that must be there, ${WAIT_TEXT_CHARS_MAX} characters at most.`,
      },
      submit: flag("type: press Enter afterwards."),
      slowly: flag("type: key by key, for a page that listens to each."),
      double: flag("click: twice."),
      button: { enum: ["left", "middle", "right"], description: "click: the button of the mouse." },
      key: text(KEY_CHARS_MAX, "press: a key or keys together, such as `Enter`, `ArrowDown`, `Control+a`."),
      values: {
        type: "array",
        items: { type: "string", maxLength: VALUE_CHARS_MAX },
        minItems: 1,
        maxItems: VALUES_MAX,
        description: "select: the values or labels of the options to choose.",
      },
      direction: { enum: ["up", "down"], description: "scroll: where to." },
      pixels: integer(1, SCROLL_PX_MAX, `scroll: how far; ${SCROLL_PX_DEFAULT} unless set.`),
      ms: integer(0, WAIT_MS_MAX, "wait: milliseconds, or for text at most."),
      startChar: integer(
        0,
        Number.MAX_SAFE_INTEGER,
        "snapshot, text: the `nextChar` of the answer before; left out: from the beginning.",
      ),
      maxChars: integer(
        1,
        TEXT_CHARS_MAX,
        `snapshot, text: characters of one answer; ${PART_CHARS_DEFAULT} unless set.`,
      ),
      fullPage: flag("screenshot: the whole page in place of what the window shows."),
      format: {
        enum: ["png", "jpeg"],
        description:
          "screenshot: png unless set, or saveAs ends with .jpg; one that is too large comes as jpeg.",
      },
      saveAs: text(
        PATH_CHARS_MAX,
        "screenshot, pdf: a path in the workspace that it is written to, such as `shots/home.png`; the answer has the file in place of the bytes.",
      ),
    },
    required: ["action"],
    additionalProperties: false,
  },
};
