import { type ReactNode, useMemo, useState } from "react";
import { classes } from "../design/classes.ts";
import { CopyButton } from "../design/copy-button.tsx";
import { JsonTree } from "../design/json-tree.tsx";
import { Box } from "../design/part.tsx";
import { ContentParts } from "./content-parts.tsx";
import { DataTable } from "./data-table.tsx";
import { Markdown } from "./markdown.tsx";
import { Cut, Image, PlainText } from "./plain-text.tsx";
import { imageIn, readMarked } from "./read-content.ts";
import { type Form, FORM_NAMES, formsOf, tableOf } from "./result-forms.ts";

interface Props {
  value: unknown;
  title?: string;
  /** Further buttons of its head. */
  aside?: ReactNode;
}

/** What a run gave, in the form that fits it best, and in others for whoever asks. */
export function ResultView({ value, title = "Result", aside }: Props) {
  const marked = useMemo(() => readMarked(value), [value]);
  if (marked === null) return <Plain value={value} title={title} aside={aside} />;
  if (marked.kind === "content") return <ContentParts parts={marked.parts} title={title} />;
  return (
    <>
      <ResultView value={marked.forUser} title={`${title}, for the person`} />
      <ResultView value={marked.forLLM} title={`${title}, for the model`} />
    </>
  );
}

function Plain({ value, title, aside }: Props & { title: string }) {
  const forms = useMemo(() => formsOf(value), [value]);
  const [asked, ask] = useState<Form>();
  const [best = "tree"] = forms;
  const form = asked !== undefined && forms.includes(asked) ? asked : best;
  return (
    <Box
      title={title}
      aside={
        <>
          {forms.length > 1 &&
            forms.map((one) => (
              <button
                key={one}
                type="button"
                aria-pressed={one === form}
                onClick={() => ask(one)}
                className={classes(
                  "rounded-sm px-1.5 text-xs hover:text-ink",
                  one === form ? "bg-accent-soft text-accent-strong" : "text-ink-2",
                )}
              >
                {FORM_NAMES[one]}
              </button>
            ))}
          <CopyResult value={value} />
          {aside}
        </>
      }
    >
      <Shown value={value} form={form} />
    </Box>
  );
}

const CopyResult = ({ value }: { value: unknown }) => {
  const text = typeof value === "string" ? value : (JSON.stringify(value, null, 2) ?? "null");
  return <CopyButton text={text} what="the result" isSmall />;
};

function Shown({ value, form }: { value: unknown; form: Form }) {
  const text = typeof value === "string" ? value : "";
  const table = useMemo(() => (form === "table" ? tableOf(value) : null), [value, form]);
  const image = useMemo(() => (form === "image" ? imageIn(text) : null), [text, form]);
  switch (form) {
    case "table":
      return table === null ? null : <DataTable table={table} />;
    case "image":
      return image === null ? null : <Image url={image} />;
    case "markdown":
      return <Cut text={text}>{(shown) => <Markdown text={shown} />}</Cut>;
    case "text":
      return <PlainText text={text} />;
    case "tree":
      return <JsonTree value={value ?? null} />;
  }
}
