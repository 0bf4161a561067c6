import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findBrowser } from "./find-browser.ts";

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
});

test.each([
  ["chromium", "by no absolute path"],
  ["/no/such/program", "that is not there"],
])("a setting of %s, %s, is no browser", async (setting) => {
  expect(await findBrowser(setting, "")).toEqual({
    missing: `CHROMIUM names ${setting}, which is no program by an absolute path`,
  });
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
