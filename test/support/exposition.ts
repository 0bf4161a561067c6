/** One series of a scrape. */
interface Sample {
  /** As in its TYPE line: without a histogram's `_bucket`, `_sum` and `_count`. */
  metric: string;
  /** The whole name. */
  name: string;
  labels: Record<string, string>;
  value: number;
}

/** Prometheus' text format (version 0.0.4), read strictly: what it does not know throws. */
export interface Exposition {
  /** By metric. */
  types: Map<string, string>;
  help: Map<string, string>;
  samples: Sample[];
}

const SAMPLE = /^([a-z_][a-z0-9_]*)(?:\{(.*)\})? (\S+)$/u;
const LABEL = /([a-z_][a-z0-9_]*)="((?:[^"\\]|\\.)*)"(?:,|$)/gu;

function readExposition(text: string): Exposition {
  const types = new Map<string, string>();
  const help = new Map<string, string>();
  const samples: Sample[] = [];
  for (const line of text.split("\n").filter((each) => each !== "")) {
    const [, kind, of = "", rest = ""] = /^# (TYPE|HELP) (\S+) (.*)$/u.exec(line) ?? [];
    if (kind === "TYPE") types.set(of, rest);
    else if (kind === "HELP") help.set(of, rest.replaceAll("\\\\", "\\").replaceAll("\\n", "\n"));
    else samples.push(readSample(line, types));
  }
  return { types, help, samples };
}

function readSample(line: string, types: ReadonlyMap<string, string>): Sample {
  const [, name = "", inside = "", value = ""] = SAMPLE.exec(line) ?? [];
  const base = name.replace(/_(bucket|sum|count)$/u, "");
  const metric = types.get(base) === "histogram" ? base : name;
  if (!types.has(metric)) throw new Error(`no TYPE came before: ${line}`);
  const labels = Object.fromEntries(
    [...inside.matchAll(LABEL)].map(([, key = "", said = ""]) => [key, said]),
  );
  return { metric, name, labels, value: Number(value) };
}

/** Reads what a process serves. */
export async function scrapeMetrics(url: string): Promise<Exposition> {
  const response = await fetch(url);
  if (response.status !== 200) throw new Error(`${url} answered ${response.status}`);
  return readExposition(await response.text());
}

/** The sum of a metric's series (of a histogram: the count) that carry these labels. */
export function totalOf(
  { samples, types }: Exposition,
  metric: string,
  labels: Record<string, string> = {},
): number {
  const name = types.get(metric) === "histogram" ? `${metric}_count` : metric;
  return samples
    .filter((sample) => sample.name === name)
    .filter((sample) => Object.entries(labels).every(([key, value]) => sample.labels[key] === value))
    .reduce((sum, { value }) => sum + value, 0);
}
