import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findBrowser, whereKeptIn } from "./find-browser.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "find-browser-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

function program(name: string, script: string): string {
  const file = join(folder, name);
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
  return file;
}

test("the program of the setting goes before those of the PATH, and tells its version", async () => {
  const own = program("own", 'echo "Chromium 1.2.3 built on x "');
  const google = program("google-chrome", "echo Google Chrome 4");
  expect(await findBrowser(own, folder)).toEqual({ file: own, version: "Chromium 1.2.3 built on x" });
  expect(await findBrowser(undefined, `relative:/no/such:${folder}`)).toEqual({
    file: google,
    version: "Google Chrome 4",
  });
  // Names go before folders, as the settings tell.
  const later = join(folder, "later");
  mkdirSync(later);
  const chromium = program("later/chromium", "echo Chromium 5");
  expect(await findBrowser(undefined, `${folder}:${later}`)).toMatchObject({ file: chromium });
});

test("it is said where there is none, and where one does not run", async () => {
  expect(await findBrowser(undefined, "/no/such")).toEqual({
    missing: expect.stringMatching(/^none of chromium, /) as string,
  });
  const broken = program("broken", "exit 3");
  expect(await findBrowser(broken, "")).toEqual({
    missing: expect.stringContaining(`${broken} does not tell its version`) as string,
  });
});

test("one that the machine can't keep in is none, and it is said why", async () => {
  const found = { file: "/usr/bin/chromium", version: "Chromium 1" };
  const sizes: unknown[] = [];
  const launcher = (why: string | null) => ({
    launch: async ({ size }: { size?: string }) => {
      sizes.push(size);
      if (why !== null) throw new Error(why);
      return { ended: Promise.resolve() } as never;
    },
  });
  expect(await whereKeptIn(found, launcher(null), "browser")).toBe(found);
  expect(await whereKeptIn(found, launcher("It takes a root of its own."), "browser")).toEqual({
    missing: "/usr/bin/chromium can't be kept in. It takes a root of its own",
  });
  expect(await whereKeptIn({ missing: "none" }, launcher(null), "server")).toEqual({ missing: "none" });
  expect(sizes).toEqual(["browser", "browser"]);
});
