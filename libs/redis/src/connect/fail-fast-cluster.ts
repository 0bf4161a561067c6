import { Cluster, type Command } from "ioredis";
import { boundCommand } from "./bound-command.ts";
import { clusterOptions, FAIL_FAST, SILENCE_MS_MAX } from "./client-options.ts";
import type { RedisTarget } from "./redis-url.ts";

type SendArguments = Parameters<Cluster["sendCommand"]>;

/**
 * A cluster's client whose commands fail like those of one Redis: at once if no node is known, within `COMMAND_MS_MAX`
 * otherwise. A command is sent again only if a node refused it unread (it was moved, or the cluster is down): one whose
 * connection broke may have taken effect.
 */
export class FailFastCluster extends Cluster {
  constructor(target: Extract<RedisTarget, { kind: "cluster" }>, name: string) {
    super(target.nodes, {
      // Options for commands to a single node, which bypass this client, such as its own greeting.
      ...clusterOptions(target, { ...FAIL_FAST, commandTimeout: SILENCE_MS_MAX, connectionName: name }),
      retryDelayOnFailover: 0,
    });
  }

  override sendCommand(command: Command, stream?: SendArguments[1], node?: unknown): unknown {
    // The library asks by `CLUSTER` whether the cluster is ready, before it is.
    if (this.status !== "ready" && command.name !== "cluster") {
      command.reject(new Error("no node of the Redis Cluster is connected"));
      return command.promise;
    }
    // Bounded also while it waits for a node's connection.
    boundCommand(command);
    return super.sendCommand(command, stream, node);
  }
}
