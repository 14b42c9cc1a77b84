import { expect, test } from "vitest";
import { closeDatabase, connect, replacePool, type Sql } from "#db/client.ts";
import { withHost } from "#db/primary.ts";
import { settings } from "#lib/env.ts";
import { withDatabase } from "#testing/database.ts";
import { type Network, startNetwork } from "#testing/network/proxy.ts";
import { until } from "#testing/until.ts";
import { claimKey, recordUnknown, releaseClaim } from "./index.ts";

withDatabase();

const claimOf = (key: string) => ({ merchantId: "m", scope: "POST /x", key, bodyHash: "h" });

/** Puts a network between this process and the database. Returns it, and a client that goes past it. */
async function behindNetwork(): Promise<{ network: Network; direct: Sql }> {
  const url = new URL(settings().DATABASE_URL);
  const { sql: direct } = connect(url.href, { max: 1 });
  const network = await startNetwork(() => ({ host: url.hostname, port: Number(url.port) }));
  await closeDatabase();
  settings().DATABASE_URL = withHost(url.href, { host: "127.0.0.1", port: network.port });
  return { network, direct };
}

async function leaseOf(key: string) {
  const claimed = await claimKey(claimOf(key), () => `res_${key}`);
  if (claimed.status !== "run") throw new Error(claimed.status);
  return claimed.lease;
}

test("if the database did not confirm the end of a lease, the lease ends once it answers; a lease taken over is left alone", async () => {
  const { network, direct } = await behindNetwork();
  const leases = { unknown: await leaseOf("unknown"), released: await leaseOf("released"), superseded: await leaseOf("superseded") };
  await leaseOf("running");
  network.weather = "silent";
  const ends = Promise.all([recordUnknown(leases.unknown), releaseClaim(leases.released), releaseClaim(leases.superseded)]);
  const unheard = claimKey(claimOf("unheard"), () => "res_unheard").then(
    () => "claimed",
    () => "lost",
  );
  await direct`update idempotency_keys set locked_until = now() + interval '2 minutes' where key = 'superseded'`;
  // The claim of `unheard` is stored, and only the answer is lost.
  await direct`
    insert into idempotency_keys (merchant_id, scope, key, body_hash, resource_id, locked_until, process_id)
    values ('m', 'POST /x', 'unheard', 'h', 'res_unheard', now() + interval '60 seconds', 'p')`;
  replacePool();
  await ends;
  expect(await unheard).toBe("lost");
  const states = async () => {
    const rows = await direct<{ key: string; state: string }[]>`select key, state from idempotency_keys order by key`;
    return rows.map(({ key, state }) => `${key} ${state}`);
  };
  expect(await states()).toEqual(["released running", "running running", "superseded running", "unheard running", "unknown running"]);
  network.weather = "fair";
  replacePool();
  await until(async () => (await states()).length === 3 && (await states()).includes("unknown unknown"));
  expect(await states()).toEqual(["running running", "superseded running", "unknown unknown"]);
  await direct.end();
});

test("if the database refuses the end of a lease, the error is thrown and the end is not tried again", async () => {
  const { direct } = await behindNetwork();
  const lease = await leaseOf("refused");
  await expect(recordUnknown({ ...lease, lockedUntil: "no time" })).rejects.toThrow();
  await direct.end();
});
