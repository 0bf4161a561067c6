import { expect, test } from "vitest";
import { freePort } from "./free-port.ts";
import { StoreError } from "./store-error.ts";

const ALL = Array.from({ length: 65_536 }, (_, port) => port);

test("a port that is somebody's soon is not given, nor is a row with one in it", async () => {
  await expect(freePort({ except: ALL })).rejects.toThrow(StoreError);
  const port = await freePort();
  const even = ALL.filter((one) => one % 2 === 0);
  expect((await freePort({ except: even })) % 2).toBe(1);
  await expect(freePort({ except: even, inARow: 2 })).rejects.toThrow(StoreError);
  expect(await freePort({ except: [port] })).not.toBe(port);
});
