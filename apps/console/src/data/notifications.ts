import { harmlessLine } from "@bulkhead/core/harmless";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useSyncExternalStore } from "react";
import { kept } from "./kept.ts";
import { onNews } from "./live.ts";
import { useMayAnswer } from "./session.ts";

/** Whether the browser shows notifications of this page: `default`: nobody was asked; `none`: it can't. */
export type Allowance = "none" | NotificationPermission;

export interface Notifying {
  allowance: Allowance;
  /** What the person chose here. */
  isWanted: boolean;
}

const KEPT_AS = "notify";
const listeners = new Set<() => void>();
const hasNotifications = "Notification" in globalThis;

const read = (): Notifying => ({
  allowance: hasNotifications ? Notification.permission : "none",
  isWanted: kept.read(KEPT_AS) === "on",
});
let state = read();

function changed(): void {
  state = read();
  for (const listener of listeners) listener();
}

/** Asks the browser where it has not been asked, and keeps what the person wants. */
export async function wantNotifications(isWanted: boolean): Promise<void> {
  if (isWanted && hasNotifications && Notification.permission === "default")
    await Notification.requestPermission();
  kept.keep(KEPT_AS, isWanted ? "on" : "off");
  changed();
}

export const useNotifying = (): Notifying =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => state,
  );

/** Shows a notification for each call that begins to wait while nobody looks at the page; it goes with the answer. */
export function useApprovalNotifications(): void {
  const navigate = useNavigate();
  const mayAnswer = useMayAnswer();
  const { allowance, isWanted } = useNotifying();
  const isOn = mayAnswer && isWanted && allowance === "granted";
  useEffect(() => {
    if (!isOn) return;
    const shown = new Map<string, Notification>();
    const stop = onNews((news) => {
      if (news?.event === "approval.answered") {
        shown.get(news.data.approvalId)?.close();
        shown.delete(news.data.approvalId);
      }
      if (news?.event !== "approval.requested" || document.hasFocus()) return;
      const { approvalId, toolName } = news.data;
      const notification = new Notification(`${harmlessLine(toolName)} waits for you`, {
        body: "An agent's call has to be allowed by a person.",
        tag: approvalId,
      });
      notification.addEventListener("click", () => {
        focus();
        void navigate({ to: "/approvals/$approvalId", params: { approvalId } });
      });
      notification.addEventListener("close", () => shown.delete(approvalId));
      shown.set(approvalId, notification);
    });
    return () => {
      stop();
      for (const notification of shown.values()) notification.close();
    };
  }, [isOn, navigate]);
}
