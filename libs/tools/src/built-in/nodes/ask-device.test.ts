import { Fault, UnsentError, type DeviceLines, type DeviceMessage } from "@bulkhead/core";
import { expect, test } from "vitest";
import { DeviceAsker } from "./ask-device.ts";
import { LOOKS_AWAY_MAX } from "./bounds.ts";

const HOLDER = { process: "holds", connection: "c1" };
const ASKING = {
  device: { tenantId: "ten_1", deviceId: "dev_1" },
  command: "do",
  arguments: {},
  timeoutMs: 60_000,
};

/** The device is where it was asked but for so many looks on end; then it answers. */
function openAsker(looksAway: number, breaks: Error | null = null) {
  const sent: DeviceMessage[] = [];
  let hear = (_message: DeviceMessage): void => undefined;
  let looks = -1;
  const lines: DeviceLines = {
    self: "asks",
    take: async () => null,
    live: async () => true,
    renew: async () => [],
    release: async () => undefined,
    online: async () => [],
    send: async (_to, message) => {
      sent.push(message);
      if (breaks && message.type === "invoke") throw breaks;
      return "sent";
    },
    listen: async (onMessage) => {
      hear = onMessage;
      return () => undefined;
    },
    holderOf: async () => {
      looks += 1;
      if (looks > 0 && looks <= looksAway) return null;
      const [asked] = sent;
      if (asked?.type === "invoke")
        hear({ type: "answer", id: asked.id, answer: { ok: true, valueJson: "1" } });
      return HOLDER;
    },
  };
  const reports: string[] = [];
  const report = (what: string): void => void reports.push(what);
  const asker = new DeviceAsker({ lines, report, lookMs: 1 });
  return { sent, reports, ask: () => asker.ask(ASKING, () => undefined, new AbortController().signal) };
}

test("a device that is away for a moment, as after a Redis that was away, is not gone", async () => {
  const { sent, ask } = openAsker(LOOKS_AWAY_MAX - 1);
  expect(await ask()).toEqual({ ok: true, valueJson: "1" });
  expect(sent.map(({ type }) => type)).toEqual(["invoke"]);
});

test("one that stays away is gone, and is told that nobody waits any more, should it live", async () => {
  const { sent, ask } = openAsker(Infinity);
  expect(await ask()).toMatchObject({ ok: false, code: "lost" });
  expect(sent.map(({ type }) => type)).toEqual(["invoke", "cancel"]);
});

test("where nobody knows whether it was asked, that is said, and it is told that nobody waits", async () => {
  const { sent, reports, ask } = openAsker(0, new Error("Redis is away"));
  const message = "the way to the device broke before it answered; whether it was done is not known";
  expect(await ask()).toEqual({ ok: false, code: "lost", message });
  expect(sent.map(({ type }) => type)).toEqual(["invoke", "cancel"]);
  expect(reports).toEqual(["nobody knows whether a device was asked"]);
});

test("one that was certainly not asked is unavailable, and is told nothing more", async () => {
  const cause = new UnsentError("the mailbox is full");
  const { sent, reports, ask } = openAsker(0, new Fault("service.unavailable", { cause }));
  const message = "the way to the device is blocked; it was not asked";
  expect(await ask()).toEqual({ ok: false, code: "offline", message });
  expect(sent.map(({ type }) => type)).toEqual(["invoke"]);
  expect(reports).toEqual(["a device could not be asked"]);
});
