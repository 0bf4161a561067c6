import type { ContentPart } from "@bulkhead/core/content-part";
import { saveFile } from "../data/files.ts";
import { Button } from "../design/button.tsx";
import { LINK } from "../design/classes.ts";
import { Download } from "../design/icons.tsx";
import { JsonTree } from "../design/json-tree.tsx";
import { Box } from "../design/part.tsx";
import { Words, wordsLine } from "../design/words.tsx";
import { bytes } from "../format/numbers.ts";
import { webLink } from "../format/web-link.ts";
import { Markdown } from "./markdown.tsx";
import { Cut, Image, PlainText } from "./plain-text.tsx";
import { audioUrl, imageUrl } from "./read-content.ts";
import { formsOf } from "./result-forms.ts";

/** The parts of a content, one below the other, each as what it is. */
export const ContentParts = ({ parts, title }: { parts: readonly ContentPart[]; title: string }) => (
  <Box title={`${title}: ${parts.length === 1 ? "1 part" : `${parts.length.toLocaleString()} parts`}`}>
    <ul className="flex flex-col divide-y divide-line">
      {parts.map((part, index) => (
        // A part has no name but its place.
        <li key={index} className="py-3 first:pt-0 last:pb-0">
          <Part part={part} />
        </li>
      ))}
    </ul>
  </Box>
);

function Part({ part }: { part: ContentPart }) {
  switch (part.type) {
    case "text":
      return formsOf(part.text)[0] === "markdown" ? (
        <Cut text={part.text}>{(shown) => <Markdown text={shown} />}</Cut>
      ) : (
        <PlainText text={part.text} />
      );
    case "json":
      return <JsonTree value={part.json} />;
    case "image": {
      const url = imageUrl(part.mimeType, part.data);
      return url === null ? <Data {...part} name="image" /> : <Image url={url} />;
    }
    case "audio":
      return <Sound {...part} />;
    case "resource": {
      const { uri, mimeType = "application/octet-stream" } = part.resource;
      return (
        <>
          <p className="mb-1 font-mono text-xs break-all text-ink-2">
            <Words text={uri} />
          </p>
          {"text" in part.resource ? (
            <PlainText text={part.resource.text} />
          ) : (
            <Data data={part.resource.blob} mimeType={mimeType} name="resource" />
          )}
        </>
      );
    }
    case "resource_link":
      return <Linked uri={part.uri} name={part.title ?? part.name} />;
  }
}

/** Sound is played by who asks for it, and can be kept. */
function Sound({ data, mimeType }: { data: string; mimeType: string }) {
  const url = audioUrl(mimeType, data);
  return (
    <div className="flex flex-col gap-2">
      {url !== null && (
        <audio controls src={url} className="w-full max-w-xl" aria-label="What the tool made, as sound" />
      )}
      <Data data={data} mimeType={mimeType} name="audio" />
    </div>
  );
}

function Linked({ uri, name }: { uri: string; name: string }) {
  const href = webLink(uri);
  if (href === null)
    return (
      <p className="text-sm break-all">
        <Words text={name} />{" "}
        <span className="font-mono text-xs text-ink-2">
          <Words text={uri} />
        </span>
      </p>
    );
  return (
    <a
      href={href}
      title={wordsLine(href)}
      target="_blank"
      rel="noopener noreferrer nofollow"
      className={`text-sm break-all ${LINK}`}
    >
      <Words text={name} />
    </a>
  );
}

/** Bytes that are not shown: what they are said to be, and a way to keep them. */
function Data({ data, mimeType, name }: { data: string; mimeType: string; name: string }) {
  const size = Math.floor((data.length / 4) * 3);
  const save = (): void => {
    const content = Uint8Array.from(atob(data), (char) => char.charCodeAt(0));
    saveFile(name, "application/octet-stream", content);
  };
  return (
    <div className="flex flex-wrap items-center gap-3 text-sm">
      <span className="text-ink-2">
        <Words text={mimeType} />, {bytes(size)}
      </span>
      <Button icon={Download} className="h-7 px-2" onClick={save}>
        Download
      </Button>
    </div>
  );
}
