import { svelte } from "@sveltejs/vite-plugin-svelte";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";
import { policy } from "./scripts/policy.mjs";

/** The policy as a `<meta>`, for hosts that send no headers; `frame-ancestors` has no effect there. */
function meta(): Plugin {
  return {
    name: "tumble-policy",
    apply: "build",
    transformIndexHtml: {
      order: "post",
      handler: () => [
        {
          tag: "meta",
          attrs: { "http-equiv": "Content-Security-Policy", content: policy({ header: false }) },
          injectTo: "head-prepend",
        },
      ],
    },
  };
}

// `base: "./"` makes the same folder work at the root of a host and in a sub-folder.
export default defineConfig({
  base: "./",
  plugins: [svelte(), meta()],
  worker: { format: "es" },
  test: { include: ["src/**/*.test.ts"] },
  build: {
    target: "es2022",
    // Nothing is inlined: the policy allows files of the origin and no data: scripts or styles.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    manifest: "manifest.json",
    chunkSizeWarningLimit: 600,
  },
});
