import { strict as assert } from "node:assert";
import { Fault, MCP_LEASE_MS, type McpRoutes, type McpServerKey } from "@bulkhead/core";
import { reaching } from "../connect/reaching.ts";
import type { StreamRedis } from "../stream/stream-redis.ts";
import { mailTo, openMailbox } from "./mailbox.ts";
import { defineRouteSteps } from "./steps.ts";

const reached = reaching("the routes to MCP servers");

// The tenant's hash tag keeps its leases on one node of a cluster.
const leaseOf = ({ tenantId, name }: McpServerKey): string => `bh:mcp-lease:{${tenantId}}:${name}`;

export interface OpenMcpRoutesInput {
  /** This process, as others send to it: a name that no other process has, then or later. */
  self: string;
  /** How long a server is held without renewing; milliseconds. */
  leaseMs?: number;
}

/** Works over the stream's connections, which stay their owner's. */
export function openMcpRoutes(
  redis: StreamRedis,
  { self, leaseMs = MCP_LEASE_MS }: OpenMcpRoutesInput,
): McpRoutes {
  const { commands } = redis;
  defineRouteSteps(commands);
  let listens = false;
  return {
    self,
    take: (server) => reached(commands.bhTakeServer(leaseOf(server), self, leaseMs)),
    holderOf: (server) => reached(commands.get(leaseOf(server))),
    renew: async (servers) => {
      const renewed = await reached(
        Promise.all(servers.map((server) => commands.bhRenewServer(leaseOf(server), self, leaseMs))),
      );
      return servers.filter((_, n) => renewed[n] === 0);
    },
    release: async (server) => {
      await reached(commands.bhReleaseServer(leaseOf(server), self));
    },
    send: (to, message) => reached(mailTo(commands, to, message)),
    listen: async (onMessage) => {
      assert(!listens, "one listens at a time");
      listens = true;
      const mailbox = openMailbox(redis, self, onMessage);
      const stop = (): void => {
        listens = false;
        mailbox.close();
      };
      if (await mailbox.ready) return stop;
      stop();
      throw new Fault("service.unavailable", { internal: "nothing can be heard from Redis" });
    },
  };
}
