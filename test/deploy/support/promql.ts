import { parser } from "@prometheus-io/lezer-promql";

/** One metric as a query names it, with the labels that are asked of it. */
export interface Selector {
  metric: string;
  matchers: { label: string; op: string; value: string }[];
}

export interface Query {
  /** Whether Prometheus's own grammar takes it. */
  isSound: boolean;
  selectors: Selector[];
  /** Labels by which results are grouped or joined. */
  groupedBy: string[];
}

/** Grafana fills its intervals in before it asks. */
const withIntervals = (text: string): string => text.replaceAll("$__rate_interval", "5m");

/** Parses a query by the grammar that Prometheus's own editor uses. */
export function parseQuery(raw: string): Query {
  const text = withIntervals(raw);
  const query: Query = { isSound: true, selectors: [], groupedBy: [] };
  parser.parse(text).iterate({
    enter(node) {
      const words = (): string => text.slice(node.from, node.to);
      const selector = query.selectors.at(-1);
      if (node.type.isError) query.isSound = false;
      else if (node.name === "VectorSelector") query.selectors.push({ metric: "", matchers: [] });
      else if (node.name === "Identifier" && selector) selector.metric = words();
      else if (node.name === "UnquotedLabelMatcher" && selector) selector.matchers.push(matcher(words()));
      else if (node.name === "LabelName" && node.node.parent?.name === "GroupingLabels")
        query.groupedBy.push(words());
    },
  });
  return query;
}

function matcher(text: string): Selector["matchers"][number] {
  const [, label = "", op = "", value = ""] = /^(\w+)\s*(=~|!~|!=|=)\s*(".*")$/s.exec(text) ?? [];
  return { label, op, value: JSON.parse(value || '""') as string };
}
