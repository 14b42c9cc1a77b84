import { parseArgs } from "node:util";
import { asc, eq, ne } from "drizzle-orm";
import { z } from "zod";
import { closeDatabase, db } from "#db/client.ts";
import { migrate } from "#db/migrate.ts";
import { apiKeys, businesses, merchantAreas, merchants } from "#db/schema/tenants.ts";
import { settings } from "#lib/env.ts";
import { describeError } from "#lib/log.ts";
import { randomBase62 } from "#lib/secrets.ts";
import { HOUR_MS } from "#lib/time.ts";
import {
  ALL_AREAS,
  ALL_PERMISSIONS,
  createApiKey,
  createBusiness,
  disableArea,
  EmailTaken,
  enableArea,
  type KeyPair,
  type Permission,
  revokeApiKey,
  rollApiKey,
  UnusableLogo,
  UnusableOrigin,
} from "#services/merchants/index.ts";
import { AGGREGATOR_NAMES, ISSUER_NAMES } from "#services/providers/index.ts";
import * as brandCommands from "./cli-brand.ts";
import * as cardCommands from "./cli-cards.ts";
import { Misuse, merchantNamed } from "./cli-misuse.ts";
import * as suspenseCommands from "./cli-suspense.ts";
import * as vtuCommands from "./cli-vtu.ts";
import { prepareEnvironment } from "./runtime.ts";

const HELP = `npm run oja -- <command>     (the -- hands what follows to the command)

  create-business --name "NAME" --email EMAIL    a business, its owner, and a test key pair
  list                                           businesses, their merchants and areas
  list-keys MERCHANT                             public keys and their state
  enable-area MERCHANT AREA                      AREA is ${ALL_AREAS.join(", ")}
  disable-area MERCHANT AREA
  create-key MERCHANT [--name NAME] [--ip ADDRESS …] [--permission PERMISSION …]
                                                 by default all, but in live mode not cards:reveal;
                                                 ${ALL_PERMISSIONS.join(" ")}
  roll-key PUBLIC_KEY [--overlap-hours HOURS]    a new pair; the old one works on for HOURS (default 24)
  revoke-key PUBLIC_KEY
  set-rate MERCHANT --buy N --mid N --sell N [--valid-hours HOURS]
                                                 Naira for a dollar, for cards, from now on; by default for 24 hours, after which
                                                 the one before counts again, if it still holds
  set-fee MERCHANT KIND [--flat USD] [--percent N] [--minimum USD] [--maximum USD]
                                                 KIND is fund or issue; what is not given is none. MERCHANT may be
                                                 mer_platform_test or mer_platform_live, also of a rate: the default of that mode
  set-issuer MERCHANT ISSUER                     of new cardholders and their cards; in test mode ${ISSUER_NAMES.join(" or ")}
  decide-kyc MERCHANT CARDHOLDER approve|reject [--reason TEXT]
                                                 where the issuer has not decided; it may still refuse to make cards
  cards resolve CARD --reason TEXT               money moves again on a card that was blocked, because its issuer contradicted itself
  cards settle OPERATION [--taken USD] --reason TEXT
                                                 an operation that its issuer never decides: what an unload took; without, not done
  set-aggregator MERCHANT AGGREGATOR             of new purchases; in test mode ${AGGREGATOR_NAMES.join(" or ")}
  vtu-exceptions                                 purchases that were taken back, or delivered after their refund, and those
                                                 that are undecided for more than an hour
  vtu-seen PURCHASE                              somebody has looked at its exceptions
  alerts                                         what operators were told last
  suspense                                       money that belongs to nobody yet: unmatched transfers, returns that a bank has not
                                                 confirmed, differences with card issuers
  suspense-return TRANSFER --reason TEXT         the bank sends an unmatched transfer back
  suspense-credit ITEM --reason TEXT             a difference with an issuer is the merchant's: its worth goes to the wallet
  suspense-dismiss ITEM --reason TEXT            a difference with an issuer is the issuer's
  brand MERCHANT [--colour "#RRGGBB"] [--logo FILE|none] [--support-email EMAIL|none] [--support-phone NUMBER|none]
                                                 what payers see of its business; FILE is a PNG, JPEG or WebP picture
  embed MERCHANT [--origin https://SHOP …]       whose pages may frame its payment pages; without an origin, nobody's
  help`;

const OPTIONS = {
  name: { type: "string" },
  email: { type: "string" },
  ip: { type: "string", multiple: true },
  "overlap-hours": { type: "string", default: "24" },
  permission: { type: "string", multiple: true },
  buy: { type: "string" },
  mid: { type: "string" },
  sell: { type: "string" },
  "valid-hours": { type: "string", default: "24" },
  flat: { type: "string" },
  percent: { type: "string" },
  minimum: { type: "string" },
  maximum: { type: "string" },
  reason: { type: "string" },
  taken: { type: "string" },
  colour: { type: "string" },
  logo: { type: "string" },
  "support-email": { type: "string" },
  "support-phone": { type: "string" },
  origin: { type: "string", multiple: true },
  help: { type: "boolean", short: "h" },
} as const;

