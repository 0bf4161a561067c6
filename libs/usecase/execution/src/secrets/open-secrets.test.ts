import { NEEDLE_WEIGHT_MAX, type OpenedService, type ScrubberOpening } from "@bulkhead/domain";
import { Fault } from "@bulkhead/faults";
import { expect, test } from "vitest";
import { fakeScrubbers, toNeedle } from "../fixtures/fake-scrubbers.ts";
import { openSecrets, type RunSecrets, type SecretDeps } from "./open-secrets.ts";

const service = (value: string, revealed = false): OpenedService => ({
  name: "weather",
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

/** Of a tenant whose only service holds this value. */
function depsOf(value: string | Error, rules = NO_RULES, revealed = false) {
  const asked: (readonly string[])[] = [];
  const openings: ScrubberOpening[] = [];
  const scrubbers = fakeScrubbers();
  const deps: SecretDeps = {
    configs: {
      open: (_, names) => {
        asked.push(names);
        return value instanceof Error ? Promise.reject(value) : Promise.resolve([service(value, revealed)]);
      },
    },
    scrubbers: {
      open: (opening) => {
        openings.push(opening);
        return scrubbers.open(opening);
      },
    },
    scrubRules: { open: () => Promise.resolve(rules) },
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

test("what begins as a secret is covered only where the code of the run or of a caller was told one", async () => {
  const rules = { ...NO_RULES, needles: [toNeedle("project x")] };
  const coversBeginnings = async (revealed: boolean, caller: RunSecrets | null = null) => {
    const tenant = depsOf("hunter2", rules, revealed);
    await openFor(tenant, caller);
    return tenant.openings.map((opening) => opening.coversBeginnings);
  };
  expect(await coversBeginnings(false)).toEqual([false]);
  expect(await coversBeginnings(true)).toEqual([true]);
  const told = await openFor(depsOf("hunter1", rules, true));
  expect(await coversBeginnings(false, told)).toEqual([true]);
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
