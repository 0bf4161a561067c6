import { useMe } from "../../data/session.ts";
import type { FilesUsage } from "../../data/workspace-files.ts";
import { bytes, count, percent } from "../../format/numbers.ts";

const NEARLY = 0.9;

/** How much of what the tenant may have its files take, those of all workspaces together. */
export function UsageBar({ usage }: { usage: FilesUsage }) {
  const { limits } = useMe();
  if (limits === null) return null;
  return (
    <section
      aria-label="Room for files"
      className="mt-4 grid max-w-xl gap-3 text-xs text-ink-2 sm:grid-cols-2"
    >
      <Bar name="Files" used={usage.files} allowed={limits.maxFiles} words={count} />
      <Bar name="Bytes" used={usage.bytes} allowed={limits.maxAllFileBytes} words={bytes} />
      <p className="text-ink-3 sm:col-span-2">
        Of all workspaces of the tenant. A file may have {bytes(limits.maxFileBytes)}.
      </p>
    </section>
  );
}

interface BarProps {
  name: string;
  used: number;
  allowed: number;
  words: (value: number) => string;
}

function Bar({ name, used, allowed, words }: BarProps) {
  const share = allowed === 0 ? 1 : used / allowed;
  return (
    <div>
      <p className={share >= NEARLY ? "text-warn" : undefined}>
        {name}: {words(used)} of {words(allowed)} ({percent(share)})
      </p>
      <meter
        className="mt-1 h-1.5 w-full"
        aria-label={`${name} used`}
        min={0}
        max={1}
        high={NEARLY}
        value={Math.min(1, share)}
      />
    </div>
  );
}
