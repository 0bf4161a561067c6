/** Bytes of the tools in one import; a body has 2 MiB with what stands around them. */
const BYTES_AT_ONCE = 1_500_000;

/** What is sent for a tool. */
interface Part {
  /** Its folder as JSON. */
  text: string;
}

/** In their order, as many at a time as one import takes; a tool that is larger than that goes alone. */
export function* inParts<T extends Part>(all: readonly T[], toolsMax: number): Iterable<T[]> {
  let part: T[] = [];
  let bytes = 0;
  for (const one of all) {
    const size = Buffer.byteLength(one.text);
    if (part.length === toolsMax || (part.length > 0 && bytes + size > BYTES_AT_ONCE)) {
      yield part;
      [part, bytes] = [[], 0];
    }
    part.push(one);
    bytes += size;
  }
  if (part.length > 0) yield part;
}
