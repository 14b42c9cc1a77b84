import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { ROOT } from "../server/runtime.ts";

// Checks a release. Writes its bill of materials (CycloneDX), and checks that each package has an accepted licence and a locked checksum.

const FILE = join(ROOT, ".data", "sbom.cdx.json");

/** Licences that allow distribution together with ours (Apache-2.0). LGPL is for libvips, which sharp loads as a separate library. */
const LICENCES = new Set([
  "0BSD",
  "Apache-2.0",
  "BlueOak-1.0.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "CC-BY-4.0",
  "ISC",
  "LGPL-3.0-or-later",
  "MIT",
  "MIT AND OFL-1.1",
  "MIT-0",
  "(MIT OR CC0-1.0)",
  "Unlicense",
]);

/** Node's binary for this platform has no checksum: the locked package `node` fetches it, in its own version, during installation. */
const NODE_BINARY = /^node-(?:linux|darwin|win)-/;

const Component = z.object({
  name: z.string(),
  version: z.string(),
  hashes: z.array(z.object({ alg: z.string(), content: z.string() })).default([]),
  licenses: z
    .array(
      z.union([
        z.object({ license: z.object({ id: z.string().optional(), name: z.string().optional() }) }),
        z.object({ expression: z.string() }),
      ]),
    )
    .default([]),
});
const Sbom = z.object({ bomFormat: z.literal("CycloneDX"), components: z.array(Component).min(1) });

const made = spawnSync("npm", ["sbom", "--sbom-format", "cyclonedx", "--omit", "dev"], { cwd: ROOT, encoding: "utf8", maxBuffer: 2 ** 26 });
if (made.status !== 0) throw new Error(`npm sbom failed: ${made.stderr}`);
mkdirSync(join(ROOT, ".data"), { recursive: true });
writeFileSync(FILE, made.stdout);
const { components } = Sbom.parse(JSON.parse(made.stdout));
const problems = components.flatMap(problemsOf);
for (const problem of problems) console.error(problem);
console.log(`${components.length} parts; listed in ${FILE}.`);
process.exit(problems.length === 0 ? 0 : 1);

function problemsOf({ name, version, hashes, licenses }: z.output<typeof Component>): string[] {
  const names = licenses.map((each) => ("expression" in each ? each.expression : (each.license.id ?? each.license.name ?? "none")));
  const unknown = names.length === 0 ? ["none"] : names.filter((licence) => !LICENCES.has(licence));
  return [
    ...unknown.map((licence) => `${name}@${version}: the licence ${licence} is not one that we give on.`),
    ...(hashes.length === 0 && !NODE_BINARY.test(name) ? [`${name}@${version}: package-lock.json has no checksum of it.`] : []),
  ];
}
