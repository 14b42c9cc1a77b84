import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import { buildIfStale } from "../../scripts/build.ts";
import { brokenInvariantsOf } from "../broken-invariants.ts";
import { isConnectionError } from "./connection-error.ts";
import { type ArmedKill, type Kill, nameOf, type Point, type Role } from "./failpoints.ts";
import { clientsOf, type Violation } from "./flow.ts";
import { flows } from "./flows/index.ts";
import { latestWarnings } from "./processes.ts";
import { Random } from "./random.ts";
import { settle } from "./settle.ts";
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
/** This many planned kills are armed at the same time, so that a point that the load seldom passes does not delay the others. */
const ARMED = 6;
/** Where the load passes none of the armed points in this time, the kill that has waited longest is skipped and reported. */
const REACH_WITHIN_MS = 15_000;
/** After the last kill the load runs on until it has passed every point, which takes minutes on a slow machine. A point that it does not pass in this time is a violation. */
const REACH_ALL_WITHIN_MS = 300_000;
const SETTLE_WITHIN_MS = 300_000;
/** After this many kills, one process is stopped and started, as in a deployment. */
const KILLS_BETWEEN_STOPS = 10;

const points = flows.flatMap((flow) => flow.points);

/** Yields the kills of a campaign, derived from its seed: shuffled rounds, each with every choice once. */
function* planOf(random: Random): Generator<Kill, never> {
  const choices = choicesOf(points);
  for (;;) {
    const round = choices.map((choice) => ({ choice, at: random.next() })).toSorted((a, b) => a.at - b.at);
    for (const { choice } of round) yield { ...choice, skip: random.below(3) };
  }
}

/** Returns who may die at a point. At a commit, PostgreSQL may die as well as the process that commits. */
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
        // The actor's own connection broke with the database, so the actor continues with the next round.
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

async function killOneByOne(stage: Stage): Promise<{ done: Map<string, number>; skipped: string[] }> {
  const done = new Map<string, number>();
  const skipped: string[] = [];
  const plan = planOf(new Random(SEED));
  const stops = new Random(SEED + 2);
  const armed: ArmedKill[] = [];
  for (let kills = 0; kills < KILLS; ) {
    while (armed.length < ARMED) {
      const kill = plan.next().value;
      armed.push({ kill, left: kill.skip });
    }
    const executed = await Promise.race([stage.failpoints.arm(armed), wait(REACH_WITHIN_MS, undefined, { ref: false })]);
    if (!executed) {
      stage.failpoints.disarm();
      for (const { kill } of armed.splice(0, 1)) skipped.push(nameOf(kill));
      if (skipped.length > KILLS) throw new Error(`load does not reach: ${skipped.slice(-5).join(", ")}`);
      continue;
    }
    armed.splice(armed.indexOf(executed), 1);
    const { kill } = executed;
    kills++;
    done.set(nameOf(kill), (done.get(nameOf(kill)) ?? 0) + 1);
    await stage.bringBack(kill);
    if (kills % KILLS_BETWEEN_STOPS === 0) await stage.stopAndStart(stops);
    if (kills % 25 === 0) console.log(`${kills} kills`);
  }
  skipped.push(...armed.map(({ kill }) => nameOf(kill)));
  return { done, skipped };
}

/** Runs stalls one after the other under load. A stall that nothing passed is replaced by another, up to three attempts for each. */
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

const pointsNotPassed = (stage: Stage) => points.filter((point) => !stage.failpoints.wasPassed(point));

async function letLoadPassEveryPoint(stage: Stage): Promise<void> {
  const deadline = performance.now() + REACH_ALL_WITHIN_MS;
  while (pointsNotPassed(stage).length > 0 && performance.now() < deadline) await wait(100);
}

/**
 * Returns points that the load never passed, because a name changed or a flow does less than it declares. In a long campaign, also returns
 * choices at which nothing was killed.
 */
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
  for (const { name, rows } of await brokenInvariantsOf(stage.world.sql)) violations.push(`invariant: ${name} (${rows.length} rows)`);
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
const { done, skipped } = await killOneByOne(stage);
const stalled = await stallOneByOne(stage);
await letLoadPassEveryPoint(stage);
await load.stop();
const violations = [...(await settle(stage.world, flows, { withinMs: SETTLE_WITHIN_MS, endsLeases: true })), ...(await judge(stage, done))];
const operations = stage.world.merchants.flatMap(clientsOf).flatMap(({ operations }) => operations);
const warnings = violations.length > 0 ? latestWarnings() : [];
await stage.close({ keep: violations.length > 0 });

console.log(
  [...done, ...stalled]
    .toSorted()
    .map(([name, times]) => `${String(times).padStart(4)} × ${name}`)
    .join("\n"),
);
if (skipped.length > 0) console.log(`Planned and not reached: ${skipped.join(", ")}`);
const acknowledged = operations.filter(({ acknowledged: answers }) => answers.length > 0).length;
console.log(
  `${operations.length} requests that change something, ${acknowledged} acknowledged, ${Math.round((performance.now() - startedAt) / 1000)} s`,
);
if (violations.length > 0) {
  console.error(warnings.join("\n"));
  console.error(`\n${violations.length} violations with seed ${SEED}:\n${violations.slice(0, 40).join("\n")}`);
  process.exit(1);
}
console.log("No acknowledged answer was lost, nothing was executed twice, the books are sound, every event was delivered.");
process.exit(0);
