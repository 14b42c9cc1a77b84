import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["**/*.test.ts"],
    exclude: ["node_modules/**", ".next/**", ".bench/**", "e2e/**"],
    globalSetup: ["testing/global-setup.ts"],
    setupFiles: ["testing/setup.ts"],
    testTimeout: 120_000,
    hookTimeout: 180_000,
    // Each file has a database of its own and some a server; two at once is what two cores carry.
    maxWorkers: 2,
  },
});
