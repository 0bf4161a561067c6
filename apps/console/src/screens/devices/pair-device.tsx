import { useEffect, useState } from "react";
import { useMakeCode, usePairedSince } from "../../data/devices.ts";
import { useMe } from "../../data/session.ts";
import { Button } from "../../design/button.tsx";
import { CodeBlock } from "../../design/code-block.tsx";
import { CopyButton } from "../../design/copy-button.tsx";
import { Countdown } from "../../design/countdown.tsx";
import { Dialog } from "../../design/dialog.tsx";
import { Field, Refusal, TextInput } from "../../design/fields.tsx";
import { FormDialog } from "../../design/form-dialog.tsx";
import { Words } from "../../design/words.tsx";
import { pairCommands, WORDS_CHARS_MAX } from "./device-search.ts";

const WHO_CHARS_MAX = 200;

interface Props {
  onClose: () => void;
  onPaired: (id: string) => void;
}

interface Made {
  code: string;
  expiresAt: string;
  since: string;
}

/** Asks whose the device will be, shows its code with the time that is left, and waits for the machine. */
export function PairDevice({ onClose, onPaired }: Props) {
  const [name, setName] = useState("");
  const [agentId, setAgentId] = useState("");
  const [userId, setUserId] = useState("");
  const make = useMakeCode();
  if (make.data !== undefined)
    return <Waiting made={make.data} onAnother={() => make.reset()} onClose={onClose} onPaired={onPaired} />;
  const submit = (): void => {
    const said = (text: string): string | undefined => text.trim() || undefined;
    make.mutate({ name: said(name), agentId: said(agentId), userId: said(userId) });
  };
  return (
    <FormDialog
      title="Pair a device"
      onClose={onClose}
      does="Make a code"
      isBusy={make.isPending}
      onSubmit={submit}
    >
      <Field label="Name" hint="Left out: as the machine calls itself.">
        {(tie) => (
          <TextInput
            {...tie}
            data-first
            value={name}
            maxLength={WORDS_CHARS_MAX}
            onChange={({ target }) => setName(target.value)}
          />
        )}
      </Field>
      <Field label="Agent" hint="The one that alone may use it. Left out: every agent that may call nodes.">
        {(tie) => (
          <TextInput
            {...tie}
            spellCheck={false}
            value={agentId}
            maxLength={WHO_CHARS_MAX}
            onChange={({ target }) => setAgentId(target.value)}
          />
        )}
      </Field>
      <Field label="User" hint="The one for whom alone it is used (userId of a call). Left out: any.">
        {(tie) => (
          <TextInput
            {...tie}
            spellCheck={false}
            value={userId}
            maxLength={WHO_CHARS_MAX}
            onChange={({ target }) => setUserId(target.value)}
          />
        )}
      </Field>
      <Refusal error={make.error} />
    </FormDialog>
  );
}

interface WaitingProps extends Props {
  made: Made;
  onAnother: () => void;
}

function Waiting({ made: { code, expiresAt, since }, onAnother, onClose, onPaired }: WaitingProps) {
  const isOver = useIsOver(expiresAt);
  const { data: device } = usePairedSince(useMe().key.id, isOver ? undefined : since);
  const isPaired = device !== undefined && device !== null;
  return (
    <Dialog
      title={isPaired ? "The device is paired" : "Type this on the machine"}
      onClose={onClose}
      actions={
        isPaired ? (
          <Button look="primary" onClick={() => onPaired(device.id)}>
            Show it
          </Button>
        ) : (
          <>
            {isOver && (
              <Button look="primary" onClick={onAnother}>
                Make another code
              </Button>
            )}
            <Button onClick={onClose}>Close</Button>
          </>
        )
      }
    >
      {isPaired ? (
        <p role="status" className="text-sm">
          <span className="font-medium">
            <Words text={device.name} />
          </span>{" "}
          has come in. It offers its commands once it runs: bulkhead device run.
        </p>
      ) : (
        <>
          <div className="mb-4 flex flex-wrap items-center gap-x-4 gap-y-1">
            <output
              aria-label="The code"
              className="font-mono text-2xl font-semibold tracking-wider select-all"
            >
              {code}
            </output>
            <CopyButton text={code} what="the code" />
            <span className="ml-auto text-sm text-ink-2">
              {isOver ? (
                <span className="text-bad">It is too old.</span>
              ) : (
                <>
                  Works once, for <Countdown until={expiresAt} />
                </>
              )}
            </span>
          </div>
          <CodeBlock text={pairCommands(code, location.origin)} label="What is typed there" />
          <p className="mt-3 text-sm text-ink-2">
            What it may run stands in devices.json of the folder: bulkhead device run --help shows how. This
            page tells when the machine has come in.
          </p>
        </>
      )}
    </Dialog>
  );
}

/** Whether the moment has passed; drawn anew when it does. */
function useIsOver(until: string): boolean {
  const [isOver, setOver] = useState(() => Date.parse(until) <= Date.now());
  useEffect(() => {
    const timer = setTimeout(setOver, Math.max(0, Date.parse(until) - Date.now()), true);
    return () => clearTimeout(timer);
  }, [until]);
  return isOver;
}
