import type { Tool } from "@bulkhead/client";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { kept } from "../../data/kept.ts";
import { notify } from "../../design/notices.tsx";
import { merged } from "./differences.ts";
import { changedFields, type Draft } from "./draft.ts";
import { forgetDraft, keepDraft, type KeptDraft, laterDraft } from "./kept-draft.ts";

/** So long after the last key a draft is kept; milliseconds. */
const KEEP_MS = 400;

interface Beginning {
  /** Null: there is no tool yet. */
  toolId: string | null;
  version: number | null;
  base: Draft;
  draft: Draft;
}

/** What is written, kept in the browser until it is saved. */
export function useDraft({ toolId, version, ...begun }: Beginning) {
  const [draft, setDraft] = useState(begun.draft);
  const [base, setBase] = useState(begun.base);
  const [seenVersion, setSeenVersion] = useState(version);
  const [dropped, setDropped] = useState<Draft | null>(null);
  const [isDone, setDone] = useState(false);
  const latest = useRef(draft);
  latest.current = draft;
  const isDirty = !isDone && changedFields(base, draft).length > 0;

  /** Whether nothing would be lost by now, whatever becomes of the page. */
  function settle(): boolean {
    if (!isDirty) {
      forgetDraft(kept, toolId);
      return true;
    }
    const now: KeptDraft = { draft, base, version: seenVersion, at: Date.now() };
    return keepDraft(kept, toolId, now);
  }
  const settled = useEffectEvent(settle);
  const left = useEffectEvent(() => {
    if (settle() && isDirty) notify("good", "What you wrote is kept in this browser as a draft.");
  });
  useEffect(() => {
    const timer = setTimeout(settled, KEEP_MS);
    return () => clearTimeout(timer);
  }, [draft, base]);
  useEffect(() => () => left(), []);

  return {
    draft,
    base,
    isDirty,
    settle,
    /** What was dropped last, for whoever did not mean it. */
    dropped,
    set: (change: Partial<Draft>): void => {
      setDraft((before) => ({ ...before, ...change }));
    },
    drop: (): void => {
      setDropped(draft);
      setDraft(base);
    },
    bringBack: (): void => {
      if (dropped !== null) setDraft(dropped);
      setDropped(null);
    },
    /** Goes on from what the tool is now, with what was written since it was as `from` says. */
    rebase: (now: Draft, nowVersion: number, from: Draft): void => {
      setBase(now);
      setDraft((before) => merged(from, before, now));
      setSeenVersion(nowVersion);
      setDropped(null);
    },
    /** Begins anew from what the tool is now; what was written is dropped. */
    restart: (now: Draft, nowVersion: number): void => {
      setDropped(draft);
      setBase(now);
      setDraft(now);
      setSeenVersion(nowVersion);
    },
    /** What was sent is the tool now, and the page goes there: what was written since waits there as a draft. */
    finish: (now: Tool, sent: Draft): void => {
      const later = laterDraft(now, sent, latest.current, Date.now());
      if (later !== null) keepDraft(kept, now.id, later);
      forgetDraft(kept, toolId);
      setDone(true);
    },
  };
}
