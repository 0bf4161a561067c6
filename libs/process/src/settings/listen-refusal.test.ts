import { expect, test } from "vitest";
import { listenRefusal } from "./listen-refusal.ts";
import { SettingsError } from "./settings.ts";

const PLACE = { hostName: "HOST", host: "192.0.2.1", portName: "PORT", port: 80 };

test.each([
  ["EADDRINUSE", "PORT: port 80 of 192.0.2.1 is taken; choose another, or 0 for any"],
  ["EACCES", "PORT: port 80 needs more rights than this user has"],
  ["EADDRNOTAVAIL", "HOST: 192.0.2.1 is no address of this machine"],
  ["ENOTFOUND", "HOST: 192.0.2.1 is no address of this machine"],
  ["EMFILE", "HOST: 192.0.2.1, port 80 can't be listened on: too many"],
])("%s is told as a fault of the setting that can change it", (code, fault) => {
  const refusal = listenRefusal(PLACE, Object.assign(new Error("too many"), { code }));
  expect(refusal).toBeInstanceOf(SettingsError);
  expect(refusal.message).toBe(`Bad settings:\n  ${fault}`);
});
