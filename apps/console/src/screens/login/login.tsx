import { type FormEvent, useState } from "react";
import { isLoggedOut, wordsOf } from "../../data/api.ts";
import { logIn } from "../../data/session.ts";
import { Button } from "../../design/button.tsx";
import { Field, TextInput } from "../../design/fields.tsx";
import { Mark } from "../../shell/mark.tsx";

/** A key is pasted once; what stays is a cookie that no script reads. */
export function Login({ reason }: { reason: string | undefined }) {
  const [fault, setFault] = useState<string>();
  const [isBusy, setBusy] = useState(false);

  async function submit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    const given = new FormData(event.currentTarget).get("key");
    const key = typeof given === "string" ? given.trim() : "";
    if (key === "") return setFault("Paste a key first.");
    setBusy(true);
    setFault(undefined);
    await logIn(key).catch((error: unknown) => {
      setFault(isLoggedOut(error) ? "No such key; it may have expired or been revoked." : wordsOf(error));
      setBusy(false);
    });
  }

  return (
    <main className="flex min-h-dvh items-center justify-center p-4">
      <form
        onSubmit={(event) => void submit(event)}
        className="flex w-full max-w-sm flex-col gap-5 rounded-lg border border-line bg-surface p-6 shadow-pop"
      >
        <div className="flex items-center gap-3">
          <Mark size={32} />
          <h1 className="text-xl font-semibold">Bulkhead</h1>
        </div>
        {reason !== undefined && (
          <p role="status" className="rounded-md bg-warn-soft px-3 py-2 text-sm text-ink">
            {reason}
          </p>
        )}
        <Field
          label="API key"
          hint="It is sent once, and not kept: your browser gets a session for twelve hours."
          fault={fault}
        >
          {(tie) => (
            <TextInput
              {...tie}
              name="key"
              type="password"
              autoComplete="off"
              spellCheck={false}
              autoFocus
              placeholder="bh_…"
              className="font-mono"
            />
          )}
        </Field>
        <Button type="submit" look="primary" isBusy={isBusy} className="h-9">
          Log in
        </Button>
        <p className="text-xs text-ink-3">
          Where you started Bulkhead by <code className="font-mono">npm start</code>, it printed a link that
          logs you in.
        </p>
      </form>
    </main>
  );
}
