import {
  createNoopMeter,
  type Attributes,
  type Counter,
  type Histogram,
  type Meter,
  type ObservableCounter,
  type ObservableGauge,
} from "@opentelemetry/api";
import { factOf, type MetricName } from "./metrics/metrics.ts";

/** Makes instruments that count nothing, for who has nobody to tell. */
export const NO_METER: Meter = createNoopMeter();

/** A counter as METRICS describes it. */
export function counterOf(meter: Meter, name: MetricName<"counter">): Counter {
  return meter.createCounter(name, { description: factOf(name).meaning });
}

/** A counter as METRICS describes it, of something that is counted elsewhere and read here. */
export function observedCounterOf(meter: Meter, name: MetricName<"counter">): ObservableCounter {
  return meter.createObservableCounter(name, { description: factOf(name).meaning });
}

/** A histogram as METRICS describes it, its buckets included. */
export function histogramOf(meter: Meter, name: MetricName<"histogram">): Histogram {
  const { meaning, buckets } = factOf(name);
  const advice = buckets ? { explicitBucketBoundaries: [...buckets] } : {};
  return meter.createHistogram(name, { description: meaning, advice });
}

/** A gauge as METRICS describes it. */
export function gaugeOf(meter: Meter, name: MetricName<"gauge">): ObservableGauge {
  return meter.createObservableGauge(name, { description: factOf(name).meaning });
}

/** Stands for every value that no list has. */
const OTHER = "other";

/**
 * One label's values, each with the object that carries it: made once, so that counting makes none. What is not listed
 * is `other`, so that no caller's word becomes a series.
 */
export class LabelValues {
  readonly #labels: ReadonlyMap<string, Attributes>;
  readonly #other: Attributes;

  constructor(key: string, values: readonly string[]) {
    this.#labels = new Map(values.map((value) => [value, { [key]: value }]));
    this.#other = this.#labels.get(OTHER) ?? { [key]: OTHER };
  }

  of(value: string): Attributes {
    return this.#labels.get(value) ?? this.#other;
  }

  all(): Iterable<Attributes> {
    return this.#labels.values();
  }
}

/** Counts by the one label of a metric. All its values are there from the start, at 0, so that the first one is seen to rise. */
export function countBy(
  meter: Meter,
  name: MetricName<"counter">,
  listed: readonly string[] = valuesOf(name),
): (value: string, times?: number) => void {
  const counter = counterOf(meter, name);
  const values = new LabelValues(keyOf(name), listed);
  for (const labels of values.all()) counter.add(0, labels);
  return (value, times = 1) => counter.add(times, values.of(value));
}

/** Measures seconds by the one label of a metric, given in milliseconds. */
export function timeBy(
  meter: Meter,
  name: MetricName<"histogram">,
  listed: readonly string[] = valuesOf(name),
): (value: string, ms: number) => void {
  const histogram = histogramOf(meter, name);
  const values = new LabelValues(keyOf(name), listed);
  return (value, ms) => histogram.record(ms / 1_000, values.of(value));
}

const keyOf = (name: MetricName): string => Object.keys(factOf(name).labels)[0] ?? "";

function valuesOf(name: MetricName): readonly string[] {
  const listed = factOf(name).labels[keyOf(name)];
  return Array.isArray(listed) ? listed : [];
}
