import type { File as WorkspaceFile } from "@bulkhead/client";
import { useEffect, useState } from "react";
import { CodeEditor } from "../../code-editor/code-editor.tsx";
import { useMayWrite } from "../../data/session.ts";
import { SHOWN_BYTES_MAX, useFileBytes, type Workspace } from "../../data/workspace-files.ts";
import { Button } from "../../design/button.tsx";
import { CodeBlock } from "../../design/code-block.tsx";
import { FileArchive, Pencil } from "../../design/icons.tsx";
import { Failed, Loading, Picture } from "../../design/page-states.tsx";
import { Segments } from "../../design/segments.tsx";
import { bytes as bytesInWords } from "../../format/numbers.ts";
import { Markdown } from "../../run/markdown.tsx";
import { FileEditor } from "./file-editor.tsx";
import { type FileForm, formOf, languageOf } from "./file-kinds.ts";

interface Props {
  workspace: Workspace;
  file: WorkspaceFile;
}

/** What is in the file: text with colours, Markdown as it reads, a picture to who asks for it; text can be changed here. */
export function FileContent({ workspace, file }: Props) {
  const mayWrite = useMayWrite();
  // What is being written goes on from what it began with, whatever the file is by then.
  const [begun, setBegun] = useState<{ file: WorkspaceFile; text: string } | null>(null);
  const { data: bytes, error, isPending, refetch } = useFileBytes(workspace, file.path, file);
  if (begun !== null)
    return (
      <FileEditor workspace={workspace} file={begun.file} text={begun.text} onDone={() => setBegun(null)} />
    );
  if (isPending) return <Loading what="the file's content" />;
  if (bytes === undefined) return <Failed error={error} onRetry={() => void refetch()} />;
  const isWhole = file.size <= SHOWN_BYTES_MAX;
  const form = formOf(file.path, file.contentType, bytes, isWhole);
  return (
    <>
      {!isWhole && (
        <p className="mb-3 rounded-md bg-warn-soft px-3 py-2 text-sm">
          The first {bytesInWords(SHOWN_BYTES_MAX)} of {bytesInWords(file.size)} are shown. Download the file
          to see, or to change, all of it.
        </p>
      )}
      <Shown
        path={file.path}
        form={form}
        bytes={bytes}
        edit={mayWrite && isWhole && form.kind === "text" ? () => setBegun({ file, text: form.text }) : null}
      />
    </>
  );
}

interface ShownProps {
  path: string;
  form: FileForm;
  bytes: Uint8Array;
  /** Null: it can't be changed here. */
  edit: (() => void) | null;
}

function Shown({ path, form, bytes, edit }: ShownProps) {
  const [view, setView] = useState<"read" | "source">("read");
  if (form.kind === "bytes")
    return (
      <Picture icon={FileArchive} title="This is no text">
        Download it to see what is in it.
      </Picture>
    );
  if (form.kind === "picture") return <Asked type={form.type} bytes={bytes} />;
  const { text, isMarkdown } = form;
  const language = languageOf(path);
  return (
    <>
      <div className="mb-2 flex min-h-8 flex-wrap items-center gap-2">
        {isMarkdown && (
          <Segments
            label="How it is shown"
            names={{ read: "As it reads", source: "Source" }}
            current={view}
            onChoose={setView}
          />
        )}
        {edit !== null && (
          <Button className="ml-auto" icon={Pencil} onClick={edit}>
            Edit
          </Button>
        )}
      </div>
      {isMarkdown && view === "read" ? (
        <div className="max-w-3xl rounded-lg border border-line bg-surface p-4">
          <Markdown text={text} firstLevel={2} />
        </div>
      ) : language === undefined ? (
        <CodeBlock text={text} label="The file" />
      ) : (
        <CodeEditor
          label="The file"
          value={text}
          language={language}
          readOnly
          wrap
          height="min(70vh, 48rem)"
          onChange={() => undefined}
        />
      )}
    </>
  );
}

/** A picture may look like anything, so it is shown to who asks for it, in a frame of its own. */
function Asked({ type, bytes }: { type: string; bytes: Uint8Array }) {
  const [url, setUrl] = useState<string | null>(null);
  const [isAsked, setAsked] = useState(false);
  useEffect(() => {
    if (!isAsked) return;
    const reader = new FileReader();
    reader.addEventListener("load", () => typeof reader.result === "string" && setUrl(reader.result));
    reader.readAsDataURL(new Blob([bytes.slice()], { type }));
    return () => reader.abort();
  }, [isAsked, type, bytes]);
  if (!isAsked)
    return (
      <div className="flex flex-wrap items-center gap-3 text-sm text-ink-2">
        A picture that somebody else made. It may look like anything: trust no form and no text in it.
        <Button onClick={() => setAsked(true)}>Show the picture</Button>
      </div>
    );
  return (
    url !== null && (
      <img
        src={url}
        alt="The file"
        className="max-h-[40rem] max-w-full rounded-md border border-line bg-sunken object-contain"
      />
    )
  );
}
