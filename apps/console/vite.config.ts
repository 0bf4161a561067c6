import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { monacoWorkers } from "./build/monaco-workers.ts";
import { strictMonaco } from "./build/strict-monaco.ts";

/** Where a running API is, for `npx vite apps/console`. */
const API = process.env["BULKHEAD_URL"] ?? "http://127.0.0.1:3000";

export default defineConfig({
  base: "/console/",
  plugins: [react(), tailwindcss(), strictMonaco(), monacoWorkers()],
  // Nothing is written into the page itself: its policy lets only files of its own host in.
  build: {
    target: "es2023",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // The editor is loaded by those who write.
    chunkSizeWarningLimit: 3_000,
    rolldownOptions: { checks: { pluginTimings: false } },
  },
  server: { proxy: { "/api": API } },
});
