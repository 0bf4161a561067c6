import { useBlocker } from "@tanstack/react-router";
import { Confirm } from "../../design/confirm.tsx";

interface Props {
  isDirty: boolean;
  /** Keeps what is written in the browser; false: it could not. */
  settle: () => boolean;
}

/** Asks before a page is left with what nobody saved and the browser does not keep. */
export function Leaving({ isDirty, settle }: Props) {
  const loses = (): boolean => isDirty && !settle();
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => current.pathname !== next.pathname && loses(),
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
