import type { Command } from "commander";
import { z } from "zod";
import { randomBase62 } from "#lib/secrets.ts";
import {
  CreateApiKey,
  createApiKey,
  findPublicKey,
  listApiKeys,
  type NewApiKey,
  resumePausedApiKey,
  revokeApiKey,
  rollApiKey,
  stateOf,
} from "#services/api-keys/index.ts";
import {
  ALL_AREAS,
  businessName,
  createBusiness,
  decideName,
  listAreaRequests,
  listMerchants,
  listNameRequests,
  resumeMerchant,
  suspendMerchant,
  switchArea,
} from "#services/merchants/index.ts";
import { ALL_PERMISSIONS } from "#services/permissions.ts";
import { Misuse, merchantNamed, operator } from "./context.ts";
import { collected, REASON, toNumber } from "./options.ts";

export function addMerchantCommands(program: Command): void {
  program
    .command("create-business")
    .description("Makes a business, its owner, and a test key pair.")
    .requiredOption("--name <name>", "of the business")
    .requiredOption("--email <email>", "of its owner")
    .action(makeBusiness);
  program.command("list").description("Lists businesses, their merchants and areas.").action(showMerchants);
  program.command("list-keys <merchant>").description("Lists public keys and their state.").action(showKeys);
  for (const on of [true, false]) {
    program
      .command(`${on ? "enable" : "disable"}-area <merchant> <area>`)
      .description(`${on ? "Lets a merchant use an area" : "Takes an area from a merchant"}: ${ALL_AREAS.join(", ")}.`)
      .action((merchant: string, area: string) => switchOne(merchant, area, on));
  }
  program.command("area-requests").description("Lists areas that merchants ask for, oldest first.").action(showAreaRequests);
  program.command("name-requests").description("Lists businesses that ask for another name, oldest first.").action(showNameRequests);
  for (const isApproved of [true, false]) {
    program
      .command(`${isApproved ? "approve" : "refuse"}-name <business> <name>`)
      .description(
        isApproved ? "Gives a business the name that it asks for, as name-requests shows it." : "Leaves a business the name that it has.",
      )
      .requiredOption(...REASON)
      .action((business: string, name: string, { reason }: { reason: string }) => decide(business, { name, isApproved, reason }));
  }
  program
    .command("suspend <merchant>")
    .description("Refuses everything that changes something for a merchant, and its payers. Reading goes on.")
    .requiredOption(...REASON)
    .action((merchant: string, { reason }: { reason: string }) => changeStatus(merchant, reason, suspendMerchant, "is suspended"));
  program
    .command("resume <merchant>")
    .description("Ends a merchant's suspension.")
    .requiredOption(...REASON)
    .action((merchant: string, { reason }: { reason: string }) => changeStatus(merchant, reason, resumeMerchant, "works again"));
  program
    .command("create-key <merchant>")
    .description("Makes a key pair. By default it has all permissions, but in live mode not cards:reveal.")
    .option("--name <name>", "for its list", "From the command line")
    .option("--ip <address>", "an address or CIDR range that may use it; more than once for more", collected)
    .option("--permission <permission>", `one of ${ALL_PERMISSIONS.join(" ")}; more than once for more`, collected)
    .action(makeKey);
  program
    .command("roll-key <public-key>")
    .description("Makes a new pair like an old one, which works on for a while.")
    .option("--overlap-hours <hours>", "how long", toNumber, 24)
    .action(rollKey);
  program
    .command("resume-key <public-key>")
    .description("Lets a pair work again that its maker's link 'This was not me' has paused.")
    .action(resumeKey);
  program.command("revoke-key <public-key>").description("Refuses a pair from now on.").action(revokeKey);
}

async function showNameRequests(): Promise<void> {
  const requests = await listNameRequests(operator);
  if (requests.length === 0) return console.log("No business asks for another name.");
  console.table(requests.map(({ since, ...request }) => ({ ...request, since: since?.toISOString() })));
}

async function decide(business: string, decision: { name: string; isApproved: boolean; reason: string }): Promise<void> {
  const { name } = await decideName(operator, business, decision);
  console.log(`${business} is called ${name}.`);
}

async function changeStatus(id: string, reason: string, change: typeof suspendMerchant, done: string): Promise<void> {
  const { merchant } = await merchantNamed(id);
  const isChanged = await change(operator, merchant.id, reason);
  console.log(isChanged ? `${id} ${done}.` : `${id} was so before. Nothing changed.`);
}

const NewBusiness = z.object({ name: businessName, email: z.email("This is not an email address.").max(254, "This is too long.") });

