/** @type {import("next").NextConfig} */
export default {
  // `tsc` checks types on its own, before every build.
  typescript: { ignoreBuildErrors: true },
  turbopack: { root: import.meta.dirname },
  poweredByHeader: false,
  // An API client does not follow a redirect of its POST.
  skipTrailingSlashRedirect: true,
  // The optimiser fetches, computes and writes to disk for anybody who asks.
  images: { unoptimized: true, localPatterns: [] },
  // A running service writes nothing into its build.
  experimental: { isrFlushToDisk: false },
  serverExternalPackages: ["postgres", "pino", "undici"],
};
