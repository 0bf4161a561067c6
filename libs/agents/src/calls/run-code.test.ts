import { PERMISSIONS, type Permission } from "@bulkhead/core";
import { expect, test } from "vitest";
import { requireScriptPermissions, SCRIPT_PERMISSIONS } from "./run-code.ts";

const only = (permissions: Permission[]) => ({ permissions, services: [] });

test("a person's script may have what a model's tool has without a review, and an agent's nothing", () => {
  expect(SCRIPT_PERMISSIONS).toEqual(["network", "database"]);
  for (const permission of PERMISSIONS) {
    const byAgent = () => requireScriptPermissions({ role: "agent" }, only([permission]));
    expect(byAgent).toThrow(expect.objectContaining({ code: "request.invalid" }));
    const byPerson = () => requireScriptPermissions({ role: "owner" }, only(["network", permission]));
    if (SCRIPT_PERMISSIONS.includes(permission)) byPerson();
    else
      expect(byPerson).toThrow(
        expect.objectContaining({ errors: [{ path: "permissions.1", message: expect.any(String) }] }),
      );
  }
  requireScriptPermissions({ role: "agent" }, only([]));
});

test("a script makes no schedules, since they would be of a tool that is not there", () => {
  expect(() => requireScriptPermissions({ role: "owner" }, only(["scheduling"]))).toThrow(
    expect.objectContaining({ detail: expect.stringContaining("makes no schedules") }),
  );
});

test("a person's script is given the services that it names, and an agent's none", () => {
  const asked = { permissions: [], services: ["weatherapi"] };
  requireScriptPermissions({ role: "developer" }, asked);
  expect(() => requireScriptPermissions({ role: "agent" }, asked)).toThrow(
    expect.objectContaining({ errors: [{ path: "required_config_services", message: expect.any(String) }] }),
  );
});
