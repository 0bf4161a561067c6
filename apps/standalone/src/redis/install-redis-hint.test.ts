import { expect, test } from "vitest";
import { installCommand, installRedisHint } from "./install-redis-hint.ts";

test.each([
  { release: "ID=debian\n", command: "sudo apt-get install redis-server" },
  { release: 'ID=linuxmint\nID_LIKE="ubuntu debian"\n', command: "sudo apt-get install redis-server" },
  { release: 'ID="rocky"\nID_LIKE="rhel centos fedora"\n', command: "sudo dnf install valkey" },
  { release: "ID=alpine\n", command: "sudo apk add redis" },
])("it names the package manager of $release", ({ release, command }) => {
  expect(installCommand(release)).toBe(command);
});

test("a system it does not know is sent to the Redis site", async () => {
  expect(installCommand("ID=plan9\nVERSION_ID=debian\n")).toBeNull();
  expect(await installRedisHint("aix")).toMatch(/redis\.io.*REDIS_URL/u);
});

test("macOS is told of Homebrew", async () => {
  expect(await installRedisHint("darwin")).toContain("brew install redis");
});
