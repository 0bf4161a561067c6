import { expect, it, vi } from "vitest";
import { reportLayers, reportPrograms } from "./report-layers.ts";

const IN_FORCE = { layer: "environment", inForce: true, detail: "there are no variables" } as const;

it("says in exactly one warning what is missing and why", () => {
  const logger = { info: vi.fn(), warn: vi.fn() };
  const missing = [
    { layer: "landlock", inForce: false, detail: "no perl" },
    { layer: "own_uid", inForce: false, detail: "not root" },
  ] as const;
  reportLayers([IN_FORCE, ...missing], logger);
  expect(logger.warn.mock.calls).toEqual([
    [{ missing: { landlock: "no perl", own_uid: "not root" } }, "the sandbox lacks 2 of 3 layers"],
  ]);
});

it("warns of nothing where nothing is missing", () => {
  const logger = { info: vi.fn(), warn: vi.fn() };
  reportLayers([IN_FORCE], logger);
  expect(logger.info).toHaveBeenCalledWith({ layers: ["environment"] }, expect.any(String));
  expect(logger.warn).not.toHaveBeenCalled();
});

it("warns of programs that settings name and that can't be used, and of no others", () => {
  const warn = vi.fn();
  const found = { chromium: { missing: "no layers" }, speaker: { missing: "not there" } };
  reportPrograms({ SPEECH_PROVIDER: "openai", ...found }, { warn });
  const named = { CHROMIUM: "/usr/bin/chromium", SPEECH_PROVIDER: "espeak_ng" } as const;
  reportPrograms({ ...named, chromium: { file: "/usr/bin/chromium" }, speaker: {} }, { warn });
  expect(warn).not.toHaveBeenCalled();
  reportPrograms({ ...named, ...found }, { warn });
  expect(warn.mock.calls).toEqual([
    [{ why: "no layers" }, "CHROMIUM is set, and this worker can't use it"],
    [{ why: "not there" }, "SPEECH_PROVIDER is espeak_ng, and this worker can't use it"],
  ]);
});
