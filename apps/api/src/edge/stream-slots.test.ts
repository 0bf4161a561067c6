import { expect, test, vi } from "vitest";
import { StreamSlots } from "./stream-slots.ts";

test("a tenant gets as many slots as there are, and another tenant its own", () => {
  const slots = new StreamSlots(2);
  const first = slots.take("ours");
  expect([first, slots.take("ours")]).not.toContain(null);
  expect(slots.take("ours")).toBeNull();
  expect(slots.take("theirs")).not.toBeNull();
  first?.();
  expect(slots.take("ours")).not.toBeNull();
});

test("work holds its slot until it is done, however it ends, and is refused by name where there is none", async () => {
  const slots = new StreamSlots(1);
  const work = Promise.withResolvers<string>();
  const first = slots.holding("ours", () => work.promise);
  const refused = vi.fn(async () => "ran");
  await expect(slots.holding("ours", refused)).rejects.toMatchObject({
    code: "events.too_many_streams",
    retryAfterSeconds: expect.any(Number),
  });
  expect(refused).not.toHaveBeenCalled();
  work.reject(new Error("broke off"));
  await expect(first).rejects.toThrow("broke off");
  expect(await slots.holding("ours", refused)).toBe("ran");
});

test("a slot that is given back twice counts once", () => {
  const slots = new StreamSlots(2);
  const first = slots.take("ours");
  slots.take("ours");
  first?.();
  first?.();
  expect(slots.take("ours")).not.toBeNull();
  expect(slots.take("ours")).toBeNull();
});
