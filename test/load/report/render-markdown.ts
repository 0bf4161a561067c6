import { BUSY_MAX, FRAME } from "./words.ts";
import { shown, type PartReport, type Report, type Summary } from "./report.ts";

/** The report as Markdown; `plot` is where its picture lies, from there. */
export function renderMarkdown(report: Report, plot: string): string {
  const { at, machine, settings, parts } = report;
  const lines = [
    "# How fast it is",
    "",
    FRAME,
    "",
    `Measured ${at.slice(0, 10)} by \`npm run bench -- --rounds ${settings.rounds} --seconds ${settings.seconds} --streams ${settings.streams}\` on ` +
      `${machine.cpu}, ${machine.cores} cores, ${machine.memoryGib} GiB, ${machine.system}, Node ${machine.node}; load average before: ${machine.loadBefore}.`,
    ...(machine.busyBefore > BUSY_MAX ? ["", doubt(machine.busyBefore)] : []),
    "",
    `![All figures as bars](${plot})`,
    ...parts.flatMap((part) => ["", ...renderPart(part)]),
  ];
  return `${lines.join("\n")}\n`;
}

const doubt = (busy: number): string =>
  `**The machine was not free: others used ${Math.round(busy * 100)} % of its processors before the first part.** Ratios hold better than times.`;

function renderPart({ title, name, how, tookSeconds, figures, failure }: PartReport): string[] {
  const head = [`## ${title}`, "", `${how} (\`--parts ${name}\`, ${Math.round(tookSeconds)} s)`, ""];
  const failed = failure === null ? [] : [`**This part failed:** ${oneLine(failure)}`, ""];
  if (figures.length === 0) return [...head, ...failed].slice(0, -1);
  return [
    ...head,
    ...failed,
    "| | median | | of the rounds |",
    "| --- | ---: | --- | --- |",
    ...figures.map(row),
  ];
}

const row = (figure: Summary): string => {
  const { what, unit, median, rounds } = figure;
  const one = rounds.length === 1 ? "one round" : spread(figure);
  return `| ${oneLine(what)} | ${unit === "×" ? `× ${shown(median)}` : shown(median)} | ${UNITS[unit]} | ${one} |`;
};

const spread = ({ min, max }: Summary): string => `${shown(min)} to ${shown(max)}`;

const UNITS: Record<Summary["unit"], string> = {
  ms: "ms",
  "/s": "per second",
  "×": "",
  MiB: "MiB",
  KiB: "KiB",
  index: "",
  count: "",
};

const oneLine = (text: string): string => text.replaceAll(/\s+/gu, " ").replaceAll("|", "\\|").slice(0, 500);
