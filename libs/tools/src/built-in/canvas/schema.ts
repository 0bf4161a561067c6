import type { JsonObject } from "@bulkhead/core";
import { PATH_CHARS_MAX } from "../files/bounds.ts";
import {
  COLOUR_CHARS_MAX,
  HTML_SIZE_DEFAULT,
  SCALE_MAX,
  SCALE_MIN,
  SIDE_MAX,
  SOURCE_CHARS_MAX,
} from "./bounds.ts";

const PICTURE_FORMATS = ["png", "jpeg"] as const;
export type PictureFormat = (typeof PICTURE_FORMATS)[number];

/** A colour by its name, in hexadecimal, or by one of CSS's functions. */
const COLOUR = "^(#[0-9a-fA-F]{3,8}|[a-zA-Z]+|(rgb|rgba|hsl|hsla)\\([0-9., %/a-z+-]+\\))$";

const source = (description: string): JsonObject => ({
  type: "string",
  minLength: 1,
  maxLength: SOURCE_CHARS_MAX,
  description,
});
const side = (description: string): JsonObject => ({
  type: "integer",
  minimum: 1,
  maximum: SIDE_MAX,
  description,
});
const path = (description: string): JsonObject => ({
  type: "string",
  minLength: 1,
  maxLength: PATH_CHARS_MAX,
  description,
});

export const CANVAS_PARAMETERS: JsonObject = {
  type: "object",
  properties: {
    svg: source("The SVG to draw, from <svg to </svg>. Give one of svg, html and path."),
    html: source("The page of HTML to draw, with its styles in it."),
    path: path("A file of the workspace to draw, such as `charts/sales.svg`: .svg, .html or .htm."),
    width: side(
      `CSS pixels across; left out: as the SVG says, or follows from height. Of HTML ${HTML_SIZE_DEFAULT.width}.`,
    ),
    height: side(
      `CSS pixels down; left out: as the SVG says, or follows from width. Of HTML as all of it is tall.`,
    ),
    scale: {
      type: "number",
      minimum: SCALE_MIN,
      maximum: SCALE_MAX,
      default: 1,
      description: "Pixels of the picture to one of CSS: 2 for a sharper one.",
    },
    background: {
      type: "string",
      maxLength: COLOUR_CHARS_MAX,
      pattern: COLOUR,
      description: "A colour behind it, such as `#fff`. Left out: none behind SVG as PNG, else white.",
    },
    format: {
      type: "string",
      enum: [...PICTURE_FORMATS],
      description: "Left out: as saveAs ends, else png. jpeg needs a browser.",
    },
    saveAs: path(
      "A file of the workspace to make of it, such as `charts/sales.png`, in place of showing it.",
    ),
  },
  required: [],
  additionalProperties: false,
};
