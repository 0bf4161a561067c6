import { NEEDLE_WEIGHT_MAX, type OpenedService, type ScrubberOpening, Fault } from "@bulkhead/core";
import { expect, test } from "vitest";
import { fakeScrubbers, toNeedle } from "../fixtures/fake-scrubbers.ts";
import { openSecrets, type RunNeedle, type RunSecrets, type SecretDeps } from "./open-secrets.ts";

const service = (value: string, revealed = false): OpenedService => ({
  name: "weather",
  kind: "api",
  displayName: null,
  description: null,
  category: null,
  docsUrl: null,
  multiEntry: false,
  entries: [
    {
      label: "main",
      isDefault: true,
      values: {},
      secrets: [
        {
          service: "weather",
          entry: "main",
          field: "api_key",
          value,
          hosts: [],
          revealed,
          inBody: false,
          wholeWordsOnly: false,
        },
      ],
    },
  ],
});
const NO_RULES: Pick<ScrubberOpening, "needles" | "patterns"> = { needles: [], patterns: [] };

/** Of a tenant whose only service holds this value, or that has these. */
function depsOf(value: string | OpenedService[] | Error, rules = NO_RULES, revealed = false) {
  const asked: (readonly string[])[] = [];
  const openings: ScrubberOpening[] = [];
  const scrubbers = fakeScrubbers();
  const deps: SecretDeps = {
    configs: {
      open: (_, names) => {
        asked.push(names);
        if (value instanceof Error) return Promise.reject(value);
        return Promise.resolve(typeof value === "string" ? [service(value, revealed)] : value);
      },
    },
    scrubbers: {
      open: (opening) => {
        openings.push(opening);
        return scrubbers.open(opening);
      },
    },
    scrubRules: { open: () => Promise.resolve(rules) },
    vault: { open: (sealed, { purpose }) => Promise.resolve(`${sealed} for ${purpose}`) },
  };
  return { deps, asked, openings };
}

async function openFor(
  { deps }: ReturnType<typeof depsOf>,
  callerSecrets: RunSecrets | null = null,
  services = ["weather"],
): Promise<RunSecrets> {
  const opened = await openSecrets(deps, { tenantId: "ten_a", callerSecrets }, { services });
  if ("refusal" in opened) throw new Error(opened.refusal.error?.message);
  return opened.secrets;
}

test("a tool that declares no services costs no look at the config", async () => {
  const tenant = depsOf("hunter2");
  const { needles, configJson } = await openFor(tenant, null, []);
  expect(tenant.asked).toEqual([]);
  expect(needles).toEqual([]);
  expect(JSON.parse(configJson)).toEqual({ services: {} });
});

test("a run's secrets are covered, and what its tenant names besides", async () => {
  const { scrubber } = await openFor(depsOf("hunter2", { ...NO_RULES, needles: [toNeedle("project x")] }));
  expect(scrubber.text("hunter2 of project x")).toBe("[REDACTED] of [REDACTED]");
});

test("a call of a tool is covered for all that its callers could reach", async () => {
  const first = await openFor(depsOf("hunter1"));
  const second = await openFor(depsOf("unused"), first, []);
  const third = await openFor(depsOf("hunter3"), second);
  expect(third.scrubber.text("hunter1 hunter3")).toBe("[REDACTED] [REDACTED]");
});

test("a newer value that a call is given is covered in its callers from then on, beside the older one", async () => {
  const first = await openFor(depsOf("hunter1"));
  const second = await openFor(depsOf("unused"), first, []);
  await openFor(depsOf("hunter2"), second);
  for (const { scrubber, needles } of [first, second]) {
    expect(scrubber.text("hunter1 hunter2")).toBe("[REDACTED] [REDACTED]");
    expect(needles.map(({ value }) => value)).toEqual(["hunter1", "hunter2"]);
  }
});

/** All values that the run's scrubber was opened with, by whether less than the whole of each is covered. */
function coverageOf({ openings }: ReturnType<typeof depsOf>) {
  const { needles } = openings.at(-1)!;
  const isTold = (needle: RunNeedle) => "isTold" in needle;
  const valuesOf = (some: readonly RunNeedle[]) => some.map(({ value }) => value);
  return {
    inParts: valuesOf(needles.filter(isTold)),
    whole: valuesOf(needles.filter((needle) => !isTold(needle))),
  };
}
const RULES = { ...NO_RULES, needles: [toNeedle("project x")] };

test("of what a run's code was not told only the whole is covered: a placeholder's value, and a scrub rule's", async () => {
  const held = depsOf("hunter2", RULES);
  await openFor(held);
  expect(coverageOf(held)).toEqual({ inParts: [], whole: ["project x", "hunter2"] });
  const shown = depsOf("hunter2", RULES, true);
  await openFor(shown);
  expect(coverageOf(shown)).toEqual({ inParts: ["hunter2"], whole: ["project x"] });
  const both = depsOf([service("hunter2", true), service("placeholder's")], RULES);
  await openFor(both);
  expect(coverageOf(both)).toEqual({ inParts: ["hunter2"], whole: ["project x", "placeholder's"] });
});

