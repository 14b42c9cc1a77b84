import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { buildIfStale } from "../../scripts/build.ts";
import { FAULTS } from "./faults.ts";

// Breaks a primary and its synchronous standby under load, and checks that no acknowledged answer is lost and nothing is executed twice.
const { values } = parseArgs({
  options: {
    kinds: { type: "string", default: Object.keys(FAULTS).join() },
    runs: { type: "string", default: "1" },
    seed: { type: "string", default: "2026" },
  },
});

await buildIfStale();
let failed = 0;
for (const kind of values.kinds.split(",")) {
  console.log(FAULTS[kind]?.title ?? kind);
  for (let run = 0; run < Number(values.runs); run++) {
    const args = ["--kind", kind, "--seed", String(Number(values.seed) + run)];
    const { status } = spawnSync(process.execPath, [join(import.meta.dirname, "run-one.ts"), ...args], { stdio: "inherit" });
    if (status !== 0) failed++;
  }
}
if (failed > 0) {
  console.error(`${failed} runs failed.`);
  process.exit(1);
}
console.log("No acknowledged answer was lost, nothing was executed twice, and the books are sound.");
