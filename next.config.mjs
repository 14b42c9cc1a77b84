import { PHASE_DEVELOPMENT_SERVER } from "next/constants.js";

/** @type {(phase: string) => import("next").NextConfig} */
export default (phase) => ({
  // A page.dev.tsx is a page in development. A build does not see it, so its path answers 404 like any unknown one.
  pageExtensions: phase === PHASE_DEVELOPMENT_SERVER ? ["dev.tsx", "tsx", "ts"] : ["tsx", "ts"],
  // `npm test` and `npm run verify` check types with `tsc`, so the build does not check them again.
  typescript: { ignoreBuildErrors: true },
  turbopack: { root: import.meta.dirname },
  poweredByHeader: false,
  // API clients do not follow a redirect of a POST.
  skipTrailingSlashRedirect: true,
  // Next's image optimiser would fetch, compute and write to disk for any visitor, so it is turned off.
  images: { unoptimized: true, localPatterns: [] },
  // A running service must not write into its build.
  experimental: { isrFlushToDisk: false },
  serverExternalPackages: ["postgres", "pino", "undici", "nodemailer"],
  // A member of one business uses addresses without it: /test/links is /b/own/test/links.
  rewrites: async () => ({
    beforeFiles: [
      { source: "/:mode(test|live)", destination: "/b/own/:mode" },
      { source: "/:mode(test|live)/:path*", destination: "/b/own/:mode/:path*" },
    ],
  }),
});
