import { describe, expect, test } from "vitest";
import { brokenBy, RULES, sqlIn } from "./sql-rules.ts";

/** Code in which `$name` stands for a placeholder. */
const broken = (code: string) =>
  sqlIn(
    "x.ts",
    code.replaceAll(/\$([\w.]+)/g, (_, name) => `\${${name}}`),
  ).flatMap(brokenBy);

/** Of each rule: statements that break it, and statements that keep it. */
const SAMPLES: Record<string, { bad: string[]; good: string[] }> = {
  "ON CONFLICT": {
    bad: [
      "sql`insert into t (a) values (1) on conflict (a) do update set at = now() returning a`",
      "sql`insert into t (a) values (1) on conflict (a) do update set a = excluded.a where t.last_at <= excluded.last_at - 5 * interval '1 ms'`",
      "db.insert(t).values(x).onConflictDoUpdate({ target: t.a, set: { at: sql`now()` } })",
    ],
    good: [
      "sql`insert into t (a, at) values (1, now()) on conflict (a) do update set at = excluded.at where excluded.at - t.last_at >= $ms * interval '1 ms'`",
      "sql`with a as (insert into t (a) values (1) on conflict (a) do update set a = excluded.a) select now()`",
    ],
  },
  RETURNING: {
    bad: [
      "sql`update t set a = 1 where merchant_id = $m returning locked_until::text`",
      "db.update(t).set(x).returning({ age: sql`now() - $t.at` })",
    ],
    good: ["sql`update t set at = now() where merchant_id = $m returning at`", "db.update(t).set({ at: sql`now()` }).where(x).returning()"],
  },
  "CASE or COALESCE": {
    bad: [
      "sql`update t set at = case when $x then now() else at end where merchant_id = $m`",
      "db.update(t).set({ at: sql`coalesce($t.at, now())` })",
    ],
    good: [
      "sql`update t set at = case when $x then (select now()) else at end where merchant_id = $m`",
      "sql`select case when at < now() then 1 end from t where merchant_id = $m`",
    ],
  },
  "plus an interval": {
    bad: [
      "sql`update t set at = last_at + $ms * interval '1 ms' where merchant_id = $m`",
      "db.update(t).set({ at: sql`greatest(now(), $t.lastAt + $ms * interval '1 ms')` })",
    ],
    good: ["sql`update t set at = now() + $ms * interval '1 ms' where merchant_id = $m and next_at - last_at < $ms * interval '1 ms'`"],
  },
  "`clock_timestamp()`": {
    bad: ["sql`update t set at = clock_timestamp() where merchant_id = $m`"],
    good: ["sql`select clock_timestamp() as at from t where merchant_id = $m`"],
  },
  "another row's": {
    bad: ["sql`select (select count(*) from b where b.merchant_id = l.merchant_id) from l where l.merchant_id = $m`"],
    good: [
      "sql`select (select count(*) from b where b.merchant_id = $m) from l where l.merchant_id = $m`",
      "sql`delete /* of all merchants */ from l using (select 1) old where l.merchant_id = old.merchant_id`",
    ],
  },
  "locked at once": {
    bad: [
      "sql`update t set a = 1 from (select id from t where due_at <= now() limit 5 for update skip locked) due where t.merchant_id = $m and t.id = due.id`",
      "sql`select id from t where due_at <= now() limit 5 for key share`",
    ],
    good: [
      "sql`update t set a = 1 where merchant_id = $m and id = (select id from t where merchant_id = $m and id = $id for update skip locked)`",
      "sql`select /* of all merchants */ merchant_id, id from t where due_at <= now() limit 5`",
    ],
  },
  "subquery with a limit": {
    bad: [
      "sql`select e.merchant_id from (select merchant_id from e where merchant_id > $after order by merchant_id limit $max) e left join lateral (select seq from s where merchant_id = e.merchant_id limit 1) s on true`",
      "sql`select e.merchant_id from (select merchant_id from e where due_at <= now() limit 5) as e, lateral (select seq from s where merchant_id = e.merchant_id limit 1) s`",
    ],
    good: [
      "sql`select /* of all merchants */ e.merchant_id from e cross join lateral (select seq from s where merchant_id = e.merchant_id limit 1) s cross join lateral (select 1) x where e.merchant_id = any($ids)`",
      "sql`select 1 from (select seq from e where merchant_id = $m order by seq limit $max) e left join lateral (select 1 from x where merchant_id = $m and id = e.seq limit 1) x on true`",
    ],
  },
  "in an expression": {
    bad: ["sql`select 1 from t where merchant_id || '' = $m`"],
    good: ["sql`select 1 from t where merchant_id = $m`"],
  },
  "that is forced": { bad: ["'set plan_cache_mode = force_generic_plan; select 1'"], good: ["'set enable_seqscan = off; select 1'"] },
  "takes a row": { bad: ["sql`select ledger_available(a) from a`"], good: ["sql`select available from a`"] },
  "CASE with an operand": { bad: ["sql`select case kind when 'a' then 1 end`"], good: ["sql`select case when kind = 'a' then 1 end`"] },
  "in the language SQL": {
    bad: ["`create function f() returns int language sql as $$ select 1 $$`"],
    good: [
      "`create function f() returns int language plpgsql as $$ begin return (select 1); end $$`",
      "`create function ledger_lacks() returns int language sql as $$ select 1 $$`",
    ],
  },
  "a rule of the ledger outside its plans": {
    bad: [
      "sql`select ledger_lacks(a, 'debit', 1) from accounts a`",
      "`create function f() returns int language plpgsql as $$ begin return ledger_refusal((select 1)); end $$`",
    ],
    good: ["`create function ledger_plan_post() returns int language plpgsql as $$ begin return ledger_refusal((select 1)); end $$`"],
  },
};

describe.each(RULES.map(({ name }) => name))("%s", (name) => {
  const found = Object.entries(SAMPLES).filter(([part]) => name.includes(part));
  const [, { bad, good } = { bad: [], good: [] }] = found[0] ?? [];

  test("the rule reports every statement that breaks it, and no other", () => {
    expect(found).toHaveLength(1);
    for (const code of bad) expect([code, broken(code)]).toEqual([code, expect.arrayContaining([name])]);
    for (const code of good) expect([code, broken(code)]).toEqual([code, []]);
  });
});

test("a template is read with its line, and a comment that mentions SQL is not", () => {
  const source = "// `update t set at = coalesce(at, now())`\nconst a = 1;\nconst b = sql`update t set at = coalesce(at, now())`;";
  expect(sqlIn("x.ts", source).map(({ line }) => line)).toEqual([3]);
});
