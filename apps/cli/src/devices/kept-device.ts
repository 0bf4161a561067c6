import { readFile, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { CliFault, EXIT } from "../faults/cli-fault.ts";
import { isRecord } from "../input/is-record.ts";
import { writeWhole } from "../settings/write-whole.ts";

/** What this machine is to a server: its token, which opens nothing but its own connection. */
export interface KeptDevice {
  url: string;
  id: string;
  name: string;
  token: string;
}

const BYTES_MAX = 65_536;
const OTHERS = 0o077;

/** Beside the file of profiles. */
export const devicePath = (configPath: string): string => join(dirname(configPath), "device.json");

const unusable = (path: string, why: string, next: string): CliFault =>
  new CliFault(`${path} ${why}.`, { exit: EXIT.usage, code: "cli.config_unusable", next });

/** Null where this machine is not paired. A file that other users may read or change is refused: what is in it is a secret. */
export async function readDevice(path: string): Promise<KeptDevice | null> {
  let text: string;
  try {
    const { mode, size } = await stat(path);
    if (process.platform !== "win32" && (mode & OTHERS) !== 0)
      throw unusable(
        path,
        "may be read or changed by other users, so it is not used",
        `Run: chmod 600 ${path}`,
      );
    if (size > BYTES_MAX) throw unusable(path, "is too large", PAIR_ANEW);
    text = await readFile(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
  const device = deviceIn(text);
  if (device === null) throw unusable(path, "holds no device", PAIR_ANEW);
  return device;
}

const PAIR_ANEW = "Pair this machine anew: bulkhead device pair <code> --replace";

function deviceIn(text: string): KeptDevice | null {
  try {
    const said: unknown = JSON.parse(text);
    if (!isRecord(said)) return null;
    const { url, id, name, token } = said;
    const texts = [url, id, name, token];
    if (!texts.every((one) => typeof one === "string")) return null;
    return { url, id, name, token } as KeptDevice;
  } catch {
    // A parser would quote the text around the fault, and that may be the token.
    return null;
  }
}

/** Readable by its owner alone. */
export const keepDevice = (path: string, device: KeptDevice): Promise<void> =>
  writeWhole(path, `${JSON.stringify(device, null, 2)}\n`, { file: 0o600, folder: 0o700 });
