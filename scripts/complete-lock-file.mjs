// npm leaves optional packages of other platforms out of package-lock.json if its registry does not offer them, and `npm ci` then
// refuses the file. This script adds the missing packages by name and version. npm fetches each only on its own platform.
import { readFileSync, writeFileSync } from "node:fs";

const FILE = "package-lock.json";
const SYSTEMS = ["android", "darwin", "win32", "freebsd", "openharmony", "linux"];
const PROCESSORS = ["arm64", "riscv64", "ppc64", "s390x", "wasm32", "x64", "ia32", "arm"];

const lock = JSON.parse(readFileSync(FILE, "utf8"));
const { packages } = lock;
let added = 0;
for (const { optionalDependencies = {}, dev } of Object.values(packages)) {
  for (const [name, version] of Object.entries(optionalDependencies)) {
    const platform = name.slice(name.indexOf("/") + 1);
    const cpu = PROCESSORS.find((each) => platform.includes(each));
    if (packages[`node_modules/${name}`] || !/^\d/.test(version) || !cpu) continue;
    const os = SYSTEMS.find((each) => platform.includes(each));
    const libc = platform.endsWith("musl") ? "musl" : /-gnu/.test(platform) ? "glibc" : undefined;
    packages[`node_modules/${name}`] = {
      version,
      cpu: [cpu],
      ...(dev && { dev }),
      optional: true,
      ...(os && { os: [os] }),
      ...(libc && { libc: [libc] }),
    };
    added++;
  }
}
const { "": root, ...rest } = packages;
const sorted = Object.entries(rest).sort(([a], [b]) => (a < b ? -1 : 1));
lock.packages = { "": root, ...Object.fromEntries(sorted) };
writeFileSync(FILE, `${JSON.stringify(lock, null, 2)}\n`);
console.log(`${added} packages added to ${FILE}.`);
