import "./design/tokens.css";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { kept } from "./data/kept.ts";
import { queries } from "./data/queries.ts";
import { openSession, takeCode, useSession } from "./data/session.ts";
import { notify } from "./design/notices.tsx";
import { Failed } from "./design/page-states.tsx";
import { router } from "./router.tsx";
import { LinkQuestion } from "./screens/login/link-question.tsx";
import { Login } from "./screens/login/login.tsx";
import { followTheme } from "./shell/theme.ts";

followTheme();
kept.onRefused(() =>
  notify(
    "bad",
    "This browser keeps nothing for the console. What you choose lasts until you close the page.",
  ),
);
void openSession(takeCode());
// A link that is pasted into a page that is open loads nothing anew.
addEventListener("hashchange", () => {
  const code = takeCode();
  if (code !== null) void openSession(code);
});

function App() {
  const session = useSession();
  switch (session.state) {
    case "opening":
      return null;
    case "failed":
      return <Failed error={session.error} onRetry={session.again} />;
    case "asked":
      return <LinkQuestion me={session.me} code={session.code} />;
    case "out":
      return <Login reason={session.reason} />;
    case "in":
      return (
        <QueryClientProvider client={queries}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      );
  }
}

const place = document.querySelector("#app");
if (place === null) throw new Error("The page has no place for the console.");
createRoot(place).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
