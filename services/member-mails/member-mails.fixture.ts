import { sql, transaction } from "#db/client.ts";
import { DAY_MS } from "#lib/time.ts";
import { raiseAlert } from "../alerts/index.ts";
import type { MemberContext, Role } from "../context.ts";
import { systemContext } from "../context.ts";
import { appendEvent } from "../events/append-event.ts";
import { textOf } from "../mails/mails.fixture.ts";
import { aMember, asMember } from "../members/member.fixture.ts";
import { aMerchant, type TestMerchant } from "../merchants/merchant.fixture.ts";
import { noteAlertsForMails, notePaymentsForMails, queueMemberMails } from "./index.ts";

const job = systemContext("test");

export interface Team {
  shop: TestMerchant;
  /** The members of the team in live mode, by role. The owner that the business was made with is not among them. */
  as: Record<Role, MemberContext>;
}

/** Creates a business with a member of each role. */
export async function aTeam(name?: string): Promise<Team> {
  const shop = await aMerchant(name === undefined ? {} : { name });
  const merchant = { ...shop.merchant, id: shop.liveMerchantId, mode: "live" as const };
  const join = async (role: Role): Promise<MemberContext> => asMember({ ...shop.ctx, merchant }, await aMember(merchant.businessId, role));
  const as = {
    owner: await join("owner"),
    admin: await join("admin"),
    developer: await join("developer"),
    support: await join("support"),
    viewer: await join("viewer"),
  };
  await sql()`update users set email_verified_at = now()`;
  // Moved items must not become older than the membership.
  await sql()`update members set created_at = created_at - interval '30 days' where business_id = ${merchant.businessId}`;
  return { shop, as };
}

export const aBlockedCard = (merchantId: string, resourceId = "card_1") =>
  transaction((tx) => raiseAlert(tx, merchantId, { type: "card.blocked", message: "The card's issuer contradicts itself.", resourceId }));

export const aFailingEndpoint = (merchantId: string, host = "shop.example") =>
  transaction((tx) =>
    raiseAlert(tx, merchantId, { type: "webhook_endpoint.failing", message: `${host} has not taken events.`, resourceId: "we_1" }),
  );

/** Appends the event of a paid link of so many Naira, without the payment itself. */
export const aPayment = (merchantId: string, amount: number, description: string | null = null) =>
  transaction((tx) => appendEvent(tx, merchantId, "checkout.success", { reference: "8fK2x9Q", amount, description }));

/** Runs the sweeps of the worker once. */
export async function sweep(): Promise<void> {
  await noteAlertsForMails(job);
  await notePaymentsForMails(job);
  await queueMemberMails(job);
}

interface Mail {
  id: string;
  kind: string;
}

/** Returns the mails that were queued for a member, the oldest first. */
export const mailsOf = ({ actor }: MemberContext) => sql()<Mail[]>`
  select m.id, m.kind from mails m join users u on u.email = m.recipient where u.id = ${actor.id} order by m.id`;

export async function textsOf(ctx: MemberContext): Promise<string[]> {
  const texts = [];
  for (const { id } of await mailsOf(ctx)) texts.push(await textOf(id));
  return texts;
}

/** Moves the times of all mail items into the past. */
export const letMinutesPass = (minutes: number) => sql()`
  update mail_items set created_at = created_at - ${minutes} * interval '1 minute', due_at = due_at - ${minutes} * interval '1 minute',
    mailed_at = mailed_at - ${minutes} * interval '1 minute'`;

/** Returns the kinds of the mails that were queued for a member, the oldest first. */
export const kindsOf = async (ctx: MemberContext) => (await mailsOf(ctx)).map(({ kind }) => kind);

/** A moment of another day, at an hour in Lagos. */
export function dayFromNow(days: number, hourInLagos: number): Date {
  const at = new Date(Date.now() + days * DAY_MS);
  at.setUTCHours(hourInLagos - 1, 0, 0, 0);
  return at;
}
export const chooseDaysAgo = (days: number) => sql()`update mail_choices set chosen_at = chosen_at - ${days} * interval '1 day'`;
