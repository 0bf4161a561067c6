import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The fonts that come with the platform, so that text looks the same on every machine. */
const FILES = [
  "DejaVuSans",
  "DejaVuSans-Bold",
  "DejaVuSans-Oblique",
  "DejaVuSans-BoldOblique",
  "DejaVuSansMono",
  "DejaVuSansMono-Bold",
  "DejaVuSerif",
  "DejaVuSerif-Bold",
  "DejaVuSerif-Italic",
] as const;

/** What is drawn where no family that is asked for is there. */
export const FAMILY_DEFAULT = "DejaVu Sans";

/** Reads all of them; about 4.5 MB. */
export const readFonts = (): Uint8Array[] =>
  FILES.map((name) => readFileSync(fileURLToPath(import.meta.resolve(`dejavu-fonts-ttf/ttf/${name}.ttf`))));

/** Where families are declared; text that only speaks of them is drawn as it is. */
const TAGS_AND_STYLES = /<style\b[^]*?<\/style\s*>|<[^>]+>/gi;
const DECLARED = /font(?:-family)?\s*(?::[^;}"<>]*|=\s*"[^"<>]*"|=\s*'[^'<>]*')/gi;
const MONO = /(?<![\w-])(?:ui-monospace|monospace|courier new|courier|consolas|menlo|monaco)(?![\w-])/gi;
const SERIF = /(?<![\w-])(?:ui-serif|serif|times new roman|times|georgia)(?![\w-])/gi;

/**
 * Names the families that are there in place of generic ones and the usual ones of other systems, which the renderer takes for
 * none: it would draw all of them in the default.
 */
export const withKnownFamilies = (svg: string): string =>
  svg.replace(TAGS_AND_STYLES, (part) =>
    part.replace(DECLARED, (declared) =>
      declared.replace(MONO, "DejaVu Sans Mono").replace(SERIF, "DejaVu Serif"),
    ),
  );
