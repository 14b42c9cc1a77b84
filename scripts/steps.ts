import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { ROOT } from "../server/runtime.ts";
import { buildDocumentAssets } from "./document-assets.ts";

const taken: { step: string; seconds: number }[] = [];

/** Runs a script or a tool of node_modules with this Node, and says how long it took. Ends this process if it fails. */
export function step(title: string, script: string, ...args: string[]): void {
  console.log(`\n— ${title}`);
  const startedAtMs = performance.now();
  const result = spawnSync(process.execPath, [join(ROOT, script), ...args], { cwd: ROOT, stdio: "inherit", env: process.env });
  if (result.status !== 0) {
    console.error(`\n${title}: failed.`);
    process.exit(result.status ?? 1);
  }
  const seconds = Math.round((performance.now() - startedAtMs) / 1_000);
  taken.push({ step: title, seconds });
  console.log(`${title}: ${seconds} s`);
}

/** Prints how long each step took, and all together. */
export function printTimes(): void {
  console.table([...taken, { step: "All", seconds: taken.reduce((sum, { seconds }) => sum + seconds, 0) }]);
}

/** Runs the fast checks: generated files, types, style and layering, dead code, contracts, and the API's description. */
export async function verify(): Promise<void> {
  await buildDocumentAssets();
  step("Next's types", "node_modules/next/dist/bin/next", "typegen");
  step("Types", "node_modules/typescript/bin/tsc", "--noEmit");
  step("Biome", "node_modules/@biomejs/biome/bin/biome", "check", "--error-on-warnings", ".");
  step("knip", "node_modules/knip/bin/knip.js", "--no-config-hints");
  step("Contracts", "scripts/check-contracts.ts");
  step("Statements", "scripts/check-sql.ts");
  step("OpenAPI document", "scripts/write-openapi.ts");
  step("Redocly", "node_modules/@redocly/cli/bin/cli.js", "lint", ".data/openapi.json");
}
