import { describe, expect, it } from "vitest";
import { BARE_PLAN, composeLaunch, type LaunchInput, type LaunchPlan } from "./launch-plan.ts";
import { resourceLimits } from "./resource-limits.ts";

const INPUT: LaunchInput = {
  tools: { prlimit: "/t/prlimit", setpriv: "/t/setpriv", unshare: "/t/unshare", perl: "/t/perl", nice: null },
  limits: resourceLimits(512, 2, true),
  uid: 4242,
  readable: ["/node", "/program"],
};
const FULL: LaunchPlan = {
  resourceLimits: true,
  ownUid: true,
  namespaces: "direct",
  privileges: "emptied",
  landlock: true,
  memoryGroup: true,
};
const links = (plan: Partial<LaunchPlan>, input: Partial<LaunchInput> = {}): string =>
  composeLaunch({ ...BARE_PLAN, ...plan }, { ...INPUT, ...input }).join(" ");

describe("a launch", () => {
  it("that asks for nothing has no links", () => {
    expect(links({}, { uid: null })).toBe("");
  });

  it("sets limits first, leaves the network while it may, then gives up its privileges, then its files", () => {
    const [limits, namespaces, privileges, landlock] = links(FULL).split(" -- ");
    expect(limits).toMatch(/^\/t\/prlimit --fsize=0 --nofile=64 --core=0 --cpu=3600 --data=\d+ --nproc=68$/);
    expect(namespaces).toBe("/t/unshare --net --ipc --uts");
    expect(privileges).toMatch(/^\/t\/setpriv --reuid 4242 --regid 4242 --clear-groups --no-new-privs /);
    expect(privileges).toContain("--bounding-set=-all");
    expect(privileges).toContain("--pdeathsig KILL");
    expect(landlock).toMatch(/^\/t\/perl -e [^]* \/node \/program --$/);
  });

  it("through a user namespace switches users before it, and empties the capabilities inside it", () => {
    const [user, namespaces, privileges] = links({
      ...FULL,
      resourceLimits: false,
      namespaces: "through_user",
    }).split(" -- ");
    expect(user).toBe("/t/setpriv --reuid 4242 --regid 4242 --clear-groups");
    expect(namespaces).toBe("/t/unshare --user --keep-caps --net --ipc --uts");
    expect(privileges).toMatch(/^\/t\/setpriv --no-new-privs .*--bounding-set=-all$/);
  });

  it("keeps the bounding set where it may not be emptied", () => {
    expect(links({ privileges: "no_new" }, { uid: null })).not.toContain("bounding");
  });

  it.each(["prlimit", "setpriv", "unshare", "perl"] as const)(
    "goes without %s where there is none",
    (tool) => {
      expect(links(FULL, { tools: { ...INPUT.tools, [tool]: null } })).not.toContain(`/t/${tool}`);
    },
  );

  it("never forks: no link leaves the process that it was started as", () => {
    expect(links({ ...FULL, namespaces: "through_user" })).not.toMatch(/--fork|--pid|--kill-child/);
  });
});
