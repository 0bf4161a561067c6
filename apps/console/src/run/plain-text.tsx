import { type ReactNode, useState } from "react";
import { Button } from "../design/button.tsx";
import { Words } from "../design/words.tsx";

/** A picture that is all in its address. */
export const Image = ({ url }: { url: string | null }) =>
  url !== null && (
    <img
      src={url}
      alt="What the tool made"
      className="max-h-[32rem] max-w-full rounded-md border border-line bg-sunken object-contain"
    />
  );

/** Text as it is. */
export const PlainText = ({ text }: { text: string }) => (
  <Cut text={text}>
    {(shown) => (
      <p className="text-sm break-words whitespace-pre-wrap">
        {shown === "" ? <span className="text-ink-3">An empty text.</span> : <Words text={shown} />}
      </p>
    )}
  </Cut>
);

/** So many characters are shown before somebody asks for all. */
const CHARS_FIRST = 20_000;

export function Cut({ text, children }: { text: string; children: (shown: string) => ReactNode }) {
  const [isWhole, setWhole] = useState(false);
  const isCut = !isWhole && text.length > CHARS_FIRST;
  return (
    <>
      {children(isCut ? text.slice(0, CHARS_FIRST) : text)}
      {isCut && (
        <Button look="quiet" className="mt-2" onClick={() => setWhole(true)}>
          Show all {text.length.toLocaleString()} characters
        </Button>
      )}
    </>
  );
}
