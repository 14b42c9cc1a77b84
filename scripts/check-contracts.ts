import { globSync } from "node:fs";
import { build, type Metafile } from "esbuild";
import { ROOT } from "../server/runtime.ts";

// Pages take schemas, types and words from the contract of a noun, so each has to build for a browser: nothing of Node, of the database or
// of another part of the service that needs them.

const FORBIDDEN = /^(db|providers|sandbox|server|worker)\//;
const CONTRACTS = globSync("services/*/contract.ts", { cwd: ROOT });

/** Files of ours in a bundle that a page must not load. */
const forbiddenIn = ({ inputs }: Metafile): string[] => Object.keys(inputs).filter((file) => FORBIDDEN.test(file));

for (const contract of CONTRACTS) {
  // esbuild prints what it cannot resolve for a browser, and rejects.
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: [contract],
    bundle: true,
    platform: "browser",
    format: "esm",
    write: false,
    metafile: true,
    logLevel: "error",
  });
  const forbidden = forbiddenIn(metafile);
  if (forbidden.length > 0) throw new Error(`${contract} reaches ${forbidden.join(", ")}.`);
}
if (CONTRACTS.length === 0) throw new Error("There is no contract to check.");
console.log(`${CONTRACTS.length} contracts build for a browser.`);
