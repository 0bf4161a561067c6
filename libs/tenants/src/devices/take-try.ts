import { Fault, type DeviceKey, type Rate, type RateLimiter } from "@bulkhead/core";
import { createHash } from "node:crypto";

const MINUTE_MS = 60_000;
/** Tries of one address: to pair, and to connect, each. */
const OF_ADDRESS: Readonly<Record<Tried, Rate>> = {
  pairing: { count: 60, perMs: MINUTE_MS, burst: 120 },
  connecting: { count: 6_000, perMs: MINUTE_MS, burst: 1_000 },
};
/** Connections of one device: each is allowed a burst of messages, and ends the one before. */
const OF_DEVICE: Rate = { count: 60, perMs: MINUTE_MS, burst: 30 };
/** Tries to pair of all addresses together: a code has 40 bits, so that whoever has many addresses hits none in its ten minutes. */
const OF_ALL: Rate = { count: 1_200, perMs: MINUTE_MS, burst: 600 };

type Tried = "pairing" | "connecting";

/**
 * Counts a try of somebody unknown, before anything is looked up. Throws `device.rate_limited`, and `service.unavailable` where
 * nobody can tell: nothing is guessed unlimited.
 */
export async function takeTry(
  rateLimiter: Pick<RateLimiter, "take">,
  tried: Tried,
  address: string,
): Promise<void> {
  const from = createHash("sha256").update(address).digest("hex").slice(0, 16);
  const taken = await rateLimiter.take({ tenantId: `address:${from}`, name: tried }, OF_ADDRESS[tried], 1);
  if (!taken.allowed) throw tooMany(taken.retryAfterMs);
  if (tried !== "pairing") return;
  const ofAll = await rateLimiter.take({ tenantId: "addresses", name: tried }, OF_ALL, 1);
  if (!ofAll.allowed) throw tooMany(ofAll.retryAfterMs);
}

/** Counts a connection of a device that may connect, from wherever it comes. Throws as `takeTry` does. */
export async function takeConnection(
  rateLimiter: Pick<RateLimiter, "take">,
  { tenantId, deviceId }: DeviceKey,
): Promise<void> {
  const taken = await rateLimiter.take({ tenantId, name: `connecting ${deviceId}` }, OF_DEVICE, 1);
  if (!taken.allowed) throw tooMany(taken.retryAfterMs);
}

const tooMany = (retryAfterMs: number | null): Fault =>
  new Fault("device.rate_limited", {
    detail: "Too many tries within a minute; wait and send it again.",
    retryAfterSeconds: Math.max(1, Math.ceil((retryAfterMs ?? MINUTE_MS) / 1_000)),
  });
