import type { Approval } from "@bulkhead/client";
import { useState } from "react";
import { type Answer, useAnswer } from "../../data/approvals.ts";
import { useMayAnswer } from "../../data/session.ts";
import { Button } from "../../design/button.tsx";
import { Check, ShieldCheck, X } from "../../design/icons.tsx";
import { usePageKeys } from "../../shell/shortcuts.ts";
import { AllowAlways } from "./allow-always.tsx";
import { Deny } from "./deny.tsx";
import { tellAnswered } from "./tell-answered.ts";

/** The answers to one call, by buttons and by keys. What stands for good, and a denial, are asked about first. */
export function AnswerBar({ approval }: { approval: Approval }) {
  const mayAnswer = useMayAnswer();
  return mayAnswer ? (
    <Answers approval={approval} />
  ) : (
    <p className="rounded-lg bg-calm-soft px-3 py-2 text-sm text-ink-2">
      Your key may look, and not answer: an owner of the tenant can, and developers where its settings let
      them.
    </p>
  );
}

function Answers({ approval }: { approval: Approval }) {
  const [asking, setAsking] = useState<"always" | "deny">();
  const answer = useAnswer(tellAnswered);
  const close = (): void => setAsking(undefined);
  const give = (said: Answer): void => {
    if (answer.isPending) return;
    answer.mutate(
      { approvals: [approval], answer: said },
      {
        onSuccess: (failed) => {
          // What was written stays where it was refused.
          if (failed.length === 0) close();
        },
      },
    );
  };
  const allowOnce = (): void => give({ kind: "once" });
  const mayStand = approval.kind === "execution";
  usePageKeys({
    a: allowOnce,
    d: () => setAsking("deny"),
    ...(mayStand && { A: () => setAsking("always") }),
  });
  const isBusy = (kind: Answer["kind"]): boolean => answer.isPending && answer.variables.answer.kind === kind;
  return (
    <div className="sticky bottom-0 z-10 -mx-4 flex flex-wrap gap-1.5 max-lg:*:px-2 lg:gap-2 border-y border-line bg-ground/95 px-4 py-2.5 max-lg:order-last lg:static lg:mx-0 lg:border-0 lg:bg-transparent lg:p-0">
      <Button look="primary" icon={Check} hint="a" isBusy={isBusy("once")} onClick={allowOnce}>
        Allow once
      </Button>
      {mayStand && (
        <Button icon={ShieldCheck} hint="⇧A" onClick={() => setAsking("always")}>
          Allow always
        </Button>
      )}
      <Button look="danger" icon={X} hint="d" onClick={() => setAsking("deny")}>
        Deny
      </Button>
      {asking === "always" && mayStand && (
        <AllowAlways approval={approval} isBusy={answer.isPending} give={give} onClose={close} />
      )}
      {asking === "deny" && (
        <Deny approvals={[approval]} isBusy={answer.isPending} give={give} onClose={close} />
      )}
    </div>
  );
}
