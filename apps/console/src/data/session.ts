import type { Me } from "@bulkhead/client";
import { useSyncExternalStore } from "react";
import { api, isLoggedOut } from "./api.ts";
import { kept } from "./kept.ts";

/** Who looks at the page: nobody yet, nobody, or somebody by their session. */
export type Session =
  | { state: "opening" }
  /** `again` goes on where it failed, with the same link. */
  | { state: "failed"; error: Error; again: () => void }
  /** A link would log somebody in where somebody is already: whoever sent it may have meant to have them work for another. */
  | { state: "asked"; me: Me; code: string }
  | { state: "out"; reason?: string }
  | { state: "in"; me: Me };

let session: Session = { state: "opening" };
const listeners = new Set<() => void>();
const turns = new Set<() => void>();

function become(next: Session): void {
  const isTurn = session.state !== next.state;
  session = next;
  if (isTurn) for (const turn of turns) turn();
  for (const listener of listeners) listener();
}

/** Hears when somebody has come in or is out, before the page shows it: what was known then is not for whoever comes next. */
export const onTurn = (turn: () => void): void => void turns.add(turn);

const CODE = /^#code=([\w-]+)$/;

/** The login code that the address holds, if any; it is taken out of the address and its history. */
export function takeCode(): string | null {
  const code = CODE.exec(location.hash)?.[1] ?? null;
  if (code !== null) history.replaceState(history.state, "", location.pathname + location.search);
  return code;
}

/** That somebody was in, by whatever session; it opens nothing. */
const WAS_IN = "wasIn";

/** Goes on with the session of before, or begins one by the code; where there are both, the person is asked. */
export async function openSession(code: string | null): Promise<void> {
  become({ state: "opening" });
  try {
    // Without a session the question would be an error in the browser's log.
    const me = code === null || kept.read(WAS_IN) !== null ? await meOrNull() : null;
    if (me !== null && code !== null) become({ state: "asked", me, code });
    else if (me !== null) enter(me);
    else if (code === null) become({ state: "out" });
    else await takeLink(code);
  } catch (error) {
    become({ state: "failed", error: error as Error, again: () => void openSession(code) });
  }
}

/** Begins a session by the code of a link, whoever was in before. */
export async function takeLink(code: string): Promise<void> {
  try {
    await begin({ code });
    enter(await api.me());
  } catch (error) {
    if (isLoggedOut(error))
      return become({ state: "out", reason: "The link was used before, or is older than ten minutes." });
    become({ state: "failed", error: error as Error, again: () => void takeLink(code) });
  }
}

/** Leaves a link that was not asked for alone. */
export const stayIn = (me: Me): void => enter(me);

function enter(me: Me): void {
  kept.note(WAS_IN, "1");
  kept.enter(me.tenant?.id ?? "platform");
  become({ state: "in", me });
}

async function meOrNull(): Promise<Me | null> {
  try {
    return await api.me();
  } catch (error) {
    if (isLoggedOut(error)) return null;
    throw error;
  }
}

/** The browser's other pages of the console, which have the same cookie: each looks anew at whose it is. */
const others = new BroadcastChannel("bulkhead.session");
const [LEFT, CAME] = ["left", "came"];
others.addEventListener("message", ({ data }) => {
  // What these pages still want to keep, as a draft, would come behind what was forgotten.
  if (data === LEFT) kept.leave();
  void openSession(null);
});
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- A channel has none: it reaches its own origin alone.
const tellOthers = (what: string): void => others.postMessage(what);

async function begin(by: { code: string } | { key: string }): Promise<void> {
  await api.sessions.begin(by);
  tellOthers(CAME);
}

/** Begins a session with a key, which is kept nowhere. */
export async function logIn(key: string): Promise<void> {
  await begin({ key });
  enter(await api.me());
}

/** Looks again at who is logged in, once something changed what they may do. */
export async function lookAgainAtMe(): Promise<void> {
  const me = await api.me();
  if (session.state === "in") become({ state: "in", me });
}

export async function logOut(): Promise<void> {
  await api.sessions.end().catch((error: unknown) => {
    // One that is over is as good as ended.
    if (!isLoggedOut(error)) throw error;
  });
  kept.forget(WAS_IN);
  kept.leave();
  tellOthers(LEFT);
  become({ state: "out" });
}

export const sessionEnded = (): void => {
  if (session.state === "in")
    become({ state: "out", reason: "Your session has ended. Log in again to go on here." });
};

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useSession = (): Session => useSyncExternalStore(subscribe, () => session);

const meOf = (current: Session): Me => {
  if (current.state !== "in") throw new Error("Nobody is logged in.");
  return current.me;
};

/** Who is logged in; for what stands inside the shell alone. */
export const useMe = (): Me => meOf(useSession());

/** The same where no component asks. */
export const currentMe = (): Me => meOf(session);

type Role = Me["key"]["role"];

/** The roles that change things of the tenant; the server decides anyway. */
const WRITERS: readonly Role[] = ["owner", "developer"];

export const useMayWrite = (): boolean => WRITERS.includes(useMe().key.role);

/** Whether the person may answer agents' calls: an owner, and a developer where the tenant lets developers. */
export function useMayAnswer(): boolean {
  const { key, settings } = useMe();
  return (
    key.role === "owner" ||
    (key.role === "developer" && settings !== null && settings.approval.developersMayApprove)
  );
}

/** The roles that run tools, and so also cancel, replay and deliver again. */
const RUNNERS: readonly Role[] = [...WRITERS, "agent"];

export const useMayRun = (): boolean => RUNNERS.includes(useMe().key.role);

/** Whether one is an owner, who alone sets the policy, gives grants and answers requests for access. */
export const useIsOwner = (): boolean => useMe().key.role === "owner";
