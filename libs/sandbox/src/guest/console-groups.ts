import { LINE_BYTES_MAX } from "./bounds.ts";
import { indexOf, slice } from "./primordials.ts";

const INDENT = "  ";
/** Groups that are shown by their indent; deeper ones share the last indent. */
const SHOWN_MAX = 20;

let open = 0;
let indent = "";

function setOpen(count: number): void {
  open = count;
  indent = "";
  for (let i = 0; i < count && i < SHOWN_MAX; i++) indent += INDENT;
}

export const addGroup = (): void => setOpen(open + 1);
export const closeGroup = (): void => setOpen(open > 0 ? open - 1 : 0);

/** Each of its lines as far in as the groups that are open; a little over one log line at most, where it is indented. */
export function indented(text: string): string {
  if (indent === "") return text;
  let shown = indent;
  let from = 0;
  while (shown.length <= LINE_BYTES_MAX) {
    const end = indexOf(text, "\n", from);
    if (end < 0) return shown + slice(text, from);
    shown += slice(text, from, end + 1) + indent;
    from = end + 1;
  }
  return shown;
}
