import { type EndEvent, type ExecutionEvent, isEnd } from "@bulkhead/client";
import { useEffect, useRef, useState } from "react";
import { api, wordsOf } from "./api.ts";

/** One run as it is seen: what it has said so far, and how it ended. */
export interface Run {
  executionId: string | null;
  lines: readonly { level: string; text: string }[];
  progress: unknown;
  /** The person who has to allow it is asked for. */
  approvalId: string | null;
  end: EndEvent | null;
  /** Why it could not be begun, or not be followed. */
  fault: string | null;
}

const NOTHING: Run = {
  executionId: null,
  lines: [],
  progress: undefined,
  approvalId: null,
  end: null,
  fault: null,
};

/** Lines that are kept of one run; the oldest go. */
const LINES_MAX = 1_000;

const next = (run: Run, told: ExecutionEvent): Run => {
  const seen = { ...run, executionId: told.data.executionId };
  if (isEnd(told)) return { ...seen, end: told };
  switch (told.event) {
    case "execution.log":
      return { ...seen, lines: [...seen.lines, told.data].slice(-LINES_MAX) };
    case "execution.progress":
      return { ...seen, progress: told.data.value };
    case "execution.awaiting_approval":
      return { ...seen, approvalId: told.data.approvalId };
    case "execution.started":
      return { ...seen, approvalId: null };
    default:
      return seen;
  }
};

/** Runs a tool and follows it. The run goes on when the page is left; `cancel` ends it. */
export function useRun(name: string) {
  const [run, setRun] = useState<Run | null>(null);
  const following = useRef<AbortController>(undefined);
  useEffect(() => () => following.current?.abort(), []);

  async function start(args: Record<string, unknown>): Promise<void> {
    following.current?.abort();
    const controller = new AbortController();
    following.current = controller;
    setRun(NOTHING);
    const update = (change: (before: Run) => Run): void => {
      if (!controller.signal.aborted) setRun((before) => change(before ?? NOTHING));
    };
    try {
      for await (const told of api.tools.stream(name, args, { signal: controller.signal }))
        update((before) => next(before, told));
    } catch (error) {
      update((before) => ({ ...before, fault: wordsOf(error) }));
    }
  }

  const cancel = async (): Promise<void> => {
    if (run?.executionId) await api.executions.cancel(run.executionId);
  };

  return { run, start, cancel, isRunning: run !== null && run.end === null && run.fault === null };
}
