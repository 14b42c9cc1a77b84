import { globSync } from "node:fs";
import { build, type Metafile } from "esbuild";
import { ROOT } from "../server/runtime.ts";

// Pages import schemas, types and texts from each `services/*/contract.ts`, so each must build for a browser: it may not import Node, the
// database or other server code.

const FORBIDDEN = /^(db|providers|sandbox|server|worker)\//;
const CONTRACTS = globSync("services/*/contract.ts", { cwd: ROOT });

/** Returns our own files in a bundle that a page must not load. */
const forbiddenIn = ({ inputs }: Metafile): string[] => Object.keys(inputs).filter((file) => FORBIDDEN.test(file));

for (const contract of CONTRACTS) {
  // esbuild prints each import that it cannot resolve for a browser, and rejects.
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
