import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { isConflict, wordsOf } from "../../data/api.ts";
import type { FoundFile } from "../../data/read-files.ts";
import { type Workspace, writeFile } from "../../data/workspace-files.ts";
import { bytes } from "../../format/numbers.ts";
import { joined } from "./files-search.ts";

/** How far an upload is, and what did not go as it was meant. */
export interface UploadState {
  done: number;
  of: number;
  bytesDone: number;
  bytes: number;
  /** What is sent at this moment; null: it is over. */
  now: string | null;
  /** Files of these paths are there already: a person says whether they are replaced. */
  taken: readonly FoundFile[];
  failed: readonly { path: string; why: string }[];
}

/** Sends files into a folder one after another, and replaces none that is there unless a person says so. */
export function useUploads(workspace: Workspace, folder: string, fileBytesMax: number) {
  const client = useQueryClient();
  const [state, setState] = useState<UploadState | null>(null);
  const stopping = useRef(new AbortController());
  useEffect(() => () => stopping.current.abort(), []);

  async function send(files: readonly FoundFile[], isReplacing: boolean): Promise<void> {
    const { signal } = (stopping.current = new AbortController());
    const sum = files.reduce((all, { file }) => all + file.size, 0);
    let now: UploadState = {
      done: 0,
      of: files.length,
      bytesDone: 0,
      bytes: sum,
      now: files[0]?.path ?? null,
      taken: [],
      failed: [],
    };
    const tell = (next: Partial<UploadState>): void => setState((now = { ...now, ...next }));
    for (const found of files) {
      if (signal.aborted) break;
      const { path, file } = found;
      tell({ now: path });
      if (file.size > fileBytesMax)
        tell({ failed: [...now.failed, { path, why: `It has ${bytes(file.size)}.` }] });
      else
        try {
          const content = new Uint8Array(await file.arrayBuffer());
          await writeFile(workspace, joined(folder, path), content, isReplacing ? "any" : "none");
        } catch (error) {
          if (isConflict(error)) tell({ taken: [...now.taken, found] });
          else tell({ failed: [...now.failed, { path, why: wordsOf(error) }] });
        }
      tell({ done: now.done + 1, bytesDone: now.bytesDone + file.size });
    }
    tell({ now: null });
    await client.invalidateQueries({ queryKey: ["files"] });
  }

  return {
    state,
    send: (files: readonly FoundFile[]) => send(files, false),
    replace: () => send(state?.taken ?? [], true),
    /** What was sent by then stays. */
    stop: () => stopping.current.abort(),
    clear: () => setState(null),
  };
}

export type Uploads = ReturnType<typeof useUploads>;