/** npm takes options for its own where the -- before the command is missing, and says nothing. */
function refuseSwallowedOptions(): void {
  const swallowed = Object.keys(OPTIONS).filter(
    (option) => !["name", "email", "help"].includes(option) && process.env[`npm_config_${option.replaceAll("-", "_")}`] !== undefined,
  );
  if (swallowed.length === 0) return;
  console.error(`npm kept ${swallowed.map((option) => `--${option}`).join(", ")} for itself. Put -- before the command: npm run oja -- …`);
  process.exit(1);
}

function readArguments() {
  refuseSwallowedOptions();
  try {
    return parseArgs({ allowPositionals: true, options: OPTIONS });
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n\n${HELP}`);
    process.exit(1);
  }
}

const { values, positionals } = readArguments();
const [name = "help", ...args] = positionals;

const OVERLAP_HOURS_AT_MOST = 720;
const NewBusiness = z.object({
  name: z
    .string({ error: '--name is missing. Write it as --name "Mama Put".' })
    .min(1, "--name is empty.")
    .max(100, "--name has at most 100 characters."),
  email: z.email("--email is not an email address.").max(254, "--email is too long."),
});

const commands: Record<string, { takes: number; run: (...args: string[]) => Promise<void> }> = {
  "create-business": { takes: 0, run: makeBusiness },
  list: { takes: 0, run: listMerchants },
  "list-keys": { takes: 1, run: listKeys },
  "enable-area": { takes: 2, run: (merchant, area) => switchArea(merchant, area, true) },
  "disable-area": { takes: 2, run: (merchant, area) => switchArea(merchant, area, false) },
  "create-key": { takes: 1, run: makeKey },
  "roll-key": { takes: 1, run: rollKey },
  "revoke-key": { takes: 1, run: revokeKey },
  "set-rate": { takes: 1, run: (merchant = "") => cardCommands.setRate(merchant, values) },
  "set-fee": { takes: 2, run: (merchant = "", kind = "") => cardCommands.setFee(merchant, kind, values) },
  "set-issuer": { takes: 2, run: (merchant = "", issuer = "") => cardCommands.setIssuer(merchant, issuer) },
  "decide-kyc": {
    takes: 3,
    run: (merchant = "", cardholder = "", verdict = "") => cardCommands.decideKyc(merchant, cardholder, verdict, values.reason),
  },
  cards: { takes: 2, run: (verb = "", card = "") => cardCommands.attendTo(verb, card, values) },
  "set-aggregator": { takes: 2, run: (merchant = "", aggregator = "") => vtuCommands.setAggregator(merchant, aggregator) },
  "vtu-exceptions": { takes: 0, run: () => vtuCommands.showVtuExceptions() },
  alerts: { takes: 0, run: () => suspenseCommands.showAlerts() },
  suspense: { takes: 0, run: () => suspenseCommands.showSuspense() },
  "suspense-return": { takes: 1, run: (id = "") => suspenseCommands.returnTransfer(id, values.reason) },
  "suspense-credit": { takes: 1, run: (id = "") => suspenseCommands.resolve(id, "credit", values.reason) },
  "suspense-dismiss": { takes: 1, run: (id = "") => suspenseCommands.resolve(id, "dismiss", values.reason) },
  brand: { takes: 1, run: (merchant = "") => brandCommands.brand(merchant, values) },
  embed: { takes: 1, run: (merchant = "") => brandCommands.embed(merchant, values.origin ?? []) },
  "vtu-seen": { takes: 1, run: (purchase = "") => vtuCommands.seeVtuException(purchase) },
};

async function makeBusiness(): Promise<void> {
  const given = NewBusiness.safeParse(values);
  if (!given.success) throw new Misuse(given.error.issues.map(({ message }) => message).join(" "));
  const password = randomBase62(16);
  const made = await createBusiness({ name: given.data.name, owner: { email: given.data.email, name: given.data.name, password } });
  console.log(`Business       ${made.businessId}\nTest merchant  ${made.testMerchantId}\nLive merchant  ${made.liveMerchantId}`);
  console.log(`Owner          ${given.data.email} / ${password}`);
  showPair(made.testKey);
}

async function listMerchants(): Promise<void> {
  const areas = await db().select().from(merchantAreas);
  const rows = await db()
    .select({ business: businesses.name, merchant: merchants.id, mode: merchants.mode, status: merchants.status })
    .from(merchants)
    .innerJoin(businesses, eq(businesses.id, merchants.businessId))
    .where(ne(businesses.id, "biz_platform"))
    .orderBy(asc(merchants.id));
  if (rows.length === 0) console.log("There is no business yet. Make one: npm run oja -- create-business");
  else
    console.table(
      rows.map((row) => ({
        ...row,
        areas: areas
          .filter(({ merchantId }) => merchantId === row.merchant)
          .map(({ area }) => area)
          .join(" "),
      })),
    );
}

async function listKeys(merchant = ""): Promise<void> {
  const { id } = await merchantNamed(merchant);
  const keys = await db().select().from(apiKeys).where(eq(apiKeys.merchantId, id)).orderBy(asc(apiKeys.id));
  console.table(
    keys.map((key) => ({
      publicKey: key.publicKey,
      name: key.name,
      state: key.revokedAt ? "revoked" : key.expiresAt ? `ends ${key.expiresAt.toISOString()}` : "active",
      lastUsed: key.lastUsedAt?.toISOString() ?? "never",
    })),
  );
}

async function switchArea(merchant = "", areaName = "", on = true): Promise<void> {
  const area = ALL_AREAS.find((known) => known === areaName);
  if (!area) throw new Misuse(`AREA is one of ${ALL_AREAS.join(", ")}.`);
  const { id, mode } = await merchantNamed(merchant);
  await (on ? enableArea(id, area) : disableArea(id, area));
  console.log(`${area} is ${on ? "enabled" : "disabled"} for ${id} (${mode}).`);
}

async function makeKey(merchant = ""): Promise<void> {
  const { id, mode } = await merchantNamed(merchant);
  const allowedIps = values.ip ?? [];
  const permissions = values.permission?.map(permissionNamed);
  const pair = await db()
    .transaction((tx) =>
      createApiKey(tx, {
        merchantId: id,
        mode,
        name: values.name ?? "From the command line",
        allowedIps,
        ...(permissions && { permissions }),
      }),
    )
    .catch((error) => {
      throw error instanceof RangeError || error instanceof TypeError
        ? new Misuse(`--ip takes addresses and CIDR ranges: ${error.message}.`)
        : error;
    });
  showPair(pair);
  if (permissions) console.log(`It may           ${permissions.join(" ")}`);
}

function permissionNamed(name: string): Permission {
  const permission = ALL_PERMISSIONS.find((known) => known === name);
  if (!permission) throw new Misuse(`--permission is one of ${ALL_PERMISSIONS.join(", ")}.`);
  return permission;
}

async function rollKey(publicKey = ""): Promise<void> {
  const hours = Number(values["overlap-hours"]);
  if (!(hours >= 0 && hours <= OVERLAP_HOURS_AT_MOST)) throw new Misuse(`--overlap-hours is 0 to ${OVERLAP_HOURS_AT_MOST}.`);
  const pair = await rollApiKey(publicKey, hours * HOUR_MS);
  if (!pair) throw new Misuse(`${publicKey} is not an active key. See: npm run oja -- list-keys MERCHANT`);
  showPair(pair);
  console.log(`The old pair works until ${new Date(Date.now() + hours * HOUR_MS).toISOString()}.`);
}

async function revokeKey(publicKey = ""): Promise<void> {
  if (!(await revokeApiKey(publicKey))) throw new Misuse(`There is no key ${publicKey}. See: npm run oja -- list-keys MERCHANT`);
  console.log(`${publicKey} is revoked.`);
}

function showPair({ publicKey, secretKey }: KeyPair): void {
  console.log(`X-Api-Key      ${publicKey}\nX-Api-Secret   ${secretKey}   (shown this once)`);
}

const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
if (!command || values.help) {
  const known = name === "help" || values.help;
  console.log(known ? HELP : `There is no command ${name}.\n\n${HELP}`);
  process.exit(known ? 0 : 1);
}
if (args.length !== command.takes) {
  console.error(
    `${name} takes ${command.takes} argument${command.takes === 1 ? "" : "s"}, not ${args.length}${args.length > command.takes ? ` (${args.join(" ")}); quote names with spaces` : ""}.\n\n${HELP}`,
  );
  process.exit(1);
}
/** What the caller can mend says how. */
const isMendable = (error: unknown): error is Error =>
  error instanceof Error &&
  (error.name === "BadSettings" || [Misuse, EmailTaken, UnusableLogo, UnusableOrigin].some((kind) => error instanceof kind));
const builtIn = await prepareEnvironment();
try {
  await migrate(settings().DATABASE_URL);
  await command.run(...args);
} catch (error) {
  // Never the error itself: a database error carries the values of its statement.
  console.error(isMendable(error) ? error.message : describeError(error));
  process.exitCode = 1;
} finally {
  await closeDatabase();
  await builtIn?.stop();
}
