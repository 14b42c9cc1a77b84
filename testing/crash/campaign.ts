import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import { findBrokenInvariants } from "#db/invariants.ts";
import { buildIfStale } from "../../scripts/build.ts";
import { type Kill, nameOf, type Point, type Role } from "./failpoints.ts";
import type { Violation, Waiting } from "./flow.ts";
import { flows } from "./flows/index.ts";
import { Random } from "./random.ts";
import { Stage } from "./stage.ts";
import { stallOf } from "./stalls.ts";

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    kills: { type: "string", default: "50" },
    stalls: { type: "string", default: "7" },
  },
});
const SEED = Number(values.seed);
const KILLS = Number(values.kills);
const STALLS = Number(values.stalls);
const ACTORS = 6;
/** A point that load does not reach in this time is passed over, and reported. */
const REACH_WITHIN_MS = 15_000;
/** After the last kill the load runs on until it has come by every point. A point that it has not reached by then is a violation. */
const REACH_ALL_WITHIN_MS = 120_000;
const SETTLE_WITHIN_MS = 300_000;
/** Now and then a process is told to stop, as when a new version is deployed. */
const KILLS_BETWEEN_STOPS = 10;

const points = flows.flatMap((flow) => flow.points);

/** The kills of a campaign follow from its seed: every point in turn, in shuffled rounds. */
function* planOf(random: Random): Generator<Kill> {
  const choices = choicesOf(points);
  for (;;) {
    const round = choices.map((choice) => ({ choice, at: random.next() })).toSorted((a, b) => a.at - b.at);
    for (const { choice } of round) yield { ...choice, skip: random.below(3) };
  }
}

/** Where something is written, the server that writes it may die as well as the process that asks for it. */
const victimsAt = ({ role, kind }: Point): (Role | "postgres")[] => (kind === "commit" ? [role, "postgres"] : [role]);

const choicesOf = (points: Point[]): Kill[] =>
  points.flatMap((point) =>
    (["before", "after"] as const).flatMap((when) => victimsAt(point).map((victim) => ({ victim, point, when, skip: 0 }))),
  );

interface Load {
  stop: () => Promise<void>;
}

function startLoad(stage: Stage): Load {
  let stopped = false;
  const actors = Array.from({ length: ACTORS }, async (_, i) => {
    const random = new Random(SEED * 1_000 + i);
    while (!stopped) {
      const flow = random.pick(flows);
      try {
        await flow.act(stage.world, random.pick(stage.world.merchants), random);
      } catch (error) {
        // The looking glass itself broke with the database: the actor goes on with the next round.
        if (!isConnectionError(error)) throw error;
        await wait(100);
      }
    }
  });
  return {
    stop: async () => {
      stopped = true;
      await Promise.all(actors);
    },
  };
}

const CONNECTION_ERRORS = new Set([
  "CONNECTION_CLOSED",
  "CONNECTION_ENDED",
  "CONNECTION_DESTROYED",
  "ECONNREFUSED",
  "ECONNRESET",
  "57P03",
  "57P01",
]);
const isConnectionError = (error: unknown) => error instanceof Error && "code" in error && CONNECTION_ERRORS.has(String(error.code));

async function killOneByOne(stage: Stage): Promise<{ done: Map<string, number>; passedOver: string[] }> {
  const done = new Map<string, number>();
  const passedOver: string[] = [];
  const random = new Random(SEED);
  const plan = planOf(random);
  for (let kills = 0; kills < KILLS; ) {
    const { value: kill } = plan.next();
    if (!kill) break;
    const reached = await Promise.race([stage.failpoints.arm(kill).then(() => true), wait(REACH_WITHIN_MS, false, { ref: false })]);
    if (!reached) {
      stage.failpoints.disarm();
      passedOver.push(nameOf(kill));
      if (passedOver.length > KILLS) throw new Error(`load does not reach: ${passedOver.slice(-5).join(", ")}`);
      continue;
    }
    kills++;
    done.set(nameOf(kill), (done.get(nameOf(kill)) ?? 0) + 1);
    await stage.bringBack(kill);
    if (kills % KILLS_BETWEEN_STOPS === 0) await stage.stopAndStart(random);
    if (kills % 25 === 0) console.log(`${kills} kills`);
  }
  return { done, passedOver };
}

/** One after the other, while load goes on. Those that nothing came by are made up for by others. */
async function stallOneByOne(stage: Stage): Promise<Map<string, number>> {
  const done = new Map<string, number>();
  const random = new Random(SEED + 1);
  for (let n = 0, made = 0; made < STALLS && n < 3 * STALLS; n++) {
    const stall = stallOf(stage, n, random, points);
    if (!(await stall.run())) continue;
    made++;
    done.set(stall.name, (done.get(stall.name) ?? 0) + 1);
    if (made % 25 === 0) console.log(`${made} stalls`);
  }
  return done;
}

