import type { Device } from "@bulkhead/client";
import type { Tone } from "../../design/badge.tsx";
import { chosen, oneOf, wordsIn } from "../../format/address.ts";

/** What of the screen stands in its address. */
export interface DeviceSearch {
  q?: string;
  state?: "online" | "offline";
  /** The device that is open. */
  open?: string;
}

export const STATES = ["online", "offline"] as const;
export const WORDS_CHARS_MAX = 100;
const ID_CHARS_MAX = 100;

export const readDeviceSearch = (raw: Record<string, unknown>): DeviceSearch =>
  chosen<DeviceSearch>({
    q: wordsIn(raw["q"], WORDS_CHARS_MAX),
    state: oneOf(STATES, raw["state"]),
    open: wordsIn(raw["open"], ID_CHARS_MAX),
  });

/** Whether it is there, in a word. */
export const standOf = ({
  enabled,
  online,
}: Pick<Device, "enabled" | "online">): { name: string; tone: Tone } => {
  if (!enabled) return { name: "Disabled", tone: "warn" };
  return online ? { name: "Online", tone: "good" } : { name: "Offline", tone: "calm" };
};

/** Who may use it, in words. */
export function whoseOf({ agentId, userId }: Pick<Device, "agentId" | "userId">): string {
  const whose = [
    ...(agentId === undefined ? [] : [`agent ${agentId}`]),
    ...(userId === undefined ? [] : [`user ${userId}`]),
  ];
  return whose.length === 0 ? "every agent" : whose.join(", ");
}

/** What is typed on the machine, in a folder with its devices.json. */
export const pairCommands = (code: string, server: string): string =>
  `bulkhead device pair ${code} --server ${server}\nbulkhead device run`;
