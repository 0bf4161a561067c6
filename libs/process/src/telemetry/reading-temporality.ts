import { AggregationTemporality, InstrumentType } from "@opentelemetry/sdk-metrics";

/**
 * `chosen`, but for gauges that are read when asked. What a cumulative reading lacks the SDK fills from the one before, so
 * that a gauge that can't be read any more would show its last value for ever; as a difference it is left out. A gauge is
 * exported as its value either way.
 */
export const temporalityOf = (
  type: InstrumentType,
  chosen = AggregationTemporality.CUMULATIVE,
): AggregationTemporality =>
  type === InstrumentType.OBSERVABLE_GAUGE ? AggregationTemporality.DELTA : chosen;
