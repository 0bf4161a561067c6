import { expect, it } from "vitest";
import { parseInterfaces } from "./observe-process.ts";

const HEADINGS = "Inter-|   Receive      |  Transmit\n face |bytes    packets|bytes    packets\n";

it.each([
  ["    lo:       0       0    0    0\n", ["lo"]],
  ["    lo:       0       0\n  eth0: 4521   12\nwg-a.1:0 0\n", ["lo", "eth0", "wg-a.1"]],
  ["", []],
])("reads the names of the interfaces in %j", (lines, names) => {
  expect(parseInterfaces(HEADINGS + lines)).toEqual(names);
});
