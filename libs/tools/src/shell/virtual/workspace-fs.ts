import { InMemoryFs, type FsEntry, type FsStat } from "just-bash";
import type { ListedFile } from "../shell-frames.ts";

export const WORKSPACE = "/workspace";

type Read = (path: string) => Promise<Uint8Array>;
type Lazy = Extract<FsEntry, { lazy: unknown }>;

/** A file that nobody has read yet, with the size that it has. */
interface Unread {
  (): Promise<Uint8Array>;
  path: string;
  size: number;
}

/** A part of a workspace that a command has changed. */
interface Changed {
  /** Paths of the workspace with what they hold now. */
  written: Iterable<[path: string, bytes: Uint8Array]>;
  writtenBytes: number;
  writtenFiles: number;
  removed: string[];
  odd: string[];
}

/** The workspace in a shell's memory: its files are read when a command first wants what is in them. */
export class WorkspaceFs extends InMemoryFs {
  readonly #read: Read;
  /** The bytes of files as they were read: what still holds the same ones has not been written. */
  readonly #asRead = new Map<string, Uint8Array>();
  readonly #listed = new Set<string>();
  /** The superclass's own map; it has no other way to tell a file that was never read. */
  readonly #entries: Map<string, FsEntry>;

  constructor(files: readonly ListedFile[], maxTotalBytes: number, read: Read) {
    super({}, { maxTotalBytes });
    this.#read = read;
    const entries: unknown = Reflect.get(this, "data");
    if (!(entries instanceof Map))
      throw new Error("The shell's file system keeps its files otherwise than it did.");
    this.#entries = entries as Map<string, FsEntry>;
    for (const folder of [WORKSPACE, "/tmp"]) this.mkdirSync(folder, { recursive: true });
    for (const [path, size, writtenAtMs] of files) this.#put(path, size, new Date(writtenAtMs));
  }

  #put(path: string, size: number, mtime: Date): void {
    this.#listed.add(path);
    const load = async (): Promise<Uint8Array> => {
      const bytes = await this.#read(path);
      this.#asRead.set(path, bytes);
      return bytes;
    };
    const unread: Unread = Object.assign(load, { path, size });
    this.writeFileLazy(`${WORKSPACE}/${path}`, unread, { mtime });
  }

  /** The size of a file is known without reading it. */
  override async stat(path: string): Promise<FsStat> {
    return this.#unreadStat(await this.#resolved(path)) ?? super.stat(path);
  }

  override async lstat(path: string): Promise<FsStat> {
    // What is a link has another path behind it, and is no file that was not read yet.
    return this.#unreadStat(this.resolvePath("/", path)) ?? super.lstat(path);
  }

  async #resolved(path: string): Promise<string> {
    try {
      return await this.realpath(path);
    } catch {
      return path;
    }
  }

  #unreadStat(path: string): FsStat | null {
    const entry = this.#entries.get(path);
    const unread = unreadOf(entry);
    if (unread === null || entry === undefined) return null;
    return {
      isFile: true,
      isDirectory: false,
      isSymbolicLink: false,
      mode: entry.mode,
      size: unread.size,
      mtime: entry.mtime,
      identity: `unread:${unread.path}`,
    };
  }

  /** What is other than it was. Reads files that were moved without being read. */
  async changes(): Promise<Changed> {
    const written = new Map<string, Uint8Array>();
    const odd: string[] = [];
    const there = new Set<string>();
    let writtenBytes = 0;
    for (const [full, entry] of this.#entries) {
      if (!full.startsWith(`${WORKSPACE}/`) || entry.type === "directory") continue;
      const path = full.slice(WORKSPACE.length + 1);
      if (entry.type === "symlink") {
        odd.push(path);
        continue;
      }
      there.add(path);
      if (unreadOf(entry)?.path === path) continue;
      const bytes = await this.#bytesOf(entry);
      if (this.#asRead.get(path) === bytes) continue;
      written.set(path, bytes);
      writtenBytes += bytes.length;
    }
    const removed = [...this.#listed].filter((path) => !there.has(path));
    return { written, writtenBytes, writtenFiles: written.size, removed, odd };
  }

  async #bytesOf(entry: Exclude<FsEntry, { type: "directory" | "symlink" }>): Promise<Uint8Array> {
    const content = "lazy" in entry ? await entry.lazy() : entry.content;
    return typeof content === "string" ? Buffer.from(content) : content;
  }
}

function unreadOf(entry: FsEntry | undefined): Unread | null {
  if (entry === undefined || !("lazy" in entry)) return null;
  const { lazy } = entry as Lazy & { lazy: Partial<Unread> & Lazy["lazy"] };
  return typeof lazy.path === "string" && typeof lazy.size === "number" ? (lazy as Unread) : null;
}
