/** @type {import("next").NextConfig} */
export default {
  // `tsc` checks types on its own, before every build.
  typescript: { ignoreBuildErrors: true },
  turbopack: { root: import.meta.dirname },
  poweredByHeader: false,
  serverExternalPackages: ["postgres", "pino", "undici"],
};
