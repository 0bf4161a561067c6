import {
  detectResources,
  envDetector,
  resourceFromAttributes,
  type Resource,
} from "@opentelemetry/resources";
import { randomUUID } from "node:crypto";
import { productVersion } from "./product-version.ts";

/** One for all that this process says of itself, so that its traces and its metrics are found together. */
const INSTANCE_ID = randomUUID();

/** What a collector knows a process by; `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES` win. */
export const resourceOf = (service: string): Resource =>
  resourceFromAttributes({
    "service.name": `bulkhead-${service}`,
    "service.version": productVersion(),
    "service.instance.id": INSTANCE_ID,
  }).merge(detectResources({ detectors: [envDetector] }));
