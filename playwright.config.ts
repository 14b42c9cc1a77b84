import { defineConfig } from "@playwright/test";

export default defineConfig({
  testDir: "e2e",
  globalSetup: "./e2e/global-setup.ts",
  outputDir: ".data/e2e-results",
  // Long enough for pages in every width and theme on a busy machine. Only a failing journey takes this long.
  timeout: 420_000,
  expect: { timeout: 15_000 },
  workers: 3,
  reporter: "list",
  use: {
    // Recording a trace takes a fifth of a journey's time. To record one: npx playwright test e2e/NAME.spec.ts --trace on
    screenshot: "only-on-failure",
    launchOptions: {
      ...(process.env.CHROMIUM_PATH && { executablePath: process.env.CHROMIUM_PATH }),
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--no-first-run",
      ],
    },
  },
});
