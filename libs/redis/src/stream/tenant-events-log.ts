import { readTenantNews, type TenantEvent } from "@bulkhead/core";
import type { RedisClient } from "../connect/connect.ts";
import {
  TENANT_LOG_TTL_MS,
  TENANT_PAGE_EVENTS_MAX,
  tenantLogKey,
  tenantFloorKey,
} from "./tenant-events-names.ts";

export interface TenantLogPage {
  /** The id behind which the log has lost nothing. */
  floor: string;
  /** The id behind which everything is still to come. */
  last: string;
  events: TenantEvent[];
  /** The end of the page: the next one starts after it. */
  end: string;
  /** Whether there may be more behind it. */
  more: boolean;
}

/** One page of a tenant's log from after `after`; "" stands before all of its events. Rejects when Redis is away. */
export async function readTenantLog(
  redis: RedisClient,
  tenantId: string,
  after: string,
): Promise<TenantLogPage> {
  const keys = [tenantLogKey(tenantId), tenantFloorKey(tenantId)] as const;
  const [floor, last, page] = await redis.bhTenantRead(
    ...keys,
    after,
    TENANT_PAGE_EVENTS_MAX,
    TENANT_LOG_TTL_MS,
  );
  return {
    floor,
    last,
    events: page.map(([id, json]) => decode(id, json)).filter((event) => event !== null),
    end: page.at(-1)?.[0] ?? after,
    more: page.length === TENANT_PAGE_EVENTS_MAX,
  };
}

/** Null for an event that this version doesn't know: newer versions write to the same Redis. */
function decode(id: string, json: string): TenantEvent | null {
  try {
    const news = readTenantNews(JSON.parse(json));
    // The clock of ids is Redis's, one for all processes.
    return news && { ...news, id, at: new Date(Number.parseInt(id, 10)).toISOString() };
  } catch {
    return null;
  }
}
