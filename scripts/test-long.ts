import { printTimes, step } from "./steps.ts";

// Runs the tests that take too long for every change. It is for releases. Each run has a new seed; npm run test:long -- SEED repeats a run.
const [seed = String(Date.now() % 1_000_000)] = process.argv.slice(2);
console.log(`Seed ${seed}. To repeat this run: npm run test:long -- ${seed}`);
Object.assign(process.env, { EXHAUSTIVE: "1", FUZZ_SEED: seed });
step(
  "Fuzzed requests, and every framework header at every door",
  "node_modules/vitest/vitest.mjs",
  "run",
  "app/api/v1/fuzz",
  "server/doors",
);
step("Crash campaign", "testing/crash/campaign.ts", "--seed", seed, "--kills", "200", "--stalls", "40");
step("Failover", "testing/failover/campaign.ts", "--seed", seed);
printTimes();
