import type { Me } from "@bulkhead/client";
import { useState } from "react";
import { stayIn, takeLink } from "../../data/session.ts";
import { Button } from "../../design/button.tsx";
import { Words } from "../../design/words.tsx";
import { Mark } from "../../shell/mark.tsx";

/** A login link was opened where somebody is in already: it may be a stranger's, who would have them work in another tenant. */
export function LinkQuestion({ me, code }: { me: Me; code: string }) {
  const [isBusy, setBusy] = useState(false);
  const take = (): void => {
    setBusy(true);
    void takeLink(code);
  };
  return (
    <main className="flex min-h-dvh items-center justify-center p-4">
      <div className="flex w-full max-w-sm flex-col gap-4 rounded-lg border border-line bg-surface p-6 shadow-pop">
        <Mark size={32} />
        <h1 className="text-xl font-semibold">Log in by this link?</h1>
        <p className="text-ink-2">
          You are in <Words text={me.tenant?.name ?? "the platform"} /> with the key{" "}
          <Words text={me.key.name} />. The link ends that session and begins another. Take it only if you
          made it yourself.
        </p>
        <div className="flex flex-col gap-2">
          <Button look="primary" autoFocus onClick={() => stayIn(me)} className="h-9!">
            Stay where I am
          </Button>
          <Button isBusy={isBusy} onClick={take} className="h-9!">
            Log in by the link
          </Button>
        </div>
      </div>
    </main>
  );
}
