import { expect, it } from "vitest";
import { resourceLimits } from "../layers/resource-limits.ts";
import { composeServer, environmentText, homeOn, type ServerInput, type ServerRoad } from "./server-links.ts";

const INPUT: ServerInput = {
  tools: {
    prlimit: "/t/prlimit",
    setpriv: "/t/setpriv",
    unshare: "/t/unshare",
    perl: "/t/perl",
    nice: "/t/nice",
  },
  limits: resourceLimits(512, 2, true),
  uid: 4242,
  view: ["/usr/bin", "/server"],
  homeBytes: 1024,
  homeFiles: 16,
  nicer: 5,
  loopbackPort: null,
};
/** The links by the tool and the flags of each; of Perl's the arguments alone. */
const links = (road: ServerRoad, input: Partial<ServerInput> = {}): string[] =>
  composeServer(road, { ...INPUT, ...input })
    .join(" ")
    .split(/ -- (?=\/t\/)/)
    .map((link) => link.replace(/^(\/t\/perl -e )[^]*\n( |$)/, "$1"));

it("leaves the machine before it leaves the worker's user, and the files last", () => {
  const [nice, parent, namespaces, limits, root, privileges, landlock, enter] = links({
    namespaces: "direct",
    ownRoot: true,
  });
  expect(nice).toBe("/t/nice -n 5");
  expect(parent).toBe("/t/setpriv --pdeathsig KILL");
  expect(namespaces).toBe("/t/unshare --pid --fork --net --ipc --uts --mount");
  expect(limits).toMatch(/^\/t\/prlimit .*--core=0 .*--nproc=68$/);
  expect(root).toBe("/t/perl -e size=1024 nr_inodes=16 mode=0700 uid=4242 gid=4242 -- /usr/bin /server");
  expect(privileges).toMatch(
    /^\/t\/setpriv --reuid 4242 .*--no-new-privs .*--pdeathsig KILL --bounding-set=-all$/,
  );
  expect(landlock).toBe("/t/perl -e /usr/bin /server /proc +/tmp +/dev/null");
  expect(enter).toBe("/t/perl -e ");
});

it("through a user namespace switches users before it, and has a home of its own there", () => {
  const [, parent, namespaces, , root, privileges] = links({ namespaces: "through_user", ownRoot: true });
  expect(parent).toBe("/t/setpriv --reuid 4242 --regid 4242 --clear-groups --pdeathsig KILL");
  expect(namespaces).toMatch(/^\/t\/unshare --user --map-current-user --keep-caps --pid /);
  expect(root).not.toContain("uid=");
  expect(privileges).toMatch(/^\/t\/setpriv --no-new-privs /);
});

it("without a root of its own reads of its own process alone, and writes nowhere", () => {
  const road: ServerRoad = { namespaces: "through_user", ownRoot: false };
  const all = links(road, { uid: null });
  expect(all.join(" ")).not.toContain("--mount");
  expect(all.at(-2)).toBe("/t/perl -e /usr/bin /server /proc/self +/dev/null");
  expect(homeOn(road)).toBe("/nonexistent");
});

it("ends the environment by an empty variable, which tells a whole one from one that broke off", () => {
  expect(environmentText({ A: "1=2", B: "" })).toBe("A=1=2\0B=\0\0");
});

it("switches a loopback on while it may, and lets one port of it through, where there is to be one", () => {
  const road: ServerRoad = { namespaces: "direct", ownRoot: true };
  const all = links(road, { loopbackPort: 8_118 });
  expect(all.findIndex((link) => link === "/t/perl -e ")).toBeLessThan(
    all.findIndex((link) => link.includes("--bounding-set")),
  );
  expect(all).toHaveLength(links(road).length + 1);
  expect(all.at(-2)).toBe("/t/perl -e /usr/bin /server /proc +/tmp +/dev/null =8118");
});
