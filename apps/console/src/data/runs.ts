import {
  type AcceptedExecution,
  type EndEvent,
  type ExecutionEvent,
  isEnd,
  type TestToolBody,
} from "@bulkhead/client";
import { useEffect, useRef, useState } from "react";
import { api, wordsOf } from "./api.ts";

/** What a run logged. */
export interface LogLine {
  at: string;
  level: "debug" | "info" | "warn" | "error";
  text: string;
}

/** One run as it is seen: what it has said so far, and how it ended. */
export interface Run {
  executionId: string | null;
  lines: readonly LogLine[];
  /** Older lines that are not kept here. */
  dropped: number;
  /** Events in between can't be told any more. */
  hasGap: boolean;
  progress: unknown;
  /** Whether it runs; before that it waits for its turn. */
  isStarted: boolean;
  /** The person who has to allow it is asked for. */
  approvalId: string | null;
  /** Why it is tried again, while it waits for that. */
  retrying: { code?: string; delayMs?: number } | null;
  end: EndEvent | null;
  /** Why it could not be begun, or not be followed. */
  fault: string | null;
}

const NOTHING: Run = {
  executionId: null,
  lines: [],
  dropped: 0,
  hasGap: false,
  progress: undefined,
  isStarted: false,
  approvalId: null,
  retrying: null,
  end: null,
  fault: null,
};

/** Lines that are kept of one run; the oldest go. */
const LINES_MAX = 2_000;

const next = (run: Run, told: ExecutionEvent): Run => {
  const seen = { ...run, executionId: told.data.executionId };
  if (isEnd(told)) return { ...seen, end: told, approvalId: null, retrying: null };
  switch (told.event) {
    case "execution.log": {
      const { at, level, text } = told.data;
      const lines = [...seen.lines, { at, level, text }];
      const over = Math.max(0, lines.length - LINES_MAX);
      return { ...seen, lines: lines.slice(over), dropped: seen.dropped + over };
    }
    case "execution.progress":
      return { ...seen, progress: told.data.value };
    case "execution.awaiting_approval":
      return { ...seen, approvalId: told.data.approvalId };
    case "execution.started":
      return { ...seen, isStarted: true, approvalId: null, retrying: null };
    case "execution.retrying": {
      const { error, delayMs } = told.data;
      const retrying = { ...(error && { code: error.code }), ...(delayMs !== undefined && { delayMs }) };
      return { ...seen, isStarted: false, retrying };
    }
    case "execution.gap":
      return { ...seen, hasGap: true };
    case "execution.queued":
      return { ...seen, approvalId: null };
  }
};

type Update = (change: (before: Run) => Run) => void;

async function follow(events: AsyncIterable<ExecutionEvent>, update: Update): Promise<void> {
  try {
    for await (const told of events) update((before) => next(before, told));
  } catch (error) {
    update((before) => ({ ...before, fault: wordsOf(error) }));
  }
}

/** Runs a tool and follows it. The run goes on when the page is left; `cancel` ends it. */
export const useRun = (name: string) =>
  useBegun((args: Record<string, unknown>, signal) => api.tools.stream(name, args, { signal }));

/** Runs what is stored nowhere, and follows it likewise. */
export const useDraftRun = () => useBegun(testDraft);

async function* testDraft(body: TestToolBody, signal: AbortSignal): AsyncGenerator<ExecutionEvent> {
  const accepted = await api.tools.test({ ...body, mode: "async" }, { signal });
  yield* api.executions.events((accepted as AcceptedExecution).executionId, { signal });
}

/** A run of this page's as its buttons see it. */
export type Running = Omit<ReturnType<typeof useDraftRun>, "start">;

/** A run that this page began. */
interface Begun {
  controller: AbortController;
  /** Its execution's, once it is told; null: it could not be begun, or is no longer followed. */
  id: Promise<string | null>;
  /** Somebody wants it ended, so it is followed until it has an id, whatever becomes of the page. */
  isEnding: boolean;
}

function useBegun<Asked>(begin: (asked: Asked, signal: AbortSignal) => AsyncIterable<ExecutionEvent>) {
  const [run, setRun] = useState<Run | null>(null);
  const [isEnding, setEnding] = useState(false);
  const current = useRef<Begun>(undefined);
  useEffect(
    () => () => {
      if (current.current?.isEnding === false) current.current.controller.abort();
    },
    [],
  );

  async function start(asked: Asked): Promise<void> {
    current.current?.controller.abort();
    const controller = new AbortController();
    const { promise: id, resolve: tellId } = Promise.withResolvers<string | null>();
    current.current = { controller, id, isEnding: false };
    setEnding(false);
    setRun(NOTHING);
    await follow(noting(begin(asked, controller.signal), tellId), (change) => {
      if (!controller.signal.aborted) setRun((before) => change(before ?? NOTHING));
    });
    tellId(null);
  }

  /** Ends what runs; a run that was sent just now is ended once it has an id. */
  async function cancel(): Promise<void> {
    const begun = current.current;
    if (begun === undefined) return;
    begun.isEnding = true;
    setEnding(true);
    try {
      const id = await begun.id;
      if (id !== null) await api.executions.cancel(id);
    } catch (error) {
      setEnding(false);
      throw error;
    }
  }

  const isRunning = run !== null && run.end === null && run.fault === null;
  return { run, start, cancel, isRunning, isEnding: isRunning && isEnding };
}

/** The events as they are; the id is told by the first one. */
async function* noting(events: AsyncIterable<ExecutionEvent>, tellId: (id: string) => void) {
  for await (const told of events) {
    tellId(told.data.executionId);
    yield told;
  }
}

/** An execution by its own events, from its beginning; also one that has ended, for as long as its log is kept. */
export function useFollowed(executionId: string): Run {
  const [run, setRun] = useState<Run>(NOTHING);
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    void follow(api.executions.events(executionId, { signal }), (change) => {
      if (!signal.aborted) setRun(change);
    });
    return () => {
      controller.abort();
      setRun(NOTHING);
    };
  }, [executionId]);
  return run;
}
