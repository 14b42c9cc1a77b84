import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CannotStart } from "../server/cannot-start.ts";
import { ROOT } from "../server/runtime.ts";
import { buildDocumentAssets } from "./document-assets.ts";

const STAMP = join(ROOT, ".next", "built-from");
const SOURCES = [
  "patches/*.patch",
  "{app,components,services,providers,sandbox,db,lib}/**/*.{ts,tsx,css,sql,woff2}",
  "public/**/*",
  "*.{json,mjs,ts}",
];

/** Returns a hash of all files that the build reads. */
function sourceHash(): string {
  const hash = createHash("sha256");
  for (const pattern of SOURCES) {
    for (const file of globSync(pattern, { cwd: ROOT }).sort()) {
      if (/\.(test|generated)\.tsx?$|\.d\.ts$|tsbuildinfo/.test(file)) continue;
      const path = join(ROOT, file);
      if (existsSync(path) && !file.endsWith("/")) hash.update(file).update(readFileSync(path));
    }
  }
  return hash.digest("hex");
}

function runBuild(signal: AbortSignal | undefined): Promise<void> {
  const build = spawn(process.execPath, [join(ROOT, "node_modules/next/dist/bin/next"), "build"], { cwd: ROOT, ...(signal && { signal }) });
  const output: string[] = [];
  for (const stream of [build.stdout, build.stderr]) stream.on("data", (chunk) => output.push(String(chunk)));
  return new Promise((done, fail) => {
    build.once("error", fail);
    build.once("exit", (code) => (code === 0 ? done() : fail(new CannotStart(`The build failed:\n${output.join("")}`))));
  });
}

/** Makes the production build, unless the present one was made from the same sources. Throws `CannotStart` if it fails, or if `signal` aborts it. */
export async function buildIfStale(signal?: AbortSignal): Promise<"built" | "fresh"> {
  const wanted = sourceHash();
  if (existsSync(STAMP) && readFileSync(STAMP, "utf8") === wanted) return "fresh";
  await buildDocumentAssets();
  await runBuild(signal);
  writeFileSync(STAMP, wanted);
  return "built";
}
