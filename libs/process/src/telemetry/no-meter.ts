import { createNoopMeter, type Meter } from "@opentelemetry/api";

/** Makes instruments that count nothing, for who has nobody to tell. */
export const NO_METER: Meter = createNoopMeter();
