import { ensureChromium } from "./chromium.ts";
import { printTimes, step, verify } from "./steps.ts";

// Runs every check that a change must pass. A filter runs only some tests: npm test -- services/ledger
const filters = process.argv.slice(2);
await verify();
step("Unit and integration tests, on a production build", "node_modules/vitest/vitest.mjs", "run", ...filters);
if (filters.length === 0) {
  step("Release: parts and licences", "scripts/check-release.ts");
  // A few kills and one fault of a primary, the same in each run. `npm run test:long` has many, which differ in each run.
  step("Crash campaign", "testing/crash/campaign.ts", "--seed", "2026", "--kills", "8", "--stalls", "2");
  step("Failover", "testing/failover/campaign.ts", "--kinds", "kill");
  process.env.CHROMIUM_PATH = ensureChromium();
  process.env.PHOTOGRAPHS ??= "no";
  step("Browser journeys", "node_modules/@playwright/test/cli.js", "test");
}
printTimes();
console.log("\nAll checks passed.");
