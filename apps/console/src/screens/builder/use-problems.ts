import { useEffect, useMemo, useState } from "react";
import { useCheck, type CheckedFolder } from "../../data/builder.ts";
import { type Draft, folderOf, runsIn } from "./draft.ts";
import { inCommand, type Problem, problemsOf } from "./problems.ts";

/** The server is asked when nobody has typed for so long; milliseconds. */
const PAUSE_MS = 600;

const NONE: readonly never[] = [];

export interface Checked {
  problems: readonly Problem[];
  /** What is shown is of an earlier draft. */
  isChecking: boolean;
  /** Why the server could not be asked. */
  error: Error | null;
}

const saysNothing = (draft: Draft): boolean => runsIn(draft).trim() === "";

/** What the server has against the draft, asked in the pauses of writing: one question at a time, and none for an empty one. */
export function useProblems(draft: Draft, savedName: string | null): Checked {
  const [asked, setAsked] = useState<{ draft: Draft; folder: CheckedFolder } | null>(null);
  useEffect(() => {
    const ask = (): void =>
      setAsked({ draft, folder: { folder: folderOf(draft), isThere: draft.name.trim() === savedName } });
    const timer = setTimeout(ask, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [draft, savedName]);
  const isEmpty = saysNothing(draft);
  const check = useCheck(isEmpty || asked === null || saysNothing(asked.draft) ? null : asked.folder);
  const { command = "" } = draft;
  const problems = useMemo(
    () => problemsOf(check.data ?? []).map((problem) => inCommand(command, problem)),
    [check.data, command],
  );
  if (isEmpty) return { problems: NONE, isChecking: false, error: null };
  return {
    problems,
    isChecking: check.isFetching || asked?.draft !== draft,
    error: check.error,
  };
}
