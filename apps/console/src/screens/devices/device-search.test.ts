import { expect, test } from "vitest";
import { pairCommands, readDeviceSearch, standOf, whoseOf } from "./device-search.ts";

test("the address holds what was chosen, and nothing that is none of it", () => {
  expect(readDeviceSearch({ q: "build", state: "online", open: "dev_1", x: 1 })).toEqual({
    q: "build",
    state: "online",
    open: "dev_1",
  });
  expect(readDeviceSearch({ q: "", state: "gone", open: {} })).toEqual({});
});

test("a device is told by whether it may connect, is connected, and whose it is", () => {
  const names = [
    { enabled: true, online: true },
    { enabled: true, online: false },
    { enabled: false, online: true },
  ].map((one) => standOf(one).name);
  expect(names).toEqual(["Online", "Offline", "Disabled"]);
  expect(whoseOf({})).toBe("every agent");
  expect(whoseOf({ agentId: "a", userId: "u" })).toBe("agent a, user u");
});

test("what is typed on the machine names the code and the server", () => {
  expect(pairCommands("ABCD-EFGH", "https://a.example")).toBe(
    "bulkhead device pair ABCD-EFGH --server https://a.example\nbulkhead device run",
  );
});
