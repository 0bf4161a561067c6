import {
  detectResources,
  envDetector,
  resourceFromAttributes,
  type Resource,
} from "@opentelemetry/resources";
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";

const ROOT_PACKAGE = new URL("../../../../package.json", import.meta.url);

/** The version of Bulkhead that is installed here, as the root package.json has it. */
export function productVersion(): string {
  const { version } = JSON.parse(readFileSync(ROOT_PACKAGE, "utf8")) as { version: string };
  return version;
}

/** One for all that this process says of itself, so that its traces and its metrics are found together. */
const INSTANCE_ID = randomUUID();

/** The attributes by which a collector knows a process; `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES` win. */
export const resourceOf = (service: string): Resource =>
  resourceFromAttributes({
    "service.name": `bulkhead-${service}`,
    "service.version": productVersion(),
    "service.instance.id": INSTANCE_ID,
  }).merge(detectResources({ detectors: [envDetector] }));
