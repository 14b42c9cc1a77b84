import { isExhaustive } from "../testing/exhaustive.ts";
import { ensureChromium } from "./chromium.ts";
import { step, verify } from "./steps.ts";

// Runs every check that a change must pass. A filter runs only some tests: npm test -- services/ledger
const filters = process.argv.slice(2);
await verify();
step("Unit and integration tests, on a production build", "node_modules/vitest/vitest.mjs", "run", ...filters);
if (filters.length === 0) {
  step("Release: parts and licences", "scripts/check-release.ts");
  step("Crash campaign", "testing/crash/campaign.ts", "--seed", "2026", "--kills", isExhaustive ? "220" : "20");
  step("Failover", "testing/failover/campaign.ts", "--kinds", "kill,silence");
  process.env.CHROMIUM_PATH = ensureChromium();
  process.env.PHOTOGRAPHS ??= "no";
  step("Browser journeys", "node_modules/@playwright/test/cli.js", "test");
}
console.log("\nAll checks passed.");
