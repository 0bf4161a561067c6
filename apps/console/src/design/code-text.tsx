import { Button } from "./button.tsx";
import { piecesOf } from "./gaps.ts";
import { Words } from "./words.tsx";

/** A line of code that somebody judges: it wraps where it stands, and a wide gap says how wide it is in place of being so. */
export const CodeText = ({ text }: { text: string }) =>
  text === ""
    ? " "
    : piecesOf(text).map((piece, index) =>
        typeof piece === "string" ? (
          // A piece has no name but its place.
          <Words key={index} text={piece} />
        ) : (
          <Gap key={index} words={`${piece.gap.toLocaleString()} spaces`} />
        ),
      );

/** So many empty lines, in place of them. */
export const EmptyLines = ({ count, kind }: { count: number; kind: string }) => (
  <span className="block px-3 py-0.5">
    <Gap words={`${count.toLocaleString()} ${kind}`} />
  </span>
);

const Gap = ({ words }: { words: string }) => (
  <span className="mx-1 rounded-sm bg-warn-soft px-1 font-sans text-xs text-warn select-none">
    … {words} …
  </span>
);

/** Below lines that are cut. */
export const ShowAllLines = ({ count, onShow }: { count: number; onShow: () => void }) => (
  <Button look="quiet" className="w-full rounded-none border-t border-line" onClick={onShow}>
    Show all {count === 1 ? "of the line" : `${count.toLocaleString()} lines`}
  </Button>
);
