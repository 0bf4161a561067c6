import { Link, useBlocker } from "@tanstack/react-router";
import { useState } from "react";
import { type SeenPolicy, usePolicy } from "../../data/policy.ts";
import { useIsOwner } from "../../data/session.ts";
import { LINK } from "../../design/classes.ts";
import { PageHead } from "../../design/page-head.tsx";
import { Failed, Loading } from "../../design/page-states.tsx";
import { Editor } from "./editor.tsx";
import { Explained } from "./explained.tsx";
import { readDraft, type Remark, textOf } from "./policy-draft.ts";
import { Reading } from "./reading.tsx";

/** Which tools the tenant's agents get: the document, what it says in words, and what it means for each tool. */
export function Policy() {
  const { data: seen, error, isPending, refetch } = usePolicy();
  if (isPending) return <Loading what="the policy" />;
  if (seen === undefined) return <Failed error={error} onRetry={() => void refetch()} />;
  return <Screen seen={seen} />;
}

function Screen({ seen }: { seen: SeenPolicy }) {
  const isOwner = useIsOwner();
  // What the text was made from, which a save must find unchanged.
  const [base, setBase] = useState(seen);
  const [text, setText] = useState(() => textOf(seen.document));
  const [faults, setFaults] = useState<readonly Remark[]>([]);
  const isChanged = text !== textOf(base.document);
  const take = (next: SeenPolicy, words = textOf(next.document)): void => {
    setBase(next);
    setText(words);
    setFaults([]);
  };
  // Nobody has begun to write: what somebody else saved is what is shown.
  if (seen.etag !== base.etag && !isChanged) take(seen);
  useBlocker({
    shouldBlockFn: ({ current, next }) =>
      isChanged && current.pathname !== next.pathname && !confirm("Leave without saving the policy?"),
    enableBeforeUnload: isChanged,
  });
  const draft = readDraft(text);
  const document = "document" in draft ? draft.document : null;
  return (
    <>
      <PageHead
        title="Policy"
        actions={
          <Link
            to="/audit"
            search={{ about: "policy" }}
            className={`inline-flex h-8 items-center text-sm ${LINK}`}
          >
            Its changes
          </Link>
        }
      >
        <p className="-mt-2 mb-4 max-w-3xl text-ink-2">
          Which tools agents get. What people may do, the roles of their keys say.
          {!isOwner && " You see what owners of the tenant have set."}
        </p>
      </PageHead>
      <div className="flex flex-col gap-8 p-4 md:p-6">
        <div className="grid gap-6 xl:grid-cols-2">
          <Editor
            base={base}
            text={text}
            draft={draft}
            faults={faults}
            isChanged={isChanged}
            onType={setText}
            onTake={take}
          />
          <Reading document={document ?? base.document} isDraft={isChanged && document !== null} />
        </div>
        <Explained document={isChanged ? document : null} isDraft={isChanged} onFaults={setFaults} />
      </div>
    </>
  );
}
