import { openExecutionQueue } from "@bulkhead/redis";
import { setTimeout as delay } from "node:timers/promises";
import type { FaultRow } from "./row.ts";

/** BullMQ's queue of the only shard, as it stands in Redis. */
const QUEUE = "{bh:0}:ready";
const TIMES = 20;
const EVERY_MS = 100;

/** Every job that is there under a second id too, once each; and the marker that wakes whoever waits for one. */
const COPY_JOBS = `local copies = 0
for _, list in ipairs({'wait', 'active'}) do
  for _, id in ipairs(redis.call('LRANGE', KEYS[1] .. ':' .. list, 0, -1)) do
    local copy = id .. '_again'
    if not id:find('_again') and redis.call('SADD', KEYS[1] .. ':copied', id) == 1
      and redis.call('COPY', KEYS[1] .. ':' .. id, KEYS[1] .. ':' .. copy) == 1 then
      redis.call('LPUSH', KEYS[1] .. ':wait', copy)
      copies = copies + 1
    end
  end
end
if copies > 0 then redis.call('ZADD', KEYS[1] .. ':marker', 0, '0') end
redis.call('EXPIRE', KEYS[1] .. ':copied', 60)
return copies`;

const COPIES_MIN = 10;

export const DELIVERY_ROWS: readonly FaultRow[] = [
  {
    name: "the same job delivered twice",
    strike: async ({ rig }) => {
      let copies = 0;
      for (let times = 0; times < TIMES || copies < COPIES_MIN; times += 1) {
        const reply = await rig.redis.ask(["EVAL", COPY_JOBS, "1", QUEUE]);
        copies += Number(/:(\d+)/u.exec(reply)?.[1]);
        await delay(EVERY_MS);
      }
    },
  },
  {
    name: "attempts admitted again, those that run and those that have not come yet",
    strike: async ({ rig, tenantId }) => {
      const queue = await openExecutionQueue({ redisUrl: rig.redis.url, onError: () => undefined });
      try {
        for (let times = 0; times < TIMES; times += 1) {
          const open = await rig.sql(OPEN, [tenantId]);
          for (const { id, attempt } of open) {
            const again = {
              tenantId,
              executionId: String(id),
              current: null,
              priority: 4,
              delayMs: 0,
              tool: null,
            };
            await queue.admit(
              [0, 1].map((next) => ({ ...again, attempt: Math.max(1, Number(attempt) + next) })),
            );
          }
          await delay(EVERY_MS);
        }
      } finally {
        await queue.close();
      }
    },
  },
];

const OPEN = "select id, attempt from executions where tenant_id = $1 and status in ('queued', 'running')";
