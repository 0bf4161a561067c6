import { CONFIG_VALUE_BYTES_MAX } from "@bulkhead/core";
import { expect, test } from "vitest";
import { OWNER } from "../fixtures/config-world.ts";
import { createScrubRule, type ScrubRuleDeps } from "./scrub-rules.ts";

/** A value that is accepted reaches the vault, which is down. */
const deps = {
  vault: { seal: () => Promise.reject(new Error("sealed")) },
} as unknown as ScrubRuleDeps;
const create = (value: string) => createScrubRule(deps, OWNER, { name: "rule", allowWeak: false, value });

test("a value is bounded in bytes, not in characters", async () => {
  const wide = "küß!".repeat(CONFIG_VALUE_BYTES_MAX / 4);
  await expect(create(wide)).rejects.toMatchObject({
    code: "request.invalid",
    errors: [{ path: "value", message: expect.stringContaining(`${CONFIG_VALUE_BYTES_MAX} bytes`) }],
  });
  await expect(create("k3y!".repeat(CONFIG_VALUE_BYTES_MAX / 4).slice(1) + "x")).rejects.toThrow("sealed");
});
