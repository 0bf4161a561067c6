import { expect, test } from "vitest";
import { OPERATION_IDS, operationIdOf } from "./operation-ids.ts";

test("each operation has a short name of its own", () => {
  const ids = Object.values(OPERATION_IDS);
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids) expect(id).toMatch(/^[a-z][a-zA-Z]{5,28}$/);
});

test("is found by method and route, with or without the prefix of the API", () => {
  expect(operationIdOf("PATCH", "/api/v1/custom-tools/:id")).toBe("updateTool");
  expect(operationIdOf("GET", "/healthz")).toBe("getHealth");
  expect(() => operationIdOf("GET", "/api/v1/unheard-of")).toThrow("GET /unheard-of has no operation id");
});
