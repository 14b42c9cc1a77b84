import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import { brokenInvariantsOf } from "../broken-invariants.ts";
import { isConnectionError } from "../crash/connection-error.ts";
import type { Violation } from "../crash/flow.ts";
import { checkout } from "../crash/flows/checkout.ts";
import { vtu } from "../crash/flows/vtu.ts";
import { latestWarnings } from "../crash/processes.ts";
import { Random } from "../crash/random.ts";
import { settle } from "../crash/settle.ts";
import { until } from "../until.ts";
import { CannotMount } from "./cluster.ts";
import { FAULTS, type Fault } from "./faults.ts";
import { Scene } from "./scene.ts";

// One run of one fault. Each run is a separate process, because flows keep state.
const { values } = parseArgs({ options: { kind: { type: "string", default: "kill" }, seed: { type: "string", default: "1" } } });
const SEED = Number(values.seed);
const fault = FAULTS[values.kind];
if (!fault) throw new RangeError(`no fault is called ${values.kind}`);

const flows = [checkout, vtu];
const ACTORS = 6;
const ACKNOWLEDGED_BEFORE = 40;
const BEGIN_WITHIN_MS = 90_000;
/** From the promotion, or from the end of the fault. */
const FIRST_WITHIN_MS = 10_000;
const GIVE_UP_AFTER_MS = 60_000;
const LOAD_AFTER_MS = 5_000;
/** Less than the lease of an Idempotency-Key, because a living process must end the leases of its own requests. */
const ANSWERED_WITHIN_MS = 25_000;
const SETTLE_WITHIN_MS = 120_000;

const scene = new Scene({ hasSmallDisk: fault.hasSmallDisk ?? false });

function startLoad(): () => Promise<void> {
  let isStopped = false;
  const actors = Array.from({ length: ACTORS }, async (_, i) => {
    const random = new Random(SEED * 1_000 + i);
    while (!isStopped) {
      try {
        await random.pick(flows).act(scene.world, random.pick(scene.world.merchants), random);
      } catch (error) {
        if (!isConnectionError(error)) throw error;
        await wait(100);
      }
    }
  });
  return async () => {
    isStopped = true;
    await Promise.all(actors);
  };
}

/** Waits for an answer that is new. Returns the milliseconds that it took. */
async function msToNextAnswer(): Promise<number> {
  const startedAtMs = performance.now();
  const before = scene.acknowledged;
  await until(async () => scene.acknowledged > before, GIVE_UP_AFTER_MS);
  return Math.round(performance.now() - startedAtMs);
}

/** Repeats every request without an answer. Returns a violation if one has none although its process has long ended it. */
async function answerAll(): Promise<Violation[]> {
  const deadline = performance.now() + ANSWERED_WITHIN_MS;
  for (;;) {
    let open = 0;
    for (const { client } of scene.world.merchants) open += await client.finish();
    if (open === 0) return [];
    if (performance.now() > deadline) return [`${open} requests have no answer ${ANSWERED_WITHIN_MS / 1_000} s after the load`];
    await wait(250);
  }
}

async function play({ begin, promotes, end }: Fault): Promise<{ firstMs: number; violations: Violation[] }> {
  const stopLoad = startLoad();
  await until(async () => scene.acknowledged >= ACKNOWLEDGED_BEFORE, BEGIN_WITHIN_MS);
  await begin(scene.cluster);
  if (promotes) {
    await scene.followStandby();
    await scene.cluster.promote();
  }
  const firstMs = await msToNextAnswer();
  await end?.(scene.cluster);
  await wait(LOAD_AFTER_MS);
  await stopLoad();
  const violations = [...(await answerAll()), ...(await settle(scene.world, flows, { withinMs: SETTLE_WITHIN_MS, endsLeases: false }))];
  if (firstMs > FIRST_WITHIN_MS) violations.push(`the first answer came after ${firstMs} ms`);
  for (const { name, rows } of await brokenInvariantsOf(scene.world.sql)) violations.push(`invariant: ${name} (${rows.length} rows)`);
  for (const flow of flows) violations.push(...(await flow.check(scene.world)));
  return { firstMs, violations: [...violations, ...scene.misconduct] };
}

try {
  await scene.build();
} catch (error) {
  if (!(error instanceof CannotMount)) throw error;
  console.log(`${values.kind}: skipped, because this machine does not allow mounting a small disk`);
  process.exit(0);
}
const { firstMs, violations } = await play(fault);
const operations = scene.world.merchants.flatMap(({ client }) => client.operations);
const acknowledged = operations.filter((each) => each.acknowledged.length > 0).length;
const warnings = violations.length > 0 ? latestWarnings() : [];
await scene.close({ keep: violations.length > 0 });
console.log(`${values.kind} (seed ${SEED}): first answer after ${firstMs} ms; ${operations.length} requests, ${acknowledged} acknowledged`);
if (violations.length > 0) {
  console.error(`${warnings.join("\n")}\n${violations.length} violations:\n${violations.slice(0, 40).join("\n")}`);
  process.exit(1);
}
process.exit(0);
