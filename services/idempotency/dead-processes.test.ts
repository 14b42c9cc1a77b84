import { expect, test } from "vitest";
import { sql } from "#db/client.ts";
import { withDatabase } from "#testing/database.ts";
import { systemContext } from "../context.ts";
import { claimKey, endLeasesOf, recordAnswer } from "./claims.ts";

withDatabase();

const claimOf = (key: string) => ({ merchantId: "m", scope: "POST /x", key, bodyHash: "h" });

async function leaseOf(key: string, processId: string) {
  const claimed = await claimKey(claimOf(key), () => `res_${key}`);
  if (claimed.status !== "run") throw new Error(claimed.status);
  await sql()`update idempotency_keys set process_id = ${processId} where key = ${key}`;
  return claimed.lease;
}

test("the leases of dead processes end at once; leases of others, stored answers and old keys stay", async () => {
  await leaseOf("of_one", "dead_1");
  await leaseOf("of_another", "dead_2");
  await leaseOf("of_a_living_one", "alive");
  await recordAnswer(await leaseOf("answered", "dead_1"), 201);
  await leaseOf("of_long_ago", "dead_1");
  await sql()`update idempotency_keys set created_at = now() - interval '3 minutes' where key = 'of_long_ago'`;
  await endLeasesOf(systemContext("test"), ["dead_1", "dead_2"]);
  const rows = await sql()<{ key: string; state: string }[]>`select key, state from idempotency_keys order by key`;
  expect(Object.fromEntries(rows.map(({ key, state }) => [key, state]))).toEqual({
    of_one: "unknown",
    of_another: "unknown",
    of_a_living_one: "running",
    answered: "done",
    of_long_ago: "running",
  });
  expect(await claimKey(claimOf("of_one"), () => "another")).toMatchObject({ status: "run", resourceId: "res_of_one", resumed: true });
  await expect(claimKey(claimOf("of_a_living_one"), () => "another")).rejects.toMatchObject({ code: "REQUEST_IN_PROGRESS" });
});

test("an answer of a dead process that comes after its lease was ended changes nothing", async () => {
  const lease = await leaseOf("late", "dead_3");
  await endLeasesOf(systemContext("test"), ["dead_3"]);
  expect(await recordAnswer(lease, 201)).toBe(false);
});
