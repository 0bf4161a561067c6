import { TooManyProcessesError, type McpCommand, type McpLauncher, type McpProcess } from "@bulkhead/core";
import { TOOL_FOLDERS } from "../layers/find-tools.ts";
import { probeRoad } from "./probe-road.ts";
import { lookForServers, startServer, type ServerGround } from "./server-ground.ts";
import type { ServerRoad } from "./server-links.ts";
import { ServerStartError } from "./server-process.ts";

/** Servers' processes of one worker, and those of one tenant on it. */
export const SERVERS_MAX = 32;
export const TENANT_SERVERS_MAX = 8;

/** Why no server is started; the message is for people. */
class ServerRefusedError extends Error {
  override readonly name = "ServerRefusedError";
}

export interface ServerLauncher extends McpLauncher {
  /** Ends what it has started; later launches reject. */
  close(): Promise<void>;
}

interface ServerLauncherOptions {
  /** Where to look for util-linux and Perl; the system's folders when unset. */
  toolFolders?: readonly string[];
}

/** A ground with the road that was seen to work on it. */
interface Settled {
  ground: ServerGround;
  road: ServerRoad;
}

/** Starts servers behind the layers of the system; what this machine can do is looked up at the first launch. */
export const openServerLauncher = (options: ServerLauncherOptions = {}): ServerLauncher =>
  new Launcher(options.toolFolders ?? TOOL_FOLDERS);

class Launcher implements ServerLauncher {
  readonly #toolFolders: readonly string[];
  readonly #closing = new AbortController();
  /** One entry a process that runs, starts or ends: whose it is, until nothing of it is left. */
  readonly #running = new Map<Promise<void>, string>();
  #settled: Promise<Settled> | null = null;

  constructor(toolFolders: readonly string[]) {
    this.#toolFolders = toolFolders;
  }

  async launch({ tenantId, ...command }: McpCommand): Promise<McpProcess> {
    if (this.#closing.signal.aborted) throw new ServerRefusedError("This worker is stopping.");
    this.#checkBounds(tenantId);
    checkEnvironment(command.env);
    const over = Promise.withResolvers<void>();
    this.#running.set(over.promise, tenantId);
    const leave = (): void => {
      this.#running.delete(over.promise);
      over.resolve();
    };
    try {
      const { ground, road } = await this.#settle();
      const server = await startServer(ground, road, command, this.#closing.signal);
      void server.ended.then(leave);
      return server;
    } catch (error) {
      leave();
      if (!(error instanceof ServerStartError)) throw error;
      throw new ServerRefusedError(`The server could not be started: ${error.message}.`, { cause: error });
    }
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.all(this.#running.keys());
  }

  #checkBounds(tenantId: string): void {
    const owners = [...this.#running.values()];
    if (owners.filter((owner) => owner === tenantId).length >= TENANT_SERVERS_MAX)
      throw new TooManyProcessesError(
        `The tenant has ${TENANT_SERVERS_MAX} servers' processes on this worker, as many as it may have.`,
      );
    if (owners.length >= SERVERS_MAX)
      throw new TooManyProcessesError(
        `This worker has ${SERVERS_MAX} servers' processes, as many as it may have.`,
      );
  }

  /** What was found to work stays; what was not is looked for again by the next launch. */
  #settle(): Promise<Settled> {
    this.#settled ??= this.#findRoad().catch((error: unknown) => {
      this.#settled = null;
      throw error;
    });
    return this.#settled;
  }

  async #findRoad(): Promise<Settled> {
    const reasons: string[] = [];
    try {
      const ground = await lookForServers(this.#toolFolders);
      for (const road of roadsOn(ground)) {
        const reason = await probeRoad(ground, road, this.#closing.signal);
        if (reason === null) return { ground, road };
        reasons.push(reason);
      }
    } catch (error) {
      if (!(error instanceof ServerStartError)) throw error;
      reasons.push(error.message);
    }
    throw new ServerRefusedError(
      `This worker starts no servers, since its machine can't keep them in: ${[...new Set(reasons)].join("; ")}. ` +
        "See the table of servers in libs/sandbox/THREAT-MODEL.md for what it takes.",
    );
  }
}

/** The best first. Without a root of its own a server may find sockets by their paths: then its user must not be ours. */
const roadsOn = ({ uids }: ServerGround): ServerRoad[] =>
  uids === null
    ? [{ namespaces: "through_user", ownRoot: true }]
    : [
        { namespaces: "direct", ownRoot: true },
        { namespaces: "through_user", ownRoot: true },
        { namespaces: "through_user", ownRoot: false },
      ];

/** A zero character would end a variable early, and begin another. */
function checkEnvironment(env: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(env)) {
    if (name === "" || /[=\0]/.test(name) || value.includes("\0"))
      throw new ServerRefusedError(`The variable ${JSON.stringify(name)} can't be given to a process.`);
  }
}
