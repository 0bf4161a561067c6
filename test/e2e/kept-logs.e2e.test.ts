import { sharedProduct } from "@bulkhead/testing";
import { expect, test } from "vitest";
import { newTenant } from "../support/client.ts";

const { owner } = await newTenant(await sharedProduct());

test("a search without a word, or with too many, is refused with its field", async () => {
  const { status, body } = await owner.get("/api/v1/executions?logs=%2E!");
  expect(status).toBe(400);
  expect(body).toMatchObject({ code: "request.invalid", errors: [{ path: "logs" }] });
  const long = await owner.get(`/api/v1/executions?logs=${Array(33).fill("a").join("+")}`);
  expect(long.body.errors).toMatchObject([{ path: "logs", message: "must have 32 words at most" }]);
});

test("[R40] a tenant says for how long what its executions hold is kept", async () => {
  const before = await owner.get("/api/v1/tenant/settings");
  expect(before.body.data.retention).toBeNull();
  const retention = { events: 7, result: "none" };
  const changed = await owner.patch("/api/v1/tenant/settings", { retention });
  expect(changed.body.data).toEqual({ ...before.body.data, retention });
  for (const events of [0, -1, 3_651, 1.5, "7", "never"]) {
    const { status, body } = await owner.patch("/api/v1/tenant/settings", { retention: { events } });
    expect(status).toBe(400);
    expect(body.errors).toEqual([
      { path: "retention.events", message: 'must be "none" or a whole number of days from 1 to 3650' },
    ]);
  }
  const unset = await owner.patch("/api/v1/tenant/settings", { retention: null });
  expect(unset.body.data).toEqual(before.body.data);
});
