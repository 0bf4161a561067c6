/** What an execution was given and answered. */
export const PAYLOAD_PARTS = ["arguments", "result"] as const;
export type PayloadPart = (typeof PAYLOAD_PARTS)[number];

/** The most bytes of a payload that are read at a time. */
export const PAYLOAD_RANGE_BYTES_MAX = 1024 * 1024;

/** So many bytes, from this one on; the first is 0. */
export interface ByteRange {
  from: number;
  count: number;
}

export interface PayloadBytes {
  bytes: Uint8Array;
  /** Of the whole text, in UTF-8. */
  total: number;
  /** The agent that the call was made for. */
  agentId: string | null;
  /** The access token by which it was made. */
  accessTokenId: string | null;
}
