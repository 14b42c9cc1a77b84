import { beforeEach, expect, onTestFinished, test } from "vitest";
import { sql } from "#db/client.ts";
import { withDatabase } from "#testing/database.ts";
import { until } from "#testing/until.ts";
import { type Job, Scheduler } from "./scheduler.ts";

withDatabase();
beforeEach(() => sql()`delete from schedules`);

/** Starts a worker's scheduler, and stops it after the test. */
function aScheduler(jobs: Record<string, Job>): Scheduler {
  const scheduler = new Scheduler({}, jobs);
  onTestFinished(() => scheduler.stop());
  return scheduler;
}
const rowOf = async (name: string) =>
  (
    await sql()<{ due_at: string; is_locked: boolean; attempts: number; due_in_s: number }[]>`
      select due_at::text, locked_until is not null as is_locked, attempts, extract(epoch from due_at - now())::float8 as due_in_s
      from schedules where name = ${name}`
  )[0];
const YEARLY = "0 0 1 1 *";
const insertDue = (name: string) => sql()`insert into schedules (name, cron, due_at) values (${name}, ${YEARLY}, now())`;

test("a due job runs once with two workers, and its next time is the next that its cron has", async () => {
  const ran: string[] = [];
  const run = async () => void ran.push("job");
  await insertDue("once");
  for (let worker = 0; worker < 2; worker++) aScheduler({ once: { cron: YEARLY, run } });
  await until(async () => (await rowOf("once"))?.attempts === 0 && ran.length > 0 && !(await rowOf("once"))?.is_locked);
  expect(ran).toEqual(["job"]);
  const due = (await rowOf("once"))?.due_at;
  expect(new Date(due ?? "").toISOString()).toBe(`${new Date().getUTCFullYear() + 1}-01-01T00:00:00.000Z`);
});

test("a job that is not due does not run, and a new one gets its row with its next time", async () => {
  const ran: string[] = [];
  aScheduler({ later: { cron: YEARLY, run: async () => void ran.push("job") } });
  await until(async () => (await rowOf("later")) !== undefined);
  expect((await rowOf("later"))?.due_in_s).toBeGreaterThan(0);
  expect(ran).toEqual([]);
});

test("a job whose cron has changed gets its new time, and one whose cron is the same keeps its time, even if that is late or a retry", async () => {
  await sql()`insert into schedules (name, cron, due_at, attempts) values
    ('sooner', '0 0 29 2 *', now() + interval '2 years', 0), ('tried', ${YEARLY}, now() + interval '5 minutes', 2), ('kept', ${YEARLY}, now() + interval '2 years', 0)`;
  aScheduler({
    sooner: { cron: YEARLY, run: async () => {} },
    tried: { cron: YEARLY, run: async () => {} },
    kept: { cron: YEARLY, run: async () => {} },
  });
  const year = 366 * 86_400;
  await until(async () => ((await rowOf("sooner"))?.due_in_s ?? 2 * year) <= year);
  expect((await rowOf("tried"))?.due_in_s).toBeLessThan(301);
  expect((await rowOf("kept"))?.due_in_s).toBeGreaterThan(year);
});

test("a job that fails runs again after a minute for each attempt, and its success forgets the attempts", async () => {
  /** Runs the job, which is due, and returns what its row says then. */
  const attempt = async (outcome: () => Promise<unknown>) => {
    await sql()`insert into schedules (name, cron, due_at) values ('failing', ${YEARLY}, now()) on conflict (name) do update set due_at = now()`;
    const begun = Promise.withResolvers<void>();
    const run = () => {
      begun.resolve();
      return outcome();
    };
    const scheduler = aScheduler({ failing: { cron: YEARLY, run } });
    await begun.promise;
    await scheduler.stop();
    return rowOf("failing");
  };
  const fail = () => Promise.reject(new Error("the job fails on purpose"));
  const [first, second] = [await attempt(fail), await attempt(fail)];
  expect([first?.attempts, second?.attempts]).toEqual([1, 2]);
  expect(Math.round((first?.due_in_s ?? 0) / 10)).toBe(6);
  expect(Math.round((second?.due_in_s ?? 0) / 10)).toBe(12);
  expect(await attempt(async () => {})).toMatchObject({ attempts: 0, is_locked: false });
});

