import { expect, it } from "vitest";
import { BARE_PLAN, type LaunchPlan } from "./launch-plan.ts";
import { launchSteps } from "./launch-steps.ts";
import { settlePlan } from "./settle-plan.ts";

const TOOLS = {
  prlimit: "/t/prlimit",
  setpriv: "/t/setpriv",
  unshare: "/t/unshare",
  perl: "/t/perl",
  nice: null,
};
const { steps } = launchSteps({ tools: TOOLS, missing: {}, privileged: true });

const WAYS = ["fast", "slow"] as const;
type Way = (typeof WAYS)[number];

/** A machine on which starts fail for a reason, or don't. */
const machine = (fails: (plan: LaunchPlan, way: Way) => string | null) => {
  const tried: LaunchPlan[] = [];
  const attempt = (way: Way, plan: LaunchPlan) => {
    tried.push(plan);
    const reason = fails(plan, way);
    return Promise.resolve(
      reason === null ? { ok: true as const, found: plan } : { ok: false as const, reason },
    );
  };
  return { tried, attempt };
};

it("takes everything at once where it works, with one start", async () => {
  const { tried, attempt } = machine(() => null);
  const settled = await settlePlan(WAYS, steps, attempt);
  expect(tried).toHaveLength(1);
  expect(settled).toMatchObject({
    way: "fast",
    reasons: {},
    plan: { ownUid: true, namespaces: "direct", landlock: true },
  });
});

it("gives up only what fails, keeps the reason, and has looked at exactly what it settles on", async () => {
  const { attempt } = machine(({ ownUid, landlock }) =>
    ownUid ? "no user" : landlock ? "no Landlock" : null,
  );
  const { plan, found, reasons } = await settlePlan(WAYS, steps, attempt);
  expect(plan).toEqual({
    ...BARE_PLAN,
    resourceLimits: true,
    memoryGroup: true,
    privileges: "emptied",
    namespaces: "direct",
  });
  expect(found).toEqual(plan);
  expect(reasons).toEqual({ own_uid: "no user", landlock: "no Landlock" });
});

it("takes the second road where the first is closed", async () => {
  const { attempt } = machine(({ namespaces, privileges }) =>
    namespaces === "direct" || privileges === "emptied" ? "not permitted" : null,
  );
  const { plan, reasons } = await settlePlan(WAYS, steps, attempt);
  expect(plan).toMatchObject({ namespaces: "through_user", privileges: "no_new" });
  expect(reasons).toEqual({});
});

it("starts the other way where everything can be had by that alone", async () => {
  const { tried, attempt } = machine((_, way) => (way === "fast" ? "it died" : null));
  expect(await settlePlan(WAYS, steps, attempt)).toMatchObject({
    way: "slow",
    reasons: {},
    plan: { ownUid: true, landlock: true },
  });
  expect(tried).toHaveLength(2);
});

it("keeps the first way where the other is refused the same", async () => {
  const { attempt } = machine(({ ownUid }) => (ownUid ? "no user" : null));
  expect(await settlePlan(WAYS, steps, attempt)).toMatchObject({
    way: "fast",
    reasons: { own_uid: "no user" },
  });
});

it("starts the other way where nothing starts by the first, with the layers that it can have", async () => {
  const { attempt } = machine(({ ownUid }, way) => (way === "fast" || ownUid ? "it died" : null));
  expect(await settlePlan(WAYS, steps, attempt)).toMatchObject({
    way: "slow",
    reasons: { own_uid: "it died" },
    plan: { landlock: true },
  });
});

it("gives up no layer where the program itself does not start", async () => {
  const { tried, attempt } = machine(() => "broken");
  const { plan, found, reasons } = await settlePlan(WAYS, steps, attempt);
  expect(tried).toHaveLength(2 * WAYS.length);
  expect(plan).toMatchObject({ ownUid: true, landlock: true });
  expect(found).toBeNull();
  expect(reasons.own_uid).toBe("broken");
});

it("names the package of a tool that is missing, and tries nothing that needs it", () => {
  const without = launchSteps({ tools: { ...TOOLS, setpriv: null }, missing: {}, privileged: true });
  expect(without.steps.flatMap(({ layers }) => layers)).toEqual([
    "resource_limits",
    "memory_cgroup",
    "network_namespace",
    "landlock",
  ]);
  expect(without.missing.own_uid).toBe("setpriv (util-linux) is not installed");
});
