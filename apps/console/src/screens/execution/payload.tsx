import type { Execution } from "@bulkhead/client";
import { useState } from "react";
import { wordsOf } from "../../data/api.ts";
import { downloadPayload, type PayloadKind } from "../../data/payloads.ts";
import { Button } from "../../design/button.tsx";
import { CodeBlock } from "../../design/code-block.tsx";
import { CopyButton } from "../../design/copy-button.tsx";
import { Download } from "../../design/icons.tsx";
import { JsonTree } from "../../design/json-tree.tsx";
import { notify } from "../../design/notices.tsx";
import { Box } from "../../design/part.tsx";
import { ResultView } from "../../run/result-view.tsx";

const TITLES = { arguments: "Arguments", result: "Result" } as const;

/** What an execution was given, or gave: as a tree, as text, and whole as a file, which comes range by range. */
export function Payload({ execution, kind }: { execution: Execution; kind: PayloadKind }) {
  const [isText, setText] = useState(false);
  const [isFetching, setFetching] = useState(false);
  const value = execution[kind];
  const isErased = execution.erased?.includes(kind) === true;
  const download = async (): Promise<void> => {
    setFetching(true);
    await downloadPayload(execution.id, kind).catch((error: unknown) => notify("bad", wordsOf(error)));
    setFetching(false);
  };
  const what = kind === "result" ? "the result" : "the arguments";
  const whole = (
    <Button
      look="quiet"
      icon={Download}
      isBusy={isFetching}
      aria-label={`Download ${what}`}
      title={`Download ${what} as JSON`}
      isSmall
      onClick={() => void download()}
    />
  );
  // What it gave stands in the form that fits it best.
  if (kind === "result" && !isErased) return <ResultView value={value ?? null} aside={whole} />;
  const aside = (
    <>
      <Button look="quiet" isSmall onClick={() => setText(!isText)}>
        {isText ? "As a tree" : "As text"}
      </Button>
      <CopyButton text={JSON.stringify(value, null, 2)} what={what} isSmall />
      {whole}
    </>
  );
  return (
    <Box title={TITLES[kind]} aside={isErased ? undefined : aside}>
      {isErased ? (
        <p className="text-sm text-ink-3">Erased, as the tool, its tenant or the call wanted.</p>
      ) : isText ? (
        <CodeBlock text={JSON.stringify(value, null, 2)} label={TITLES[kind]} />
      ) : (
        <JsonTree value={value} />
      )}
    </Box>
  );
}