test("the retry of a job comes no later than its next set time", async () => {
  await sql()`insert into schedules (name, cron, due_at, attempts) values ('often', '* * * * *', now(), 30)`;
  aScheduler({ often: { cron: "* * * * *", run: () => Promise.reject(new Error("the job fails on purpose")) } });
  await until(async () => (await rowOf("often"))?.attempts === 31 && !(await rowOf("often"))?.is_locked);
  expect((await rowOf("often"))?.due_in_s).toBeLessThanOrEqual(60);
});

test("a job whose worker died is begun again when its lease ends, and not before", async () => {
  const ran: string[] = [];
  await sql()`insert into schedules (name, cron, due_at, locked_until, attempts) values
    ('orphan', ${YEARLY}, now() - interval '5 minutes', now() - interval '1 second', 1), ('held', ${YEARLY}, now() - interval '5 minutes', now() + interval '1 hour', 1)`;
  const jobOf = (name: string): Job => ({ cron: YEARLY, run: async () => void ran.push(name) });
  aScheduler({ orphan: jobOf("orphan"), held: jobOf("held") });
  await until(async () => ran.length > 0 && !(await rowOf("orphan"))?.is_locked);
  expect(ran).toEqual(["orphan"]);
  expect(await rowOf("held")).toMatchObject({ is_locked: true, attempts: 1 });
});

test("a worker whose lease was taken over stores nothing at the end of its job", async () => {
  const finish = Promise.withResolvers<void>();
  await insertDue("slow");
  const scheduler = aScheduler({ slow: { cron: YEARLY, run: () => finish.promise } });
  await until(async () => (await rowOf("slow"))?.is_locked === true);
  const [other] = await sql()<{ lease: string }[]>`
    update schedules set locked_until = now() + interval '1 hour', attempts = 7, fencing_token = fencing_token + 1 where name = 'slow'
    returning locked_until::text as lease`;
  finish.resolve();
  await scheduler.stop();
  expect(await sql()`select attempts, locked_until::text as lease from schedules where name = 'slow'`).toEqual([
    { attempts: 7, lease: other?.lease },
  ]);
});

test("names of a version that this one does not know are left alone", async () => {
  await insertDue("feedPigeons");
  const ran: string[] = [];
  await insertDue("known");
  aScheduler({ known: { cron: YEARLY, run: async () => void ran.push("known") } });
  await until(async () => ran.length === 1);
  expect(await rowOf("feedPigeons")).toMatchObject({ is_locked: false, attempts: 0 });
});

test("a worker that stops waits for its running job", async () => {
  const finish = Promise.withResolvers<void>();
  await insertDue("running");
  const scheduler = aScheduler({ running: { cron: YEARLY, run: () => finish.promise } });
  await until(async () => (await rowOf("running"))?.is_locked === true);
  const stopped = scheduler.stop();
  finish.resolve();
  await stopped;
  expect(await rowOf("running")).toMatchObject({ is_locked: false, attempts: 0 });
});

test("a job whose lease ended while it still runs here is not begun beside itself", async () => {
  const finish = Promise.withResolvers<void>();
  let begun = 0;
  await insertDue("long");
  const run = () => {
    begun++;
    return finish.promise;
  };
  const jobs = { long: { cron: YEARLY, run }, other: { cron: YEARLY, run: async () => {} } };
  aScheduler(jobs);
  await until(async () => begun === 1);
  await sql()`update schedules set locked_until = now() - interval '1 second', due_at = now() where name in ('long', 'other')`;
  // The same look that runs the other job leaves this one.
  await until(async () => (await rowOf("other"))?.is_locked === false && ((await rowOf("other"))?.due_in_s ?? 0) > 0, 30_000);
  expect(begun).toBe(1);
  finish.resolve();
});

test("a job whose worker dies each time is begun later with each attempt", async () => {
  await insertDue("deadly");
  for (const attempts of [1, 2, 3]) {
    const begun = Promise.withResolvers<void>();
    const run = () => {
      begun.resolve();
      return new Promise(() => {});
    };
    const scheduler = new Scheduler({}, { deadly: { cron: YEARLY, run } });
    await begun.promise;
    const row = await rowOf("deadly");
    expect(row?.attempts).toBe(attempts);
    expect(Math.round((row?.due_in_s ?? 0) / 10)).toBe(attempts * 6);
    void scheduler.stop();
    await sql()`update schedules set due_at = now(), locked_until = now() where name = 'deadly'`;
  }
});
