import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { ROOT } from "../server/runtime.ts";

/** The pages that are one document with one small script, so Next's bundler does not build them. */
const DOCUMENTS = [
  { name: "pay", folder: "components/pay", script: "script/main.ts" },
  { name: "sign-in", folder: "app/_people/sign-in", script: "script.ts" },
];

/** Builds the stylesheet and the script of each document, and writes them to `assets.generated.ts` in its folder. */
export async function buildDocumentAssets(): Promise<void> {
  for (const { name, folder, script } of DOCUMENTS) {
    const bundle = await build({
      entryPoints: [join(ROOT, folder, script)],
      bundle: true,
      minify: true,
      format: "iife",
      target: "es2019",
      write: false,
    });
    const text = bundle.outputFiles[0]?.text ?? "";
    const source = [
      `// Made from ${script} and styles.css. Do not edit.`,
      `export const STYLES = ${JSON.stringify(compileStyles(join(ROOT, folder)))};`,
      `export const SCRIPT = ${JSON.stringify(text)};`,
      `export const SCRIPT_NAME = ${JSON.stringify(`${name}.${createHash("sha256").update(text).digest("hex").slice(0, 12)}.js`)};`,
      "",
    ];
    writeFileSync(join(ROOT, folder, "assets.generated.ts"), source.join("\n"));
  }
}

function compileStyles(folder: string): string {
  const cli = join(ROOT, "node_modules/@tailwindcss/cli/dist/index.mjs");
  const result = spawnSync(process.execPath, [cli, "--input", join(folder, "styles.css"), "--minify"], { encoding: "utf8", cwd: folder });
  if (result.status !== 0) throw new Error(`Tailwind failed: ${result.stderr}`);
  return result.stdout.trim();
}

if (import.meta.main) await buildDocumentAssets();
