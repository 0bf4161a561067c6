import type { AnyNode } from "acorn";
import { parseBody } from "./parse-body.ts";
import { walkTree, type Place } from "./walk-tree.ts";

/** How many hosts are told of one code. */
const HOSTS_MAX = 100;

/** A host with or without a port, up to what can't be one; none behind a user's name. */
const URL_HOST = /https?:\/\/([\p{L}\p{N}.:_[\]-]+)(?![\p{L}\p{N}.:_[\]@%-])/giu;

/**
 * The hosts of the URLs that stand as plain text in the code, as a parsed URL has them, in the order of the text and each
 * once, the first 100; none where the code has a fault of syntax. A host that goes on in an expression is none.
 */
export function literalHosts(code: string): string[] {
  const parsed = parseBody(code);
  if ("offence" in parsed) return [];
  const found: { host: string; at: number }[] = [];
  walkTree(parsed.program, (place) => {
    for (const host of hostsAt(place)) found.push({ host, at: place.node.start });
    return true;
  });
  const inOrder = found.toSorted((one, other) => one.at - other.at).map(({ host }) => host);
  return [...new Set(inOrder)].slice(0, HOSTS_MAX);
}

function hostsAt({ node, parent }: Place): string[] {
  const text = textOf(node);
  if (text === null) return [];
  const isWhole = node.type === "TemplateElement" ? node.tail : parent?.node.type !== "BinaryExpression";
  return [...text.matchAll(URL_HOST)]
    .filter(({ 0: url, index }) => isWhole || index + url.length < text.length)
    .flatMap(({ 0: url }) => URL.parse(url)?.host ?? []);
}

function textOf(node: AnyNode): string | null {
  if (node.type === "TemplateElement") return node.value.cooked ?? null;
  return node.type === "Literal" && typeof node.value === "string" ? node.value : null;
}
