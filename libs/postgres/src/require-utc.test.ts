import { expect, test } from "vitest";
import type { PrismaClient } from "./generated/client.ts";
import { requireUtc } from "./require-utc.ts";

/** The zone of whoever lets our own setting fall. */
const sessionsIn = (zone: string) =>
  ({ $queryRaw: () => Promise.resolve([{ zone }]) }) as unknown as Pick<PrismaClient, "$queryRaw">;

test.each(["UTC", "Etc/UTC", "GMT"])("%s is UTC", async (zone) => {
  await expect(requireUtc(sessionsIn(zone))).resolves.toBeUndefined();
});

test.each(["Europe/London", "America/New_York", ""])(
  "%j is not, and the fault says what to do",
  async (zone) => {
    await expect(requireUtc(sessionsIn(zone))).rejects.toMatchObject({
      code: "service.unavailable",
      message: expect.stringContaining("SET timezone TO 'UTC'"),
    });
  },
);
