import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";

const FOLDER = join(import.meta.dirname, "..", "components", "pay");

/**
 * Builds the payer page's stylesheet and script and writes them to components/pay/assets.generated.ts. Next's bundler does not build
 * them, because that page is one document with one small script.
 */
export async function buildPayerAssets(): Promise<void> {
  const css = compileStyles();
  const bundle = await build({
    entryPoints: [join(FOLDER, "script/main.ts")],
    bundle: true,
    minify: true,
    format: "iife",
    target: "es2019",
    write: false,
  });
  const script = bundle.outputFiles[0]?.text ?? "";
  const name = `pay.${createHash("sha256").update(script).digest("hex").slice(0, 12)}.js`;
  const source = [
    "// Made from script/main.ts and styles.css. Do not edit.",
    `export const STYLES = ${JSON.stringify(css)};`,
    `export const SCRIPT = ${JSON.stringify(script)};`,
    `export const SCRIPT_NAME = ${JSON.stringify(name)};`,
    "",
  ];
  writeFileSync(join(FOLDER, "assets.generated.ts"), source.join("\n"));
}

function compileStyles(): string {
  const cli = join(import.meta.dirname, "..", "node_modules/@tailwindcss/cli/dist/index.mjs");
  const result = spawnSync(process.execPath, [cli, "--input", join(FOLDER, "styles.css"), "--minify"], { encoding: "utf8", cwd: FOLDER });
  if (result.status !== 0) throw new Error(`Tailwind failed: ${result.stderr}`);
  return result.stdout.trim();
}

if (import.meta.main) await buildPayerAssets();
