import { shown, type PartReport, type Report, type Summary } from "./report.ts";

const WIDTH = 960;
const LABEL_WIDTH = 450;
const BARS_WIDTH = 370;
const ROW = 20;
const HEAD = 34;
const MARGIN = 16;
/** One colour for each unit: bars of different colours have different scales. */
const COLOURS: Record<Summary["unit"], string> = {
  ms: "#4269d0",
  "/s": "#3ca951",
  "×": "#efb118",
  MiB: "#a463f2",
  KiB: "#a463f2",
  index: "#efb118",
  count: "#9498a0",
};
const TEXT = `font-family="system-ui, sans-serif" fill="#24292f"`;

/** All figures as bars: as long as the median, with a line from the lowest round to the highest. One scale for each unit of a part. */
export function renderSvg({ parts, machine, at }: Report): string {
  const drawn: string[] = [];
  let y = MARGIN + HEAD;
  for (const part of parts.filter(({ figures }) => figures.length > 0)) {
    drawn.push(...drawPart(part, y));
    y += HEAD + part.figures.length * ROW + MARGIN;
  }
  const where = `${machine.cpu}, ${machine.cores} cores, Node ${machine.node}, ${at.slice(0, 10)}`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${y}" viewBox="0 0 ${WIDTH} ${y}" role="img">`,
    `<title>How fast it is</title>`,
    `<rect width="${WIDTH}" height="${y}" fill="#ffffff"/>`,
    `<text x="${MARGIN}" y="${MARGIN + 14}" font-size="13" ${TEXT}>${escape(where)}</text>`,
    ...drawn,
    "</svg>",
    "",
  ].join("\n");
}

function drawPart({ title, figures }: PartReport, top: number): string[] {
  const scales = new Map<Summary["unit"], number>();
  for (const { unit, max } of figures) scales.set(unit, Math.max(scales.get(unit) ?? 0, max));
  return [
    `<text x="${MARGIN}" y="${top + 16}" font-size="15" font-weight="600" ${TEXT}>${escape(title)}</text>`,
    ...figures.flatMap((figure, place) =>
      drawFigure(figure, top + HEAD + place * ROW, scales.get(figure.unit) ?? 0),
    ),
  ];
}

function drawFigure({ what, unit, median, min, max }: Summary, top: number, scale: number): string[] {
  const x = (value: number): number => LABEL_WIDTH + (scale > 0 ? (value / scale) * BARS_WIDTH : 0);
  const middle = top + ROW / 2;
  const value = unit === "×" ? `× ${shown(median)}` : `${shown(median)} ${NAMES[unit]}`;
  const at = (left: number) => left.toFixed(1);
  return [
    `<text x="${LABEL_WIDTH - 8}" y="${middle + 4}" font-size="12" text-anchor="end" ${TEXT}>${escape(what)}</text>`,
    `<rect x="${LABEL_WIDTH}" y="${top + 3}" width="${at(x(median) - LABEL_WIDTH)}" height="${ROW - 6}" fill="${COLOURS[unit]}"/>`,
    `<line x1="${at(x(min))}" y1="${middle}" x2="${at(x(max))}" y2="${middle}" stroke="#24292f" stroke-width="1.5"/>`,
    `<text x="${at(x(max) + 6)}" y="${middle + 4}" font-size="12" ${TEXT}>${escape(value.trim())}</text>`,
  ];
}

const NAMES: Record<Summary["unit"], string> = {
  ms: "ms",
  "/s": "/s",
  "×": "",
  MiB: "MiB",
  KiB: "KiB",
  index: "",
  count: "",
};

const ESCAPED: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escape = (text: string): string => text.replaceAll(/[&<>"]/gu, (one) => ESCAPED[one] ?? one);
