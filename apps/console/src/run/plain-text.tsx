import { type ReactNode, useState } from "react";
import { Button } from "../design/button.tsx";
import { Words } from "../design/words.tsx";

const SVG = "data:image/svg+xml;";

/**
 * A picture that is all in its address, in a frame that says whose it is. A drawing in SVG may be as heavy as a program, and
 * look like a page: it is shown to who asks for it.
 */
export function Image({ url }: { url: string }) {
  const [isAsked, setAsked] = useState(false);
  if (url.startsWith(SVG) && !isAsked)
    return (
      <div className="flex flex-wrap items-center gap-3 text-sm text-ink-2">
        <span>
          A drawing (SVG) that the tool made. It may look like anything: trust no form and no text in it.
        </span>
        <Button onClick={() => setAsked(true)}>Show the drawing</Button>
      </div>
    );
  return (
    <figure>
      <img
        src={url}
        alt="What the tool made"
        className="max-h-[32rem] max-w-full rounded-md border border-line bg-sunken object-contain"
      />
      <figcaption className="mt-1 text-xs text-ink-3">A picture that the tool made</figcaption>
    </figure>
  );
}

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
