import { expect, test } from "vitest";
import { requirementsOf, servicesOf } from "./required-services.ts";

const TOLD = {
  requiredApiKeys: [{ name: "weather", displayName: "Weather" }, { name: "maps" }],
  requiredConfigServices: [{ name: "mail", multiEntry: true }, { name: "maps" }],
};

test("the services of both lists are named once, in order", () => {
  expect(servicesOf(TOLD)).toEqual(["mail", "maps", "weather"]);
});

test("for other services, what is told of those that stay stays, and the new ones are named alone", () => {
  const requirements = requirementsOf(["mail", "storage"], TOLD);
  expect(requirements).toEqual({
    requiredApiKeys: [],
    requiredConfigServices: [{ name: "mail", multiEntry: true }, { name: "storage" }],
  });
  expect(requirementsOf(servicesOf(TOLD), TOLD)).toEqual(TOLD);
});
