import { useBlocker } from "@tanstack/react-router";
import { Confirm } from "../../design/confirm.tsx";
import type { NewToolSearch } from "./builder-search.ts";

interface Props {
  isDirty: boolean;
  /** Keeps what is written in the browser; false: it could not. */
  settle: () => boolean;
}

/** What is written at an address; its other parts say what is seen of it. */
function beginningOf({ pathname, search }: { pathname: string; search: object }): string {
  const { from, of } = search as Pick<NewToolSearch, "from" | "of">;
  return JSON.stringify([pathname, from, of]);
}

/** Asks before a page is left with what nobody saved and the browser does not keep. */
export function Leaving({ isDirty, settle }: Props) {
  const loses = (): boolean => isDirty && !settle();
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => beginningOf(current) !== beginningOf(next) && loses(),
    enableBeforeUnload: loses,
    withResolver: true,
  });
  if (blocker.status !== "blocked") return null;
  return (
    <Confirm
      title="Leave without saving?"
      does="Leave"
      isBusy={false}
      onClose={blocker.reset}
      onConfirm={blocker.proceed}
    >
      What you wrote is not saved, and this browser does not keep it: it would be lost.
    </Confirm>
  );
}
