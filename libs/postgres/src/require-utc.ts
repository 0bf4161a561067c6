import { Fault } from "@bulkhead/core";
import type { PrismaClient } from "./generated/client.ts";

const UTC = /^(Etc\/)?(UTC|UCT|Zulu|Universal|GMT|Greenwich)$/i;

/**
 * Every session asks for UTC when it starts; where a pooler drops that, the server has to be in UTC by itself, since the
 * adapter takes every time for UTC. Throws `service.unavailable`, with what to do, where it is in another zone.
 */
export async function requireUtc(client: Pick<PrismaClient, "$queryRaw">): Promise<void> {
  const [row] = await client.$queryRaw<{ zone: string }[]>`SELECT current_setting('TimeZone') AS zone`;
  const zone = row?.zone ?? "";
  if (UTC.test(zone)) return;
  const internal =
    `The sessions with the database are in the time zone ${zone}, though they asked for UTC: something between drops ` +
    "the startup parameter `options`. Let it through, or run: ALTER DATABASE … SET timezone TO 'UTC'";
  throw new Fault("service.unavailable", { internal });
}
