import type { CanvasToolName, ProvidedTool } from "@bulkhead/core";
import { PIXELS_MAX, SHOWN_BYTES_MAX } from "./bounds.ts";
import { CANVAS_PARAMETERS } from "./schema.ts";

const KIB = 1_024;

export const CANVAS_TOOLS: Readonly<Record<CanvasToolName, ProvidedTool>> = {
  canvas: {
    name: "canvas",
    title: "Draw a picture",
    description:
      `Draws SVG or HTML as a picture and shows it: charts, diagrams, cards. It comes as an image with { width, height, bytes, ` +
      `format, engine }, up to ${SHOWN_BYTES_MAX / KIB} KiB; with saveAs it becomes a file of the workspace, and the answer is ` +
      `{ path, size, etag, … }. Nothing is loaded from anywhere: give pictures within it as data: URLs; notLoaded names what was wanted. No scripts run. At most ` +
      `${PIXELS_MAX / KIB / KIB} Mpx. HTML, foreignObject and jpeg need a browser, which not every deployment has; the engine is ` +
      `"chromium" or "resvg". saveAs and path need the caller's permission filesystem.`,
    group: "ui",
    parameters: CANVAS_PARAMETERS,
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    needs: null,
    argumentNeeds: { saveAs: "filesystem", path: "filesystem" },
    letBy: "policy",
    capability: null,
  },
};
