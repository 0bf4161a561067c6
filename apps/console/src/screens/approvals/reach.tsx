import type { UseQueryResult } from "@tanstack/react-query";
import { wordsOf } from "../../data/api.ts";
import type { AskedVersion } from "../../data/asked-version.ts";
import { Part } from "../../design/part.tsx";
import { Skeleton } from "../../design/page-states.tsx";
import { Words } from "../../design/words.tsx";
import { reachOf } from "./reach.ts";
import { VersionChanges } from "./version-changes.tsx";

interface Props {
  toolId: string;
  version: number;
  asked: Pick<UseQueryResult<AskedVersion>, "data" | "error" | "isPending">;
}

/** What the version that was asked for can reach, and what it does otherwise than the one before. */
export const Reach = ({ toolId, version, asked: { data, error, isPending } }: Props) => (
  <>
    <Part title="What it can reach">
      {isPending && <Skeleton className="h-28 rounded-lg" />}
      {data === undefined && error !== null && (
        <p className="text-sm text-ink-2">
          This can't be told: <Words text={wordsOf(error)} />
        </p>
      )}
      {data !== undefined && <Reached asked={data} />}
    </Part>
    {data !== undefined && <VersionChanges toolId={toolId} version={version} />}
  </>
);

function Reached({ asked }: { asked: AskedVersion }) {
  const reached = reachOf(asked).filter(([, words]) => words.length > 0);
  return (
    <div className="rounded-lg border border-line bg-surface px-3 py-2 text-sm">
      <p className="text-ink-2">
        <Words text={asked.tool.description} />
      </p>
      {reached.length === 0 ? (
        <p className="mt-2">Nothing: it computes.</p>
      ) : (
        <dl className="mt-2 grid gap-x-4 gap-y-1.5 sm:grid-cols-[9rem_minmax(0,1fr)]">
          {reached.map(([name, words]) => (
            <div key={name} className="contents">
              <dt className="text-ink-2">{name}</dt>
              <dd>
                <ul>
                  {words.map((word) => (
                    <li key={word} className="break-words">
                      <Words text={word} />
                    </li>
                  ))}
                </ul>
              </dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  );
}
