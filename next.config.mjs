/** @type {import("next").NextConfig} */
export default {
  // `tsc` checks types on its own, before every build.
  typescript: { ignoreBuildErrors: true },
  turbopack: { root: import.meta.dirname },
  poweredByHeader: false,
  // An API client does not follow a redirect of its POST.
  skipTrailingSlashRedirect: true,
  serverExternalPackages: ["postgres", "pino", "undici"],
};
