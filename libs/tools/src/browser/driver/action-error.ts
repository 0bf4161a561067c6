import type { ActionFailure } from "../actions.ts";

/** Ends an action with words for whoever asked for it; thrown by what carries actions out. */
export class ActionError extends Error {
  readonly code: ActionFailure;

  constructor(code: ActionFailure, message: string) {
    super(message);
    this.code = code;
  }
}
