import { expect, it } from "vitest";
import { parseStatus } from "./proc-status.ts";

const TEXT = `Name:\tnode
Uid:\t1879048200\t1879048200\t1879048200\t1879048200
Gid:\t7\t7\t7\t7
Groups:\t4 24 
CapInh:\t0000000000000000
CapPrm:\t0000000000000001
CapEff:\t0000000000000000
CapBnd:\t000001ffffffffff
CapAmb:\t0000000000000002
NoNewPrivs:\t1
`;

it("reads users, groups and privileges", () => {
  expect(parseStatus(TEXT)).toEqual({
    uids: [1879048200, 1879048200, 1879048200, 1879048200],
    gids: [7, 7, 7, 7],
    groups: [4, 24],
    noNewPrivileges: true,
    capabilities: 3n,
    bounding: 0x1ffffffffffn,
  });
});

it("takes what is not listed for the worst", () => {
  const { capabilities, bounding, noNewPrivileges } = parseStatus("Name:\tnode\n");
  expect([capabilities, bounding, noNewPrivileges]).toEqual([2n ** 64n - 1n, 2n ** 64n - 1n, false]);
});
