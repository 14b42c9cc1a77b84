/** @type {import("next").NextConfig} */
export default {
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
};
