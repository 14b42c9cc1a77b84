import { spawnSync } from "node:child_process";
import { ROOT } from "../server/runtime.ts";

/** Runs a script of this folder as `npm run … -- …` does. Returns its exit code, output and errors. */
export function runScript(name: string, args: string[] = [], env: Record<string, string> = {}) {
  const options = { cwd: ROOT, encoding: "utf8", env: { ...process.env, ...env } } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, [`scripts/${name}.ts`, ...args], options);
  return { status, out: stdout.trim(), err: stderr.trim() };
}
