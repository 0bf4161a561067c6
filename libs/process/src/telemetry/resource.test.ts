import { expect, test } from "vitest";
import { resourceOf } from "./resource.ts";

test("traces and metrics of one process name the same instance", () => {
  const id = resourceOf("api").attributes["service.instance.id"];
  expect(id).toMatch(/^[0-9a-f-]{36}$/);
  expect(resourceOf("api").attributes["service.instance.id"]).toBe(id);
});
