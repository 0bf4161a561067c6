import { CAPABILITY_PERMISSIONS, type CapabilityFamily } from "@bulkhead/core";
import { expect, test } from "vitest";
import { workerEngines } from "./engines.ts";

test("a worker tells of each family whether it was opened with it, and why one is not there", () => {
  const found = workerEngines({ files: {} as CapabilityFamily });
  expect(found).toContainEqual({ engine: "files", available: true, detail: "" });
  expect(found).toContainEqual({
    engine: "shell",
    available: false,
    detail: "This worker was started without it.",
  });
  expect(found).toHaveLength(Object.keys(CAPABILITY_PERMISSIONS).length);
});
