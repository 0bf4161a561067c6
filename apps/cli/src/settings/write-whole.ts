import { randomBytes } from "node:crypto";
import { mkdir, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";

interface Modes {
  /** Of the file; what the process's umask leaves unless set. */
  file?: number;
  /** Of folders that are made for it. */
  folder?: number;
}

/** Writes a file all at once, with its folders: a reader finds the former text or the new one, also after a crash. */
export async function writeWhole(path: string, text: string, modes: Modes = {}): Promise<void> {
  const beside = `${path}.${randomBytes(6).toString("hex")}`;
  await mkdir(dirname(path), { recursive: true, mode: modes.folder });
  try {
    const file = await open(beside, "wx", modes.file);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(beside, path);
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
}