/** Lets time pass until every answer has come and nothing waits. What does not settle is a violation. */
async function settle(stage: Stage): Promise<Violation[]> {
  const deadline = Date.now() + SETTLE_WITHIN_MS;
  for (;;) {
    // No request is under way any more, so a claim that is still held is that of a dead process: its minute passes.
    await stage.world.sql`update idempotency_keys set locked_until = now() where state = 'running'`;
    let open = 0;
    for (const { client } of stage.world.merchants) open += await client.finish();
    for (const flow of flows) await flow.passTime(stage.world);
    const waiting: string[] = [];
    for (const flow of flows) waiting.push(...inWords(await flow.waiting(stage.world)));
    if (open === 0 && waiting.length === 0) return [];
    if (Date.now() > deadline) {
      const unanswered = stage.world.merchants.flatMap(({ client }) => client.operations.filter(({ isOpen }) => isOpen));
      const words = unanswered.map(({ path, lastWord }) => `${path} (${lastWord})`);
      return [`after ${SETTLE_WITHIN_MS / 1000} s ${open} requests are without an answer: ${words}; and waiting: ${waiting.join(", ")}`];
    }
    await wait(500);
  }
}

const inWords = (waiting: Waiting): string[] =>
  Object.entries(waiting)
    .filter(([, count]) => count > 0n)
    .map(([kind, count]) => `${count} ${kind}`);

const pointsNotPassed = (stage: Stage) => points.filter((point) => !stage.failpoints.wasPassed(point));

async function letLoadPassEveryPoint(stage: Stage): Promise<void> {
  const deadline = performance.now() + REACH_ALL_WITHIN_MS;
  while (pointsNotPassed(stage).length > 0 && performance.now() < deadline) await wait(100);
}

/** Points that load never came by: a name that changed, or a flow that does less than it says. A long campaign kills at each of them. */
function neverReached(stage: Stage, done: Map<string, number>): Violation[] {
  const unpassed = pointsNotPassed(stage);
  const choices = choicesOf(points);
  const unkilled = KILLS < 2 * choices.length ? [] : choices.map((choice) => nameOf(choice)).filter((name) => !done.has(name));
  return [
    ...unpassed.map(({ role, kind, label }) => `${role} ${kind} ${label} is declared and never reached`),
    ...unkilled.map((name) => `nothing was ever killed at: ${name}`),
  ];
}

async function judge(stage: Stage, done: Map<string, number>): Promise<Violation[]> {
  const violations: Violation[] = [...stage.misconduct, ...neverReached(stage, done)];
  for (const { name, rows } of await findBrokenInvariants(stage.world.sql)) violations.push(`invariant: ${name} (${rows.length} rows)`);
  for (const flow of flows) violations.push(...(await flow.check(stage.world)));
  return violations;
}

const again = `npm run test:crash -- --seed ${SEED} --kills ${KILLS} --stalls ${STALLS}`;
console.log(`Crash campaign: seed ${SEED}, ${KILLS} kills and ${STALLS} stalls (run it again: ${again})`);
await buildIfStale();
const stage = new Stage(SEED);
await stage.build();
const startedAt = performance.now();
const load = startLoad(stage);
const { done, passedOver } = await killOneByOne(stage);
const stalled = await stallOneByOne(stage);
await letLoadPassEveryPoint(stage);
await load.stop();
const violations = [...(await settle(stage)), ...(await judge(stage, done))];
const operations = stage.world.merchants.flatMap(({ client }) => client.operations);
await stage.close({ keep: violations.length > 0 });

console.log(
  [...done, ...stalled]
    .toSorted()
    .map(([name, times]) => `${String(times).padStart(4)} × ${name}`)
    .join("\n"),
);
if (passedOver.length > 0) console.log(`Not reached in time: ${passedOver.join(", ")}`);
const acknowledged = operations.filter(({ acknowledged: answers }) => answers.length > 0).length;
console.log(
  `${operations.length} requests that change something, ${acknowledged} acknowledged, ${Math.round((performance.now() - startedAt) / 1000)} s`,
);
if (violations.length > 0) {
  console.error(`\n${violations.length} violations with seed ${SEED}:\n${violations.slice(0, 40).join("\n")}`);
  process.exit(1);
}
console.log("No acknowledged answer was lost, nothing was executed twice, the books are sound, every event was delivered.");
process.exit(0);
