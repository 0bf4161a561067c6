import { harmless, harmlessLine } from "@bulkhead/core/harmless";

/**
 * Text of a stranger's (a tool, a model, a server) as text alone: what would hide or turn letters is spelled out, such as
 * `\u{202e}`, and writing from right to left turns nothing beside it; a word that does not end widens no page.
 */
export const Words = ({ text }: { text: string }) => <bdi className="wrap-anywhere">{harmless(text)}</bdi>;

/** The same for where only a string can stand, as what is shown on hover; on one line. */
export const wordsLine = harmlessLine;
