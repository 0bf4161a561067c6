import type { CapabilityFamily, CodeCapability } from "@bulkhead/core";
import { expect, test } from "vitest";
import { asToolCall } from "./as-tool-call.ts";
import { openData } from "./data/capability.ts";
import { openDatabases } from "./database/capability.ts";
import { openFiles } from "./files/capability.ts";
import { openMessages } from "./messages/capability.ts";
import { CRON_ACTIONS } from "./schedules/run.ts";
import { openShell } from "./shell/capability.ts";

const NOTHING = {} as never;
const OPERATIONS: Readonly<Record<CodeCapability, Iterable<string>>> = {
  data: named(openData(NOTHING)),
  files: named(openFiles(NOTHING)),
  shell: named(openShell(NOTHING)),
  db: named(openDatabases(NOTHING)),
  email: named(openMessages(NOTHING)),
  schedule: CRON_ACTIONS,
};

function named({ operations }: CapabilityFamily): Iterable<string> {
  return operations.keys();
}

test.each(Object.entries(OPERATIONS) as [CodeCapability, Iterable<string>][])(
  "each operation of %s is done by a tool too, which works by the same",
  (family, operations) => {
    for (const operation of operations) {
      const call = asToolCall(family, { operation, arguments: {}, content: null }, []);
      expect(call?.tool, operation).toMatchObject({ capability: family });
    }
  },
);

test.each(["chmod", "constructor", "__proto__"])("no tool does %s", (operation) => {
  expect(asToolCall("files", { operation, arguments: {}, content: null }, [])).toBeNull();
});

const mailbox = { name: "office", kind: "smtp" } as const;
const asked = (family: CodeCapability, operation: string, args: object, content: string | null = null) =>
  asToolCall(family, { operation, arguments: { ...args }, content }, [
    mailbox,
    { name: "chat", kind: "slack" },
  ])?.args;

test("the arguments are those that the tool has", () => {
  expect(asked("files", "write", { path: "a" }, "text")).toEqual({ path: "a", content: "text" });
  expect(asked("shell", "start", { command: "cat" }, "in")).toEqual({
    action: "start",
    command: "cat",
    stdin: "in",
  });
  expect(asked("data", "complete_goal", { id: "1" })).toEqual({ action: "complete", id: "1" });
  expect(asked("schedule", "pause", { id: "1" })).toEqual({ action: "pause", id: "1" });
});

test("a mail names its channel and all whom it reaches", () => {
  expect(asked("email", "send", { to: "a@b.co", text: "x" })).toEqual({
    channel: "office",
    to: "a@b.co",
    text: "x",
  });
  expect(asked("email", "send", { channel: "other", to: ["a@b.co"], cc: "c@b.co", bcc: ["d@b.co"] })).toEqual(
    {
      channel: "other",
      to: ["a@b.co", "c@b.co", "d@b.co"],
      cc: "c@b.co",
      bcc: ["d@b.co"],
    },
  );
  const two = [mailbox, { name: "second", kind: "smtp" } as const];
  expect(
    asToolCall("email", { operation: "send", arguments: { to: "a@b.co" }, content: null }, two)?.args,
  ).toEqual({
    to: "a@b.co",
  });
});