test("what a caller was told is told to what it calls, and nothing that is called tells its caller", async () => {
  const first = await openFor(depsOf("hunter1", RULES, true));
  const second = depsOf("hunter2", RULES);
  const held = await openFor(second, first);
  expect(coverageOf(second)).toEqual({ inParts: ["hunter1"], whole: ["project x", "hunter2"] });
  await openFor(depsOf("hunter3", RULES, true), held);
  const learnt = ["hunter2", "hunter3"].map((value) => ({ value, wholeWordsOnly: false }));
  const known = { value: "hunter1", wholeWordsOnly: false, isTold: true };
  expect(first.needles).toEqual([known, ...learnt]);
  expect(held.needles).toEqual([known, ...learnt]);
});

test("a value that is told is told however else it is held, and counts once", async () => {
  const twice = depsOf([service("hunter2"), service("hunter2", true)]);
  await openFor(twice);
  expect(coverageOf(twice)).toEqual({ inParts: ["hunter2", "hunter2"], whole: [] });
  const held = await openFor(depsOf("hunter2"));
  const shown = depsOf("hunter2", NO_RULES, true);
  await openFor(shown, held);
  expect(coverageOf(shown)).toEqual({ inParts: ["hunter2"], whole: [] });
  expect(held.needles).toEqual([{ value: "hunter2", wholeWordsOnly: false }]);
});

const HALF = NEEDLE_WEIGHT_MAX / 2;
const refusalOf = async ({ deps }: ReturnType<typeof depsOf>, callerSecrets: RunSecrets | null = null) => {
  const opened = await openSecrets(deps, { tenantId: "ten_a", callerSecrets }, { services: ["weather"] });
  return "refusal" in opened ? opened.refusal.error : null;
};

test("secrets as large as one run can keep in are given to it, and larger ones are a reason not to run", async () => {
  expect(await refusalOf(depsOf("a".repeat(NEEDLE_WEIGHT_MAX)))).toBeNull();
  const tooLarge = { code: "vault.too_large", message: expect.stringContaining(String(NEEDLE_WEIGHT_MAX)) };
  expect(await refusalOf(depsOf("a".repeat(NEEDLE_WEIGHT_MAX + 1)))).toEqual(tooLarge);
  const rules = { ...NO_RULES, needles: [toNeedle("b".repeat(HALF))] };
  expect(await refusalOf(depsOf("a".repeat(HALF + 1), rules))).toEqual(tooLarge);
});

test("what a call is given counts for all its callers, and those that refuse it learn nothing of it", async () => {
  const first = await openFor(depsOf("a".repeat(HALF)));
  const second = await openFor(depsOf("unused"), first, []);
  const third = await openFor(depsOf("unused"), first, []);
  expect(await refusalOf(depsOf("b".repeat(HALF)), second)).toBeNull();
  expect(await refusalOf(depsOf("a".repeat(HALF)), third)).toBeNull();
  expect(await refusalOf(depsOf("c".repeat(HALF)), third)).toMatchObject({ code: "vault.too_large" });
  expect(first.needles).toHaveLength(2);
});

test("a secret that can't be opened is a reason not to run", async () => {
  const { deps } = depsOf(new Fault("vault.unreadable"));
  const opened = await openSecrets(
    deps,
    { tenantId: "ten_a", callerSecrets: null },
    { services: ["weather"] },
  );
  expect(opened).toMatchObject({ refusal: { status: "failed", error: { code: "vault.unreadable" } } });
});

test("a database that is away is no end of the execution", async () => {
  await expect(openFor(depsOf(new Fault("service.unavailable")))).rejects.toThrow(Fault);
});

test.each([
  ["a placeholder's value", depsOf("hunter2"), true],
  ["a value that its code is told", depsOf("hunter2", NO_RULES, true), false],
  ["a scrub rule's value", depsOf([], { ...NO_RULES, needles: [toNeedle("project x")] }), true],
  ["nothing", depsOf([]), false],
])("a run that keeps in %s knows whether its code must not learn it", async (_, tenant, expected) => {
  expect((await openFor(tenant)).keepsUntold()).toBe(expected);
});

test("a run that was told all it keeps in has something to keep from its code once a call taught it more", async () => {
  const secrets = await openFor(depsOf("hunter2", NO_RULES, true));
  secrets.learn([toNeedle("newer")]);
  expect(secrets.keepsUntold()).toBe(true);
});

test("what only a caller was told is kept from the code that it calls", async () => {
  const caller = await openFor(depsOf("hunter2", NO_RULES, true));
  expect((await openFor(depsOf([]), caller, [])).keepsUntold()).toBe(true);
  expect((await openFor(depsOf("hunter2", NO_RULES, true), caller)).keepsUntold()).toBe(false);
});
