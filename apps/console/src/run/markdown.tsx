import { createContext, type ReactNode, useContext } from "react";
import { LINK } from "../design/classes.ts";
import { CodeBlock } from "../design/code-block.tsx";
import { Words, wordsLine } from "../design/words.tsx";
import { type Block, readMarkdown } from "./markdown.ts";
import type { Inline } from "./markdown-inline.ts";

/** Which level of the page's headings a text's own begin with: where results stand unless it is said. */
const FirstLevel = createContext(4);

interface Props {
  text: string;
  firstLevel?: number;
}

/** Markdown as elements of the page; HTML in it is text, and only addresses of the web are links. */
export const Markdown = ({ text, firstLevel = 4 }: Props) => (
  <FirstLevel value={firstLevel}>
    <div className="flex flex-col gap-3 text-base break-words">
      <Blocks blocks={readMarkdown(text)} />
    </div>
  </FirstLevel>
);

// Parts of a text have no name but their place.
const Blocks = ({ blocks }: { blocks: readonly Block[] }) =>
  blocks.map((block, index) => <OneBlock key={index} block={block} />);

const HEADING_LOOKS = ["text-xl font-semibold", "text-lg font-semibold", "font-semibold"] as const;

function OneBlock({ block }: { block: Block }): ReactNode {
  switch (block.kind) {
    case "heading":
      return <Heading level={block.level} inlines={block.children} />;
    case "paragraph":
      return (
        <p>
          <Line inlines={block.children} />
        </p>
      );
    case "code":
      return <CodeBlock text={block.text} label="Code in the text" />;
    case "quote":
      return (
        <blockquote className="flex flex-col gap-2 border-l-2 border-line-strong pl-3 text-ink-2">
          <Blocks blocks={block.blocks} />
        </blockquote>
      );
    case "list":
      return <List start={block.start} items={block.items} />;
    case "table":
      return <TableBlock head={block.head} rows={block.rows} />;
    case "rule":
      return <hr className="border-line" />;
  }
}

function Heading({ level, inlines }: { level: number; inlines: readonly Inline[] }) {
  const first = useContext(FirstLevel);
  return (
    <p
      role="heading"
      aria-level={Math.min(6, level - 1 + first)}
      className={HEADING_LOOKS[level - 1] ?? "font-semibold text-ink-2"}
    >
      <Line inlines={inlines} />
    </p>
  );
}

function List({ start, items }: { start: number | null; items: readonly Block[][] }) {
  const shown = items.map((blocks, index) => (
    <li key={index} className="pl-1 [&>p]:inline">
      <Blocks blocks={blocks} />
    </li>
  ));
  return start === null ? (
    <ul className="ml-5 list-disc">{shown}</ul>
  ) : (
    <ol className="ml-6 list-decimal" start={start}>
      {shown}
    </ol>
  );
}

const TableBlock = ({ head, rows }: { head: readonly Inline[][]; rows: readonly Inline[][][] }) => (
  <div className="overflow-x-auto" tabIndex={0} role="region" aria-label="Table in the text">
    <table className="border-collapse text-sm">
      <thead>
        <tr>
          {head.map((cell, index) => (
            <th
              key={index}
              scope="col"
              className="border border-line bg-sunken px-2.5 py-1 text-left font-medium"
            >
              <Line inlines={cell} />
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => (
          <tr key={index}>
            {row.map((cell, place) => (
              <td key={place} className="border border-line px-2.5 py-1 align-top">
                <Line inlines={cell} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

const Line = ({ inlines }: { inlines: readonly Inline[] }) =>
  inlines.map((inline, index) => <OneInline key={index} inline={inline} />);

function OneInline({ inline }: { inline: Inline }): ReactNode {
  switch (inline.kind) {
    case "text":
      return <Words text={inline.text} />;
    case "code":
      return (
        <code className="rounded-sm bg-calm-soft px-1 font-mono text-sm">
          <Words text={inline.text} />
        </code>
      );
    case "break":
      return <br />;
    case "strong":
      return (
        <strong className="font-semibold">
          <Line inlines={inline.children} />
        </strong>
      );
    case "em":
      return (
        <em>
          <Line inlines={inline.children} />
        </em>
      );
    case "strike":
      return (
        <s>
          <Line inlines={inline.children} />
        </s>
      );
    case "link":
      return (
        <a
          href={inline.href}
          title={wordsLine(inline.href)}
          target="_blank"
          rel="noopener noreferrer nofollow"
          className={LINK}
        >
          <Line inlines={inline.children} />
        </a>
      );
  }
}
