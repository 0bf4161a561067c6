import { wordsOf } from "../data/api.ts";
import { logOut } from "../data/session.ts";
import { notify } from "../design/notices.tsx";

/** Logs out; tells a person who could not be. */
export const leave = (): Promise<void> =>
  logOut().catch((error: unknown) => {
    notify("bad", `You are still logged in. ${wordsOf(error)}`);
  });
