import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../../server/runtime.ts";

const MODE = "/b/[business]/[mode]";

/** Returns the paths of the build's pages below a mode whose address names no thing. */
export function pagesOfMode(): string[] {
  const manifest: Record<string, string> = JSON.parse(readFileSync(join(ROOT, ".next/app-path-routes-manifest.json"), "utf8"));
  return Object.entries(manifest)
    .filter(([source, path]) => source.endsWith("/page") && path.startsWith(MODE))
    .map(([, path]) => path.slice(MODE.length))
    .filter((path) => !path.includes("["))
    .sort();
}
