import { createRootRoute, Link } from "@tanstack/react-router";
import { LINK } from "../design/classes.ts";
import { Compass } from "../design/icons.tsx";
import { Picture } from "../design/page-states.tsx";
import { Shell } from "./shell.tsx";

/** What every screen's route stands under. */
export const root = createRootRoute({
  component: Shell,
  notFoundComponent: () => (
    <Picture icon={Compass} title="There is no such page">
      <Link to="/tools" className={LINK}>
        Go to the tools
      </Link>
    </Picture>
  ),
});
