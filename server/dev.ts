import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { closeDatabase } from "#db/client.ts";
import { migrate } from "#db/migrate.ts";
import { settings } from "#lib/env.ts";
import { buildDocumentAssets } from "../scripts/document-assets.ts";
import { describeStart } from "./describe-start.ts";
import { prepareEnvironment, ROOT } from "./runtime.ts";
import { seedDemo } from "./seed-demo.ts";

// Starts Oja for development: one web process that compiles on every save, and the worker.
const builtIn = await prepareEnvironment();
if (builtIn) process.env.OJA_DEMO ||= "1";
await migrate(settings().DATABASE_URL);
await buildDocumentAssets();
const demo = await seedDemo();
const children = [fork(join(ROOT, "server/web.ts"), ["--dev"]), fork(join(ROOT, "worker/main.ts"))];
console.log(describeStart(settings(), demo));
await closeDatabase();

process.on("SIGINT", async () => {
  const ends = children.map((child) => once(child, "exit"));
  for (const child of children) child.kill("SIGTERM");
  await Promise.all(ends);
  await builtIn?.stop();
  process.exit(0);
});
