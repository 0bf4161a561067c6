import { PERMISSIONS } from "@bulkhead/core";
import { expect, test } from "vitest";
import { requireScriptPermissions, SCRIPT_PERMISSIONS } from "./run-code.ts";

test("a person's script may have what a model's tool has without a review, and an agent's nothing", () => {
  expect(SCRIPT_PERMISSIONS).toEqual(["network", "database", "scheduling"]);
  for (const permission of PERMISSIONS) {
    const byAgent = () => requireScriptPermissions({ role: "agent" }, [permission]);
    expect(byAgent).toThrow(expect.objectContaining({ code: "request.invalid" }));
    const byPerson = () => requireScriptPermissions({ role: "owner" }, ["network", permission]);
    if (SCRIPT_PERMISSIONS.includes(permission)) byPerson();
    else
      expect(byPerson).toThrow(
        expect.objectContaining({ errors: [{ path: "permissions.1", message: expect.any(String) }] }),
      );
  }
  requireScriptPermissions({ role: "agent" }, []);
});
