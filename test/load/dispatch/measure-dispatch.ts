import type { Dispatcher } from "./dispatcher.ts";
import { measureOp, type Op } from "./ops.ts";
import { serverProbe } from "./server-probe.ts";

export type OpName = "admit" | "dispatch" | "release";
export type Ops = Record<OpName, Op>;

/** Slots that each measured dispatch finds free, so that it has something to hand out. */
const SLOTS_EACH = 8;
/** Calls before the measure, for compiled code and a warm Redis. */
const WARM_UP = 50;

/** The steps of the dispatcher are the scripts with one key, the shard's base. */
const isStep = (command: string[]): boolean =>
  command[0]?.toLowerCase().startsWith("eval") === true && command[2] === "1" && command[3] === "{bh:0}";

/** What admitting, completing and dispatching one execution costs in the state that the dispatcher is in. */
export async function measureDispatch(dispatcher: Dispatcher, count: number): Promise<Ops> {
  const probe = serverProbe(dispatcher.redis, isStep);
  const admitOne = (place: number): Promise<void> => dispatcher.admitOne(place);
  for (let place = 0; place < WARM_UP; place += 1) await admitOne(place);
  const admit = await measureOp(count, probe, admitOne);
  return {
    admit,
    release: await measureReleases(dispatcher, count),
    dispatch: await measureDispatches(dispatcher, count),
  };
}

async function measureReleases(dispatcher: Dispatcher, count: number): Promise<Op> {
  const probe = serverProbe(dispatcher.redis, isStep);
  for (let place = 0; place < WARM_UP; place += 1) await (await dispatcher.completeOne(place))();
  const roundTripUs: number[] = [];
  await probe.begin();
  for (let place = 0; place < count; place += 1) {
    const complete = await dispatcher.completeOne(place);
    const startedAt = performance.now();
    await complete();
    roundTripUs.push((performance.now() - startedAt) * 1_000);
  }
  return { roundTripUs, serverUs: await probe.end() };
}

/** For each execution that was handed out. */
async function measureDispatches(dispatcher: Dispatcher, count: number): Promise<Op> {
  const probe = serverProbe(dispatcher.redis, isStep);
  const roundTripUs: number[] = [];
  const serverUs: number[] = [];
  for (let done = 0; done < count;) {
    await dispatcher.addSlots(SLOTS_EACH);
    const before = await dispatcher.inflight();
    const one = await measureOp(1, probe, () => dispatcher.queue.dispatch());
    const handedOut = (await dispatcher.inflight()) - before;
    if (handedOut < 1) throw new Error("a dispatch found free slots and a backlog, and handed nothing out");
    roundTripUs.push((one.roundTripUs[0] ?? 0) / handedOut);
    serverUs.push(one.serverUs.reduce((sum, us) => sum + us, 0) / handedOut);
    done += handedOut;
  }
  return { roundTripUs, serverUs };
}
