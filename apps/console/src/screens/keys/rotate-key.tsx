import type { ApiKey } from "@bulkhead/client";
import { useState } from "react";
import { useRotateKey } from "../../data/keys.ts";
import { Button } from "../../design/button.tsx";
import { Dialog } from "../../design/dialog.tsx";
import { Field, Options, Refusal, Select } from "../../design/fields.tsx";
import { Words } from "../../design/words.tsx";
import { SecretOnce } from "./secret-once.tsx";

/** For how long the old secret may work beside the new one, in seconds. */
const OVERLAPS = [
  [0, "Ends at once"],
  [3_600, "Works for one hour more"],
  [86_400, "Works for one day more"],
  [604_800, "Works for seven days more"],
] as const;

/** Gives a key a new secret while the old one goes on for a while, and shows the new one once. */
export function RotateKey({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const [overlapSeconds, setOverlap] = useState<number>(OVERLAPS[1][0]);
  const rotate = useRotateKey();
  if (rotate.data !== undefined)
    return (
      <SecretOnce
        title="The new secret"
        secret={rotate.data.key}
        agentId={apiKey.agentId}
        onClose={onClose}
      />
    );
  return (
    <Dialog
      title={
        <>
          A new secret for <Words text={apiKey.name} />
        </>
      }
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            look="primary"
            isBusy={rotate.isPending}
            onClick={() => rotate.mutate({ id: apiKey.id, overlapSeconds })}
          >
            Create secret
          </Button>
        </>
      }
    >
      <Field label="The present secret" hint="How long its users have to change to the new one.">
        {(tie) => (
          <Select {...tie} value={overlapSeconds} onChange={({ target }) => setOverlap(Number(target.value))}>
            <Options from={OVERLAPS} />
          </Select>
        )}
      </Field>
      <Refusal error={rotate.error} />
    </Dialog>
  );
}
