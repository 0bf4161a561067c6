import { expect, test } from "vitest";
import { sampleService } from "./fixtures/config-world.ts";
import { toolServices } from "./tool-services.ts";

/** The port over a tenant with these services. */
const toolServicesOf = (...services: ReturnType<typeof sampleService>[]) =>
  toolServices({
    configServices: {
      outlines: async (_tenantId: string, names: readonly string[]) =>
        services.filter(({ name }) => names.includes(name)),
    },
  } as unknown as Parameters<typeof toolServices>[0]);

test("those are revealed that are asked about and set to reveal, in the order asked; what is missing isn't", async () => {
  const services = toolServicesOf(
    sampleService({ name: "a", delivery: "reveal" }),
    sampleService({ name: "b" }),
    sampleService({ name: "c", delivery: "reveal" }),
    sampleService({ name: "unasked", delivery: "reveal" }),
  );
  expect(await services.revealed("ten_1", ["c", "b", "missing", "a"])).toEqual(["c", "a"]);
  expect(await services.revealed("ten_1", [])).toEqual([]);
});
