import { type SpanAttributes, type Tracing, NO_SPAN } from "@bulkhead/process/telemetry";
import { expect, test } from "vitest";
import { beginDelivery } from "./delivery-span.ts";
import { sampleClaimed } from "./fixtures/deliveries.ts";

test("nothing of the address that its caller gave is told", () => {
  const told: SpanAttributes[] = [];
  const tracing: Tracing = {
    begin(_name, _parent, { attributes = {} } = {}) {
      told.push(attributes);
      return NO_SPAN;
    },
  };
  beginDelivery(tracing, sampleClaimed({ url: "https://S3cret.example:1234/s3cret?s3cret" }));
  expect(told).toMatchObject([{ "server.address": "_OTHER", "http.request.method": "POST" }]);
  expect(JSON.stringify(told)).not.toMatch(/s3cret|1234/i);
});
