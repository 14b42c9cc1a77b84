import { sql } from "#db/client.ts";
import { settings } from "#lib/env.ts";
import { randomBase62 } from "#lib/secrets.ts";
import type { KeyPair } from "#services/api-keys/index.ts";
import { systemContext } from "#services/context.ts";
import { createBusiness } from "#services/merchants/index.ts";

export interface Demo {
  email: string;
  password: string;
  key: KeyPair;
}

/** Creates a demo business if OJA_DEMO=1 and there is no business yet. Returns its secrets then, and undefined otherwise. */
export async function seedDemo(): Promise<Demo | undefined> {
  if (!settings().OJA_DEMO) return undefined;
  const [row] = await sql()<{ businesses: bigint }[]>`select count(*) as businesses from businesses where id <> 'biz_platform'`;
  if (row && row.businesses > 0n) return undefined;
  const email = "ada@demo.example";
  const password = randomBase62(16);
  const { testKey } = await createBusiness(systemContext("seed"), { name: "Ada's Demo Shop", owner: { email, name: "Ada Obi", password } });
  return { email, password, key: testKey };
}
