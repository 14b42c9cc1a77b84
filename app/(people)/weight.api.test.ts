import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { withApp } from "#testing/app.ts";
import { withDatabase } from "#testing/database.ts";
import { ROOT } from "../../server/runtime.ts";

withDatabase();
const app = withApp();

const MAX_OVER_BARE_BYTES = 15 * 1024;
const BARE = join(ROOT, ".data", `bare-${process.pid}`);

/** Builds an application of one page without anything of ours, by the same framework with the same settings. */
beforeAll(() => {
  mkdirSync(join(BARE, "app"), { recursive: true });
  symlinkSync(join(ROOT, "node_modules"), join(BARE, "node_modules"));
  writeFileSync(join(BARE, "package.json"), '{"name":"bare","private":true}');
  writeFileSync(join(BARE, "next.config.mjs"), `export default { turbopack: { root: ${JSON.stringify(ROOT)} } };`);
  writeFileSync(join(BARE, "app/layout.js"), "export default ({ children }) => <html><body>{children}</body></html>;");
  writeFileSync(join(BARE, "app/page.js"), "export default () => <p>Bare</p>;");
  execFileSync(process.execPath, [join(ROOT, "node_modules/next/dist/bin/next"), "build"], { cwd: BARE, stdio: "pipe" });
}, 120_000);
afterAll(() => rmSync(BARE, { recursive: true, force: true }));

/** Returns the bytes, compressed, of the scripts that browsers load with a page. Those for old browsers alone are not counted. */
function scriptBytesOf(html: string, build: string): number {
  const tags = [...html.matchAll(/<script src="\/_next\/(static\/[^"]+)"([^>]*)>/g)].filter(([, , rest = ""]) => !/nomodule/i.test(rest));
  const files = [...new Set(tags.map(([, file = ""]) => file))];
  expect(files.length).toBeGreaterThan(3);
  return files.reduce((sum, file) => sum + gzipSync(readFileSync(join(build, file))).length, 0);
}

test("the script of the sign-in page is at most 15 KB larger, compressed, than that of a bare page of the framework", async () => {
  const bare = scriptBytesOf(readFileSync(join(BARE, ".next/server/app/index.html"), "utf8"), join(BARE, ".next"));
  const own = scriptBytesOf(await (await fetch(`${app.url}/sign-in`)).text(), join(ROOT, ".next"));
  console.info(`sign-in ${own} bytes, a bare page ${bare}`);
  expect(own - bare).toBeLessThanOrEqual(MAX_OVER_BARE_BYTES);
});