/** Returns options as a schema has them. Throws `Misuse` with the name of each wrong one. */
function optionsOf<Schema extends z.ZodType>(schema: Schema, options: unknown): z.output<Schema> {
  const given = schema.safeParse(options);
  if (given.success) return given.data;
  throw new Misuse(given.error.issues.map(({ path, message }) => `--${path.join(".")}: ${message}`).join(" "));
}

async function makeBusiness(options: { name: string; email: string }): Promise<void> {
  const { name, email } = optionsOf(NewBusiness, options);
  const password = randomBase62(16);
  const made = await createBusiness(operator, { name, owner: { email, name, password } });
  console.log(`Business       ${made.businessId}\nTest merchant  ${made.testMerchantId}\nLive merchant  ${made.liveMerchantId}`);
  console.log(`Owner          ${email} / ${password}`);
  showPair(made.testKey);
}

const wordFor = (isUnlocked: boolean | null): string => (isUnlocked === null ? "" : isUnlocked ? "open" : "locked");

async function showMerchants(): Promise<void> {
  const merchants = await listMerchants(operator);
  if (merchants.length === 0) return console.log("There is no business yet. Make one: npm run oja -- create-business");
  console.table(
    merchants.map(({ areas, isUnlocked, ...merchant }) => ({ ...merchant, "live mode": wordFor(isUnlocked), areas: areas.join(" ") })),
  );
}

async function showKeys(merchant: string): Promise<void> {
  const { items } = await listApiKeys(await merchantNamed(merchant), { limit: 100 });
  console.table(
    items.map((key) => ({
      publicKey: key.publicKey,
      name: key.name,
      state: key.expiresAt ? `${stateOf(key)}, ends ${key.expiresAt.toISOString()}` : stateOf(key),
      lastUsed: key.lastUsedAt ? `${key.lastUsedAt.toISOString()} from ${key.lastUsedAddress}` : "never",
    })),
  );
}

async function switchOne(name: string, area: string, on: boolean): Promise<void> {
  const { merchant } = await merchantNamed(name);
  await switchArea(operator, merchant.id, area, on);
  console.log(`${area} is ${on ? "enabled" : "disabled"} for ${merchant.id} (${merchant.mode}).`);
}

async function showAreaRequests(): Promise<void> {
  const requests = await listAreaRequests(operator);
  if (requests.length === 0) return console.log("Nobody asks for an area.");
  console.table(
    requests.map(({ business, merchantId, mode, area, madeBy, createdAt }) => ({
      ...{ business, merchant: merchantId, mode, area, by: madeBy.id, since: createdAt.toISOString() },
    })),
  );
  console.log("Switch one on: npm run oja -- enable-area MERCHANT AREA");
}

async function makeKey(merchant: string, options: { name: string; ip?: string[]; permission?: string[] }): Promise<void> {
  const ctx = await merchantNamed(merchant);
  const { ip: allowedIps = [], permission: permissions } = options;
  const { name } = optionsOf(CreateApiKey.pick({ name: true }), { name: options.name });
  const pair = await createApiKey(ctx, { name, allowedIps, ...(permissions && { permissions }) });
  showPair(pair);
  if (permissions) console.log(`It may           ${permissions.join(" ")}`);
}

async function keyNamed(publicKey: string) {
  const found = await findPublicKey(operator, publicKey);
  if (!found) throw new Misuse(`There is no key ${publicKey}. See: npm run oja -- list-keys MERCHANT`);
  return { ctx: await merchantNamed(found.merchantId), id: found.id };
}

async function rollKey(publicKey: string, { overlapHours }: { overlapHours: number }): Promise<void> {
  const { ctx, id } = await keyNamed(publicKey);
  const { key, old } = await rollApiKey(ctx, id, overlapHours);
  showPair(key);
  console.log(`The old pair works until ${old.expiresAt?.toISOString()}.`);
}

async function resumeKey(publicKey: string): Promise<void> {
  const { ctx, id } = await keyNamed(publicKey);
  await resumePausedApiKey(ctx, id);
  console.log(`${publicKey} works.`);
}

async function revokeKey(publicKey: string): Promise<void> {
  const { ctx, id } = await keyNamed(publicKey);
  await revokeApiKey(ctx, id);
  console.log(`${publicKey} is revoked.`);
}

function showPair({ publicKey, secretKey }: Pick<NewApiKey, "publicKey" | "secretKey">): void {
  console.log(`X-Api-Key      ${publicKey}\nX-Api-Secret   ${secretKey}   (shown this once)`);
}
