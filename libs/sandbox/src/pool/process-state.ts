/**
 * starting → ready ⇄ running (reserved counts as that) → ended. Every state may end; `leaving` was sent SIGKILL
 * and is not gone yet.
 */
export type ProcessState = "starting" | "ready" | "running" | "leaving" | "ended";
