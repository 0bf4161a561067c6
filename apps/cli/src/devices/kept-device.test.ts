import { chmod, mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { devicePath, keepDevice, readDevice } from "./kept-device.ts";

let folder: string;
beforeAll(async () => (folder = await mkdtemp(join(tmpdir(), "device-"))));
afterAll(() => rm(folder, { recursive: true }));

const DEVICE = { url: "https://a.example", id: "dev_1", name: "one", token: "bhd_secret" };

test("a token is kept where its owner alone reads it, beside the profiles", async () => {
  const path = devicePath(join(folder, "bulkhead", "config.json"));
  expect(path).toBe(join(folder, "bulkhead", "device.json"));
  expect(await readDevice(path)).toBeNull();
  await keepDevice(path, DEVICE);
  expect(await readDevice(path)).toEqual(DEVICE);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  await chmod(path, 0o640);
  await expect(readDevice(path)).rejects.toThrow("may be read or changed by other users");
});

test.each(["{ bhd_secret", "[]", '{"url":"x","id":1,"name":"x","token":"bhd_secret"}'])(
  "%j is no device, and nothing of it is told",
  async (text) => {
    const path = join(folder, "wrong.json");
    await writeFile(path, text, { mode: 0o600 });
    const error = await readDevice(path).catch((fault: unknown) => fault);
    expect(error).toMatchObject({ parts: { code: "cli.config_unusable", exit: 2 } });
    expect((error as Error).message).not.toContain("bhd_secret");
  },
);
