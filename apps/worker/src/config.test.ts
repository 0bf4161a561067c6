import { SANDBOX_LAYERS } from "@bulkhead/domain";
import { SettingsError } from "@bulkhead/settings";
import { expect, it } from "vitest";
import { readConfig } from "./config.ts";

const STORES = { DATABASE_URL: "postgres://localhost/b", REDIS_URL: "redis://localhost" };

it.each([
  [undefined, []],
  ["", []],
  ["landlock", ["landlock"]],
  [" own_uid, ,network_namespace ", ["own_uid", "network_namespace"]],
  [SANDBOX_LAYERS.join(","), [...SANDBOX_LAYERS]],
])("SANDBOX_REQUIRE %j names the layers %j", (text, layers) => {
  expect(readConfig({ ...STORES, SANDBOX_REQUIRE: text }).SANDBOX_REQUIRE).toEqual(layers);
});

it("SANDBOX_REQUIRE refuses a layer that does not exist, and lists those that do", () => {
  const read = (): unknown => readConfig({ ...STORES, SANDBOX_REQUIRE: "landlock,seccomp,Environment" });
  expect(read).toThrow(SettingsError);
  expect(read).toThrow(/no such layer: seccomp, Environment; there are environment, no_new_privileges/);
});
