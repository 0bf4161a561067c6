import { AbstractConnector, type Redis } from "ioredis";
import { createConnection, type Socket } from "node:net";
import { connect as connectTls, type TLSSocket } from "node:tls";
import { FAIL_FAST, reconnectMs } from "./client-options.ts";
import { FailFastRedis } from "./fail-fast-redis.ts";
import {
  becomesReady,
  connect,
  isCluster,
  targetOf,
  type ConnectInput,
  type RedisClient,
} from "./connect.ts";
import type { RedisNode, RedisTarget } from "./redis-url.ts";

/** How long a socket may take to end by itself; milliseconds. */
const END_MS_MAX = 2_000;

export interface ListenInput extends ConnectInput {
  /** A connection to the same Redis, for commands: in a cluster it knows the nodes that the URL doesn't name. */
  beside: RedisClient;
}

/**
 * A connection that subscribes, with the promises of `connect`. Every node of a cluster hears all messages, so in a
 * cluster it is one connection to one node, and after each break to the next.
 */
export async function listen(input: ListenInput): Promise<Redis> {
  const target = targetOf(input.redisUrl);
  const redis = target.kind === "cluster" ? toSomeNode(target, input) : await connect({ ...input });
  if (isCluster(redis)) throw new Error("a cluster's client can't listen");
  if (target.kind === "cluster") await becomesReady(redis, target);
  return redis;
}

function toSomeNode(
  target: Extract<RedisTarget, { kind: "cluster" }>,
  { name, onError, beside }: ListenInput,
): Redis {
  const { nodes, username, password, isTls } = target;
  const known = (): RedisNode[] => [...nodesOf(beside), ...nodes];
  const redis = new FailFastRedis({
    ...FAIL_FAST,
    username,
    password,
    connectionName: name,
    enableOfflineQueue: false,
    retryStrategy: reconnectMs,
    Connector: connectorTo(known, isTls),
  });
  redis.on("error", onError);
  return redis;
}

const nodesOf = (redis: RedisClient): RedisNode[] =>
  isCluster(redis)
    ? redis.nodes().flatMap(({ options: { host, port } }) => (host && port ? [{ host, port }] : []))
    : [];

/** Tries one server after the other, one each time that a connection is wanted. */
function connectorTo(known: () => RedisNode[], isTls: boolean) {
  let turn = Math.floor(Math.random() * 1_000);
  return class extends AbstractConnector {
    constructor() {
      super(END_MS_MAX);
    }

    override connect(): Promise<Socket | TLSSocket> {
      this.connecting = true;
      const all = known();
      const node = all[(turn += 1) % all.length];
      if (!node) return Promise.reject(new Error("no node of the Redis Cluster is known"));
      const stream = isTls ? connectTls({ ...node }) : createConnection(node);
      this.stream = stream;
      stream.once("error", (error) => (this.firstError = error));
      return Promise.resolve(stream);
    }
  };
}
