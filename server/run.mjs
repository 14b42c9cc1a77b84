// Runs every command of package.json. Works on Node 20 or later, installs missing packages, then starts the script with the project's own Node.
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");
const modules = join(root, "node_modules");
const stamp = join(modules, ".installed-from");
const lockHash = createHash("sha256")
  .update(readFileSync(join(root, "package-lock.json")))
  .digest("hex");

if (!existsSync(stamp) || readFileSync(stamp, "utf8") !== lockHash) {
  console.log("Installing packages (npm ci) …");
  const install = spawnSync("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"], {
    cwd: root,
    stdio: "inherit",
    shell: process.platform === "win32",
  });
  if (install.status !== 0) {
    console.error("npm ci failed; see above. Check the network and start again.");
    process.exit(1);
  }
  writeFileSync(stamp, lockHash);
}

const node = join(modules, "node", "bin", process.platform === "win32" ? "node.exe" : "node");
if (!existsSync(node)) {
  console.error("The package `node` did not install its binary. Run: npm rebuild node");
  process.exit(1);
}
const [script, ...rest] = process.argv.slice(2);
const child = spawn(node, ["--disable-warning=ExperimentalWarning", join(root, script), ...rest], {
  cwd: root,
  stdio: "inherit",
  env: {
    // Each later start reads stripped and compiled modules, which saves a third of its time.
    NODE_COMPILE_CACHE: join(modules, ".cache", "node"),
    ...process.env,
    PATH: `${join(modules, ".bin")}${process.platform === "win32" ? ";" : ":"}${process.env.PATH}`,
    NEXT_TELEMETRY_DISABLED: "1",
  },
});
// The terminal sends Ctrl-C to this process and to the child; the child decides when to end.
process.on("SIGINT", () => {});
process.on("SIGTERM", () => child.kill("SIGTERM"));
// npm runs this process through a shell. A signal kills that shell and does not reach us, so we watch for a new parent.
const parent = process.ppid;
if (process.env.npm_lifecycle_event) setInterval(() => process.ppid !== parent && child.kill("SIGTERM"), 500).unref();
child.on("exit", (code, signal) => process.exit(code ?? (signal === "SIGINT" ? 130 : 1)));
