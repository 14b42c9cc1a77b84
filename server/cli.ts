import { parseArgs } from "node:util";
import { eq, ne } from "drizzle-orm";
import { closeDatabase, db } from "#db/client.ts";
import { migrate } from "#db/migrate.ts";
import { businesses, merchants } from "#db/schema/tenants.ts";
import { settings } from "#lib/env.ts";
import { randomBase62 } from "#lib/secrets.ts";
import {
  ALL_AREAS,
  createApiKey,
  createBusiness,
  disableArea,
  enableArea,
  type KeyPair,
  revokeApiKey,
  rollApiKey,
} from "#services/merchants/index.ts";
import { prepareEnvironment } from "./runtime.ts";

const HELP = `npm run oja -- <command>

  create-business --name NAME --email EMAIL      a business, its owner, and a test key pair
  list                                           businesses and their merchants
  enable-area MERCHANT AREA                      AREA is ${ALL_AREAS.join(", ")}
  disable-area MERCHANT AREA
  create-key MERCHANT [--name NAME] [--ip ADDRESS …]
  roll-key PUBLIC_KEY [--overlap-hours HOURS]    a new pair; the old one works on for HOURS (default 24)
  revoke-key PUBLIC_KEY
  help`;

class Misuse extends Error {}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    name: { type: "string" },
    email: { type: "string" },
    ip: { type: "string", multiple: true },
    "overlap-hours": { type: "string", default: "24" },
  },
});

const commands: Record<string, (...args: string[]) => Promise<void>> = {
  "create-business": async () => {
    const { name, email } = values;
    if (!name || !email?.includes("@")) throw new Misuse("create-business needs --name and --email.");
    const password = randomBase62(16);
    const made = await createBusiness({ name, owner: { email, name, password } });
    console.log(
      `Business      ${made.businessId}\nTest merchant ${made.testMerchantId}\nLive merchant ${made.liveMerchantId}\nSign-in       ${email} / ${password}`,
    );
    showPair(made.testKey);
  },
  list: async () => {
    const rows = await db()
      .select({ business: businesses.name, merchant: merchants.id, mode: merchants.mode, status: merchants.status })
      .from(merchants)
      .innerJoin(businesses, eq(businesses.id, merchants.businessId))
      .where(ne(businesses.id, "biz_platform"));
    console.table(rows);
  },
  "enable-area": async (merchant, area) => enableArea(await merchantNamed(merchant).then(({ id }) => id), areaNamed(area)),
  "disable-area": async (merchant, area) => disableArea(await merchantNamed(merchant).then(({ id }) => id), areaNamed(area)),
  "create-key": async (merchant) => {
    const { id, mode } = await merchantNamed(merchant);
    const pair = await db().transaction((tx) =>
      createApiKey(tx, { merchantId: id, mode, name: values.name ?? "From the command line", allowedIps: values.ip ?? [] }),
    );
    showPair(pair);
  },
  "roll-key": async (publicKey = "") => {
    const hours = Number(values["overlap-hours"]);
    if (!(hours >= 0 && hours <= 720)) throw new Misuse("--overlap-hours is 0 to 720.");
    const pair = await rollApiKey(publicKey, hours * 3_600_000);
    if (!pair) throw new Misuse(`There is no active key ${publicKey}.`);
    showPair(pair);
  },
  "revoke-key": async (publicKey = "") => {
    if (!(await revokeApiKey(publicKey))) throw new Misuse(`There is no key ${publicKey}.`);
    console.log("Revoked.");
  },
  help: async () => console.log(HELP),
};

function showPair({ publicKey, secretKey }: KeyPair): void {
  console.log(`X-Api-Key     ${publicKey}\nX-Api-Secret  ${secretKey}   (shown this once)`);
}

async function merchantNamed(id = "") {
  const [merchant] = await db().select().from(merchants).where(eq(merchants.id, id));
  if (!merchant) throw new Misuse(`There is no merchant ${id || "(none given)"}. See: npm run oja -- list`);
  return merchant;
}

function areaNamed(name = "") {
  const area = ALL_AREAS.find((known) => known === name);
  if (!area) throw new Misuse(`AREA is one of ${ALL_AREAS.join(", ")}.`);
  return area;
}

const [name = "help", ...args] = positionals;
const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
if (!command || name === "help") {
  console.log(HELP);
  process.exit(command ? 0 : 1);
}
const builtIn = await prepareEnvironment();
try {
  await migrate(settings().DATABASE_URL);
  await command(...args);
} catch (error) {
  console.error(error instanceof Misuse ? error.message : error);
  process.exitCode = 1;
} finally {
  await closeDatabase();
  await builtIn?.stop();
}
