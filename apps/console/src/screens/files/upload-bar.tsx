import { Button } from "../../design/button.tsx";
import { X } from "../../design/icons.tsx";
import { Words } from "../../design/words.tsx";
import { bytes, count } from "../../format/numbers.ts";
import type { Uploads } from "./use-uploads.ts";

const SHOWN_MAX = 5;

/** How far an upload is, what was not taken and why, and which files are there already. */
export function UploadBar({ uploads: { state, replace, stop, clear } }: { uploads: Uploads }) {
  if (state === null) return null;
  const { done, of: all, bytesDone, bytes: sum, now, taken, failed } = state;
  const isOver = now === null;
  const sent = done - taken.length - failed.length;
  return (
    <section aria-label="Upload" className="mb-3 rounded-lg border border-line bg-surface p-3 text-sm">
      <div className="flex flex-wrap items-center gap-2">
        <p role="status" className="min-w-0 flex-1 break-words">
          {isOver ? (
            `${count(sent)} of ${count(all)} files uploaded.`
          ) : (
            <>
              Uploading {count(done + 1)} of {count(all)}: <Words text={now} /> ({bytes(bytesDone)} of{" "}
              {bytes(sum)})
            </>
          )}
        </p>
        {isOver ? (
          <Button look="quiet" icon={X} aria-label="Close what the upload tells" onClick={clear} />
        ) : (
          <Button onClick={stop}>Stop</Button>
        )}
      </div>
      {!isOver && (
        <progress
          className="mt-2 h-1.5 w-full"
          aria-label="Uploaded"
          value={bytesDone}
          max={Math.max(1, sum)}
        />
      )}
      {taken.length > 0 && (
        <div className="mt-2 rounded-md bg-warn-soft px-3 py-2">
          <p>
            {taken.length === 1
              ? "A file of this path is there already"
              : `${count(taken.length)} files of these paths are there already`}
            ; replaced, they stay as former versions.
          </p>
          <Paths paths={taken.map(({ path }) => path)} />
          {isOver && (
            <div className="mt-2 flex flex-wrap gap-2">
              <Button onClick={() => void replace()}>
                {taken.length === 1 ? "Replace it" : "Replace them"}
              </Button>
              <Button look="quiet" onClick={clear}>
                Keep what is there
              </Button>
            </div>
          )}
        </div>
      )}
      {failed.length > 0 && (
        <ul role="alert" className="mt-2 rounded-md bg-bad-soft px-3 py-2">
          {failed.slice(0, SHOWN_MAX).map(({ path, why }) => (
            <li key={path} className="break-words">
              <Words text={path} />: <Words text={why} />
            </li>
          ))}
          {failed.length > SHOWN_MAX && <li>and {count(failed.length - SHOWN_MAX)} more.</li>}
        </ul>
      )}
    </section>
  );
}

const Paths = ({ paths }: { paths: readonly string[] }) => (
  <ul className="mt-1 text-xs text-ink-2">
    {paths.slice(0, SHOWN_MAX).map((path) => (
      <li key={path} className="break-words">
        <Words text={path} />
      </li>
    ))}
    {paths.length > SHOWN_MAX && <li>and {count(paths.length - SHOWN_MAX)} more</li>}
  </ul>
);
