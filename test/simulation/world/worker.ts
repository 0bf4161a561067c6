import type { EgressBroker } from "@bulkhead/core";
import { runAttempt, type RunDeps } from "@bulkhead/executions";
import { NO_TRACING } from "@bulkhead/process/telemetry";
import { keepLeases, LEASE_MS } from "../../../apps/worker/src/lease-keeper.ts";
import { Repeating } from "../../../apps/worker/src/repeating.ts";
import { stopGently } from "../../../apps/worker/src/stop-gently.ts";
import { sweepOften } from "../../../apps/worker/src/sweeper.ts";
import type { VirtualProcess } from "../kernel/scheduler.ts";
import { VirtualConsumer } from "./consumer.ts";
import { busOf, queueOf, storeOf, streamOf } from "./ports.ts";
import { sandboxOf } from "./sandbox.ts";
import { SeenAttempts } from "./seen-attempts.ts";
import { NO_SECRETS } from "./scrubbers.ts";
import type { World } from "./world.ts";

/** How often a worker says how many slots it has, and for how long that counts; milliseconds. */
const ANNOUNCE_MS = 2_000;
const ANNOUNCED_MS = 10_000;
const DISPATCH_EVERY_MS = 1_000;
const GRACE_MS = 2_000;

const NO_METER = { createCounter: () => ({ add: () => undefined }) } as unknown as Parameters<
  typeof sweepOften
>[1];

/** Requests of tools: the world is told of each at the moment at which it leaves the worker. */
const egressOf = (world: World): Pick<EgressBroker, "open"> => ({
  open: () => {
    let requests = 0;
    return {
      get requests() {
        return requests;
      },
      bytesIn: 0,
      bytesOut: 0,
      left: { networkRequests: 0, bytesIn: 0, bytesOut: 0 },
      charge: () => undefined,
      fetch: async ({ url }) => {
        requests += 1;
        const [executionId = "", attempt] = url.split("/");
        const idempotent = world.store.rows.get(executionId)?.born.idempotent ?? false;
        world.history.tell({ kind: "effect", executionId, attempt: Number(attempt), idempotent });
        await world.scheduler.sleep(world.random.skewed(20, 500));
        return { ok: false, code: "failed", message: "Nobody answers." };
      },
      read: () => Promise.resolve({ ok: false, code: "failed", message: "No body." }),
      withSecrets() {
        return this;
      },
      close: () => undefined,
    };
  },
});

/** A worker process, wired as the worker app wires one. Answers how to stop it gently, after which it is gone. */
export function startWorker(
  world: World,
  name: string,
  slots: number,
): { process: VirtualProcess; stop: () => void } {
  const process = world.scheduler.spawn(name);
  world.scheduler.current = process;
  const executions = storeOf(world, process);
  const queue = queueOf(world, process);
  const stream = streamOf(world, process);
  const bus = busOf(world, process);
  const running = new SeenAttempts();
  const tenantEvents = { publish: () => Promise.resolve() };
  const { report } = world;
  const clock = () => new Date(world.now());
  const run = {
    executions,
    queue,
    stream,
    bus,
    running,
    clock,
    report,
    sandbox: sandboxOf(world, process, running),
    egress: egressOf(world),
    tenantEvents,
    audit: { record: () => Promise.resolve() },
    schemas: { checkArguments: () => Promise.resolve([]) },
    provider: { listTools: () => [], callTool: () => Promise.reject(new Error("no built-in tools here")) },
    findTool: () => Promise.resolve(null),
    listActiveTools: () => Promise.resolve([]),
    findDefinition: (_: string, toolId: string) => Promise.resolve(world.tool(toolId)),
    findCodeFault: () => null,
    ...NO_SECRETS,
    workerId: name,
    leaseMs: LEASE_MS,
    tracing: NO_TRACING,
    // Nested calls are not simulated: no tool here calls another.
  } as unknown as RunDeps;
  const onSignal: World["members"][number]["onSignal"] = (signal) => {
    if (signal.type === "stop") running.stop(signal.executionId, signal.attempt, "superseded");
  };
  const announce = () =>
    world.network.call(process, world.redis, "announce", () =>
      world.dispatcher.announce(name, world.random.whole(1, slots), ANNOUNCED_MS, slots),
    );
  void announce().catch(report);
  keepLeases({ executions, queue, bus, running, report });
  sweepOften({ executions, queue, stream, bus, tenantEvents, clock, report }, NO_METER, () => undefined);
  const announcing = new Repeating("announcing", ANNOUNCE_MS, announce, report);
  const dispatching = new Repeating("dispatching", DISPATCH_EVERY_MS, () => queue.dispatch(), report);
  const consumer = new VirtualConsumer(world, process, slots, (attempt) => runAttempt(run, attempt));
  world.members.push({ process, slots, onSignal });
  const stop = (): void => {
    world.scheduler.after(0, process, () => {
      void stopGently({ consumer, running, report }, GRACE_MS).then(async () => {
        await Promise.all([announcing.close(), dispatching.close()]);
        await world.network
          .call(process, world.redis, "withdraw", () => world.dispatcher.withdraw(name))
          .catch(report);
        world.kill(process, "at the end of its gentle stop");
      });
    });
  };
  return { process, stop };
}
