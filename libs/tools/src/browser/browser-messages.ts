import type { EgressUse, McpServerKey } from "@bulkhead/core";
import type { BrowserAction } from "./actions.ts";
import type { BrowserAnswer } from "./held-browsers.ts";

/** What a worker asks of the one that has the browser; `id` names the asking. */
export type ToHolder =
  | {
      type: "act";
      id: string;
      /** The worker that asks. */
      from: string;
      key: McpServerKey;
      action: BrowserAction;
      allowedHosts: readonly string[] | null;
      /** What is left to the run that asks. */
      left: EgressUse;
    }
  | { type: "cancel"; id: string };

export type ToAsker =
  | { type: "answer"; id: string; answer: BrowserAnswer; used: EgressUse }
  /** It has no such browser, and nothing was done. */
  | { type: "gone"; id: string };

export type BrowserMessage = ToHolder | ToAsker;
