import sharp from "sharp";
import { expect, test } from "vitest";
import { pageClient } from "#app/_http/page-client.fixture.ts";
import { pageHeaders } from "#app/_http/page-headers.fixture.ts";
import { endpoints } from "#app/api/v1/endpoints.ts";
import { sql } from "#db/client.ts";
import { naira } from "#lib/money.ts";
import { createApiKey, revokeApiKey } from "#services/api-keys/index.ts";
import { aMemberOf as aBuyerOf, airtimeFile, aRunningOrder, termsOf } from "#services/bulk/bulk.fixture.ts";
import { cancelBulkOrder, confirmBulkOrder, resumeBulkOrder, stopBulkOrder, uploadBulkOrder } from "#services/bulk/index.ts";
import { aCard, anApprovedCardholder, isQuiet, readTestCard, settled, type TestCard, untilSynced } from "#services/cards/cards.fixture.ts";
import { changeCard } from "#services/cards/index.ts";
import { resolveDueRefunds } from "#services/checkout/index.ts";
import { aPaidLink, aWaitingRefund, makeRefundDue, refundNow } from "#services/checkout/refunds/refunds.fixture.ts";
import { systemContext } from "#services/context.ts";
import { aMember, asMember, type TestMember } from "#services/members/member.fixture.ts";
import { bindProvider, switchArea } from "#services/merchants/index.ts";
import { anOperator, byOperator, type TestMerchant } from "#services/merchants/merchant.fixture.ts";
import { declinePayout, nameBankAccount, removeBankAccount, requestPayout, setPayoutRules } from "#services/payouts/index.ts";
import { aBankAccount, anAccountNumber, chosenRules, payoutThatIs } from "#services/payouts/payouts.fixture.ts";
import { aMemberWithPassword, PASSWORD } from "#services/users/users.fixture.ts";
import { aMeter, aPhone, aSmartCard, aVtuMerchant, productNamed } from "#services/vtu/vtu.fixture.ts";
import { apiClient } from "#testing/api.ts";
import { withApp } from "#testing/app.ts";
import { withCardSweeps } from "#testing/card-sweeps.ts";
import { withDatabase } from "#testing/database.ts";
import { until } from "#testing/until.ts";
import { dashboardEndpoints } from "./endpoints.ts";

withDatabase();
const app = withApp();
withCardSweeps();

interface Scenario {
  path: string;
  body?: unknown;
  /** Sends the request in place of a JSON request of the owner. */
  send?: (headers: Record<string, string>) => Promise<{ status: number; body: { data: unknown } }>;
  /** Changes by somebody else what the request has changed. */
  meanwhile?: (answered: Record<string, string>) => Promise<unknown>;
  /** A retry may change these tables: it makes another secret in place of the one whose answer was lost. */
  mayChange?: string[];
}

interface Stage {
  shop: TestMerchant;
  owner: TestMember;
}
type Prepare = (stage: Stage) => Promise<Scenario>;

const aStage = async (): Promise<Stage> => {
  const shop = await aVtuMerchant({ wallet: 1_000_000 });
  return { shop, owner: await aMemberWithPassword(shop.merchant.businessId, "owner") };
};

const quiet = async (shop: TestMerchant, card: TestCard) => {
  await changeCard(shop.ctx, card.id, "terminate");
  await until(async () => isQuiet(await readTestCard(shop, card.id)));
};
const orderOf = async ({ shop }: Stage) => {
  const ctx = await aBuyerOf(shop);
  const order = await aRunningOrder({ shop, ctx }, ["6789", "6789"]);
  return { ctx, order };
};
const CARDS = "/api/v1/virtual-cards";
const DASHBOARD = "/api/dashboard";
const proof = { password: PASSWORD };
const plan = async (service: "data" | "cable" | "electricity" | "exam") => (await productNamed("sandbox", service, "")).id;
/** No purchase can be made again under another price: the first one has been made. */
const raisePrices = () => sql()`update products set selling_price = selling_price + 100 where selling_price is not null`;
const lowerPrices = () => sql()`update products set selling_price = selling_price - 100 where selling_price is not null`;

/** Each endpoint whose retry finds, or is answered with, what an earlier attempt has executed. */
const SCENARIOS: Record<string, Prepare> = {
  buyAirtime: async ({ shop }) => ({
    path: "/api/v1/vtu/airtime",
    body: { network: "mtn", phone: aPhone(), amount: 100 },
    meanwhile: () => switchOff(shop),
  }),
  buyData: async () => ({ path: "/api/v1/vtu/data", body: { phone: aPhone(), data_plan_id: await plan("data") }, meanwhile: raisePrices }),
  buyCable: async () => ({
    path: "/api/v1/vtu/cable",
    body: { smart_card_number: aSmartCard(), cable_plan_id: await plan("cable") },
    meanwhile: lowerPrices,
  }),
  buyElectricity: async () => ({
    path: "/api/v1/vtu/electricity",
    body: { disco_id: await plan("electricity"), meter_number: aMeter(), meter_type: "Prepaid", amount: 1_000 },
  }),
  buyExam: async () => ({ path: "/api/v1/vtu/exam", body: { exam_type_id: await plan("exam"), quantity: 1 } }),
  createCardholder: async () => ({
    path: `${CARDS}/cardholders`,
    body: { first_name: "Ngozi", last_name: "Eze", email: `once-${Date.now()}+pending@example.com` },
    meanwhile: () => sql()`update cardholders set kyc_status = 'APPROVED', next_check_at = null where next_check_at is not null`,
  }),
  issueCard: async ({ shop }) => {
    const holder = await anApprovedCardholder(shop);
    return { path: CARDS, body: { cardholder_id: holder.id }, meanwhile: ({ id = "" }) => untilSynced(shop, id) };
  },
  fundCard: async ({ shop }) => {
    const card = await aCard(shop);
    return {
      path: `${CARDS}/${card.id}/fund`,
      body: { amount: 5 },
      meanwhile: async ({ id = "" }) => {
        await settled({ merchantId: shop.merchant.id, id });
        await quiet(shop, card);
      },
    };
  },
  unloadCard: async ({ shop }) => {
    const card = await aCard(shop, { balance: 5 });
    return {
      path: `${CARDS}/${card.id}/unload`,
      body: { amount: 5 },
      meanwhile: async ({ id = "" }) => {
        await settled({ merchantId: shop.merchant.id, id });
        await quiet(shop, card);
      },
    };
  },
  freezeCard: async ({ shop }) => {
    const card = await aCard(shop);
    return { path: `${CARDS}/${card.id}/freeze`, meanwhile: () => changeCard(shop.ctx, card.id, "unfreeze") };
  },
  unfreezeCard: async ({ shop }) => {
    const card = await aCard(shop);
    await changeCard(shop.ctx, card.id, "freeze");
    return { path: `${CARDS}/${card.id}/unfreeze`, meanwhile: () => changeCard(shop.ctx, card.id, "freeze") };
  },
  terminateCard: async ({ shop }) => {
    const card = await aCard(shop);
    return { path: `${CARDS}/${card.id}/terminate`, meanwhile: () => until(async () => isQuiet(await readTestCard(shop, card.id))) };
  },
  simulateSpend: async ({ shop }) => {
    const card = await aCard(shop, { balance: 5 });
    return {
      path: `/api/v1/test/virtual-cards/${card.id}/transactions`,
      body: { amount: 5, merchant_name: "Shop" },
      // A retry makes the card due to be read.
      mayChange: ["cards"],
      meanwhile: async () => {
        await quiet(shop, card);
        await sql()`update cards set next_sync_at = null where id = ${card.id}`;
      },
    };
  },
  uploadBulkOrder: async (stage) => {
    const file = airtimeFile(["6789"]);
    const ctx = await aBuyerOf(stage.shop);
    return {
      path: `${DASHBOARD}/bulk-orders`,
      send: sendRaw(stage, `${DASHBOARD}/bulk-orders`, file, "text/csv; charset=utf-8"),
      meanwhile: ({ id = "" }) => cancelBulkOrder(ctx, id),
    };
  },
  confirmBulkOrder: async ({ shop }) => {
    const ctx = await aBuyerOf(shop);
    const draft = await uploadBulkOrder(ctx, airtimeFile(["6789"]));
    return {
      path: `${DASHBOARD}/bulk-orders/${draft.id}/confirm`,
      body: { expected_total: 100 },
      meanwhile: () => stopBulkOrder(ctx, draft.id),
    };
  },
  resumeBulkOrder: async (stage) => {
    const { ctx, order } = await orderOf(stage);
    await stopBulkOrder(ctx, order.id);
    return {
      path: `${DASHBOARD}/bulk-orders/${order.id}/resume`,
      body: { expected_total: 200 },
      meanwhile: () => stopBulkOrder(ctx, order.id),
    };
  },
  stopBulkOrder: async (stage) => {
    const { ctx, order } = await orderOf(stage);
    return {
      path: `${DASHBOARD}/bulk-orders/${order.id}/stop`,
      meanwhile: () => resumeBulkOrder(ctx, order.id, termsOf(order)),
    };
  },
  cancelBulkOrder: async ({ shop }) => {
    const ctx = await aBuyerOf(shop);
    const draft = await uploadBulkOrder(ctx, airtimeFile(["6789"]));
    await confirmBulkOrder(ctx, draft.id, termsOf(draft));
    await stopBulkOrder(ctx, draft.id);
    return { path: `${DASHBOARD}/bulk-orders/${draft.id}/cancel` };
  },
  createApiKey: async () => ({
    path: `${DASHBOARD}/api-keys`,
    body: { name: "Shop", permissions: ["wallet:read"] },
    mayChange: ["api_keys", "audit_entries", "audit_heads"],
  }),
  rollApiKey: async ({ shop }) => {
    const key = await createApiKey(byOperator(shop.ctx), { name: "Shop" });
    return {
      path: `${DASHBOARD}/api-keys/${key.id}/roll`,
      body: { overlap_hours: 1 },
      mayChange: ["api_keys", "audit_entries", "audit_heads"],
      meanwhile: () => revokeApiKey(byOperator(shop.ctx), key.id),
    };
  },
  revokeApiKey: async ({ shop }) => {
    const key = await createApiKey(byOperator(shop.ctx), { name: "Shop" });
    return { path: `${DASHBOARD}/api-keys/${key.id}/revoke` };
  },
  resumeApiKey: async ({ shop }) => {
    const key = await createApiKey(byOperator(shop.ctx), { name: "Shop" });
    const pause = () => sql()`update api_keys set paused_at = now() where id = ${key.id}`;
    await pause();
    return { path: `${DASHBOARD}/api-keys/${key.id}/resume`, body: proof, meanwhile: pause };
  },
  requireTwoFactor: async ({ shop }) => ({
    path: `${DASHBOARD}/team/two-factor`,
    body: { required: false, ...proof },
    meanwhile: () => sql()`update businesses set two_factor_required_at = now() where id = ${shop.merchant.businessId}`,
  }),
  uploadLogo: async (stage) => ({
    path: `${DASHBOARD}/brand/logo?version=1`,
    send: sendRaw(stage, `${DASHBOARD}/brand/logo?version=1`, await aPicture(), "image/png"),
    meanwhile: () =>
      sql()`update businesses set logo = null, brand_version = brand_version + 1 where id = ${stage.shop.merchant.businessId}`,
  }),
  hideFirstSteps: async ({ shop }) => ({
    path: `${DASHBOARD}/first-steps`,
    body: { put_away: true },
    meanwhile: () => sql()`update merchants set steps_put_away_at = null where id = ${shop.merchant.id}`,
  }),
  bindSandbox: async ({ shop }) => ({
    path: `${DASHBOARD}/simulator/provider`,
    body: { kind: "issuer", provider: "sandbox-async" },
    meanwhile: () => bindProvider(anOperator, shop.merchant.id, "issuer", "sandbox"),
  }),
  setEmbedOrigins: async ({ shop }) => ({
    path: `${DASHBOARD}/embed-origins`,
    body: { origins: ["https://shop.example"], from: [] },
    meanwhile: () => sql()`update merchants set embed_origins = array['https://other.example'] where id = ${shop.merchant.id}`,
  }),
  handOver: async ({ shop, owner }) => {
    const next = await aMember(shop.merchant.businessId, "admin");
    return {
      path: `${DASHBOARD}/members/${next.userId}/hand-over`,
      body: proof,
      meanwhile: () => sql()`
        update members set role = case user_id when ${owner.userId} then 'owner'::member_role else 'admin'::member_role end
        where business_id = ${shop.merchant.businessId} and user_id in (${owner.userId}, ${next.userId})`,
    };
  },
  removeMember: async ({ shop }) => {
    const staff = await aMember(shop.merchant.businessId, "viewer");
    return {
      path: `${DASHBOARD}/members/${staff.userId}/remove`,
      body: proof,
      meanwhile: () =>
        sql()`insert into members (business_id, user_id, role) values (${shop.merchant.businessId}, ${staff.userId}, 'viewer')`,
    };
  },
  leaveBusiness: async (stage) => {
    const { shop } = stage;
    const staff = await aMemberWithPassword(shop.merchant.businessId, "viewer");
    const body = { business_id: shop.merchant.businessId, ...proof };
    return {
      path: `${DASHBOARD}/members/leave`,
      send: (changes) => pageClient(app, staff, shop.merchant.id)("POST", `${DASHBOARD}/members/leave`, { body, changes }),
      meanwhile: () =>
        sql()`insert into members (business_id, user_id, role) values (${shop.merchant.businessId}, ${staff.userId}, 'viewer')`,
    };
  },
  createPayout: async ({ shop }) => {
    await sql()`update api_keys set permissions = array_append(permissions, 'payouts:write') where public_key = ${shop.key.publicKey}`;
    const body = await ofAccount(shop);
    return {
      path: "/api/v1/payouts",
      send: (headers) => apiClient(app, shop.key).call("POST", "/api/v1/payouts", { body, headers }),
      meanwhile: ({ id = "" }) => untilReversed(shop, id),
      mayChange: ["api_key_uses"],
    };
  },
  createPayoutOfMember: async ({ shop }) => ({
    path: `${DASHBOARD}/payouts`,
    body: { ...(await ofAccount(shop)), expected_total: 5_000 },
    meanwhile: ({ id = "" }) => untilReversed(shop, id),
  }),
  requestPayout: async ({ shop }) => ({
    path: `${DASHBOARD}/payout-requests`,
    body: await ofAccount(shop),
    meanwhile: ({ id = "" }) => declinePayout(byOperator(shop.ctx), id),
  }),
  approvePayout: async (stage) => ({
    path: `${DASHBOARD}/payout-requests/${await aPayoutRequest(stage)}/approve`,
    meanwhile: ({ id = "" }) => untilReversed(stage.shop, id),
  }),
  declinePayout: async (stage) => ({ path: `${DASHBOARD}/payout-requests/${await aPayoutRequest(stage)}/decline` }),
  createRefund: async ({ shop }) => {
    await sql()`update api_keys set permissions = array_append(permissions, 'refunds:write') where public_key = ${shop.key.publicKey}`;
    const body = await ofPayment(shop);
    return {
      path: "/api/v1/checkout/refunds",
      send: (headers) => apiClient(app, shop.key).call("POST", "/api/v1/checkout/refunds", { body, headers }),
      meanwhile: ({ id = "" }) => untilRefundCameBack(shop, id),
      mayChange: ["api_key_uses"],
    };
  },
  createRefundOfMember: async ({ shop }) => ({
    path: `${DASHBOARD}/refunds`,
    body: await ofPayment(shop),
    meanwhile: ({ id = "" }) => untilRefundCameBack(shop, id),
  }),
  confirmRefundAccount: async (stage) => ({
    path: `${DASHBOARD}/refunds/${await aRefundForAnOwner(stage)}/confirm`,
    meanwhile: ({ id = "" }) => untilRefundCameBack(stage.shop, id),
  }),
  cancelRefund: async (stage) => ({ path: `${DASHBOARD}/refunds/${await aRefundWithoutAccount(stage)}/cancel` }),
  addBankAccount: async ({ shop }) => ({
    path: `${DASHBOARD}/bank-accounts`,
    body: await aNamedAccount(shop),
    meanwhile: ({ id = "" }) => removeBankAccount(byOperator(shop.ctx), id),
  }),
  removeBankAccount: async ({ shop }) => {
    const id = await aBankAccount(shop);
    return {
      path: `${DASHBOARD}/bank-accounts/${id}/remove`,
      meanwhile: () => sql()`update bank_accounts set removed_at = null, removed_by = null where id = ${id}`,
    };
  },
  setPayoutRules: async ({ shop }) => ({
    path: `${DASHBOARD}/payout-rules`,
    body: { max_amount: 1_000, ...NO_OTHER_RULES },
    meanwhile: () => setPayoutRules(byOperator(shop.ctx), chosenRules()),
  }),
  requestArea: async ({ shop }) => {
    await switchArea(anOperator, shop.merchant.id, "checkout", false);
    return {
      path: `${DASHBOARD}/areas/checkout/request`,
      meanwhile: async () => {
        await switchArea(anOperator, shop.merchant.id, "checkout", true);
        await switchArea(anOperator, shop.merchant.id, "checkout", false);
      },
    };
  },
  inviteMember: async ({ shop }) => ({
    path: `${DASHBOARD}/invitations`,
    body: { email: `new-${Date.now()}@shop.example`, role: "viewer", ...proof },
    meanwhile: ({ id = "" }) =>
      sql()`update invitations set withdrawn_at = now() where id = ${id} and business_id = ${shop.merchant.businessId}`,
  }),
  resendInvitation: async (stage) => {
    const id = await anInvitation(stage);
    return {
      path: `${DASHBOARD}/invitations/${id}/resend`,
      body: proof,
      meanwhile: () => sql()`update invitations set sent_at = sent_at - interval '2 minutes' where id = ${id}`,
    };
  },
  withdrawInvitation: async (stage) => ({ path: `${DASHBOARD}/invitations/${await anInvitation(stage)}/withdraw` }),
};

const NO_OTHER_RULES = { max_a_day: null, two_people_above: null, automatic: null, automatic_account_id: null, automatic_reserve: 0 };

const payoutAccounts = new Map<string, Promise<string>>();
/** Returns the body of a payout to one account of the shop, whose payouts come back. A retry sends the same. */
async function ofAccount(shop: TestMerchant): Promise<{ amount: number; bank_account_id: string }> {
  const known = payoutAccounts.get(shop.merchant.id) ?? aBankAccount(shop, "5555");
  payoutAccounts.set(shop.merchant.id, known);
  return { amount: 5_000, bank_account_id: await known };
}

/** Returns the body of a refund of a payment whose refunds come back. */
const ofPayment = async (shop: TestMerchant): Promise<{ reference: string; amount: number }> => ({
  reference: (await aPaidLink(shop, { senderAccount: "0123455555" })).reference,
  amount: 1_000,
});

/** Stores a refund at a bank that does not tell the payer's account. Returns its id. */
async function aRefundWithoutAccount({ shop: { merchant, ctx, ...shop } }: Stage): Promise<string> {
  await bindProvider(anOperator, merchant.id, "bank", "sandbox-plain");
  const atPlain = {
    ...shop,
    merchant: { ...merchant, bank: "sandbox-plain" },
    ctx: { ...ctx, merchant: { ...ctx.merchant, bank: "sandbox-plain" } },
  };
  const { refund } = await aWaitingRefund(atPlain, await aPaidLink(atPlain), 1_000);
  return refund.id;
}

/** Stores a refund to an account that an owner is to agree to, and which sends the money back. Returns its id. */
async function aRefundForAnOwner(stage: Stage): Promise<string> {
  const id = await aRefundWithoutAccount(stage);
  await sql()`
    update refunds set bank_code = '00A', bank_name = 'Harbour Bank (test)', account_number = '0123455555', account_name = 'TEST ACCOUNT 5555',
      account_given_at = now(), awaits_owner = true where id = ${id} and merchant_id = ${stage.shop.merchant.id}`;
  return id;
}

/** Waits until a refund has come back. No worker reads it here. */
const untilRefundCameBack = ({ merchant }: TestMerchant, id: string) =>
  until(async () => {
    const key = { merchantId: merchant.id, id };
    await makeRefundDue(key);
    await resolveDueRefunds(systemContext("test"));
    return (await refundNow(key)).status === "reversed";
  }, 20_000);

async function untilReversed({ merchant }: TestMerchant, id: string): Promise<void> {
  await payoutThatIs("reversed", { merchantId: merchant.id, id });
}

async function aPayoutRequest({ shop }: Stage): Promise<string> {
  const colleague = await aMember(shop.merchant.businessId, "owner");
  const { bank_account_id: bankAccountId } = await ofAccount(shop);
  const { id } = await requestPayout(asMember(shop.ctx, colleague), { bankAccountId, amount: naira(5_000) });
  return id;
}

async function aNamedAccount(shop: TestMerchant) {
  const account = { bankCode: "00A", accountNumber: anAccountNumber() };
  const { accountName } = await nameBankAccount(byOperator(shop.ctx), account);
  return { bank_code: account.bankCode, account_number: account.accountNumber, account_name: accountName };
}

/** Questions, challenges, a position that only goes forward, and `endOtherSessions`, which a repetition does again as it was asked. */
const REPEATED = [
  "beginPasskeyProof",
  "beginPasskeyRegistration",
  "beginTotp",
  "endOtherSessions",
  "markAlertsSeen",
  "nameBankAccount",
  "revealCardToMember",
  "verifyMeter",
  "verifySmartCard",
];

/** Another aggregator, which may sell the same at another price. */
const switchOff = (shop: TestMerchant) => bindProvider(anOperator, shop.merchant.id, "aggregator", "sandbox-vtpass");

async function anInvitation({ shop, owner }: Stage): Promise<string> {
  const body = { email: `guest-${Date.now()}@shop.example`, role: "viewer", ...proof };
  const invited = await pageClient(app, owner, shop.merchant.id)("POST", `${DASHBOARD}/invitations`, { body });
  await sql()`update invitations set sent_at = sent_at - interval '2 minutes'`;
  return invited.body.data.id;
}

const aPicture = () =>
  sharp({ create: { width: 64, height: 64, channels: 3, background: "#0f766e" } })
    .png()
    .toBuffer();

const sendRaw =
  ({ shop, owner }: Stage, path: string, raw: string | Buffer, type: string): NonNullable<Scenario["send"]> =>
  (headers) =>
    apiClient(app, undefined).call("POST", path, {
      raw: typeof raw === "string" ? raw : new Uint8Array(raw),
      headers: { ...pageHeaders(app, owner.token, shop.merchant.id), "Content-Type": type, ...headers },
    });

const declared = [...endpoints, ...dashboardEndpoints].map(({ route: { declaration } }) => declaration);

test("every endpoint that promises to find or repeat a lost answer has a scenario in this file", () => {
  const named = (...kinds: string[]) =>
    declared.filter(({ replay }) => kinds.includes(replay?.afterLostAnswer ?? "none")).map(({ name }) => name);
  expect(named("finds", "answers").toSorted()).toEqual(Object.keys(SCENARIOS).toSorted());
  expect(named("repeats").toSorted()).toEqual(REPEATED);
});

/** The work of each process that goes on beside requests, and the keys themselves. */
const BESIDE = ["idempotency_keys", "request_log", "sessions", "catalogues", "daily_figures"];

/** Returns a hash of the rows of each table. */
async function tables(mayChange: readonly string[]): Promise<Record<string, string>> {
  const names = await sql()<{ name: string }[]>`
    select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition order by 1`;
  const hashes: Record<string, string> = {};
  for (const { name } of names) {
    if ([...BESIDE, ...mayChange].includes(name)) continue;
    const [row] = await sql().unsafe(
      `select md5(coalesce(string_agg(t::text, E'\\n' order by t::text), '')) as hash from public.${name} t`,
    );
    hashes[name] = row?.hash;
  }
  return hashes;
}

/** Requests that find the thing as they want it, and store nothing of their own. */
const WITHOUT_EFFECT: Record<string, Prepare> = {
  "unfreezeCard of an open card": async ({ shop }) => {
    const card = await aCard(shop);
    return { path: `${CARDS}/${card.id}/unfreeze`, meanwhile: () => changeCard(shop.ctx, card.id, "freeze") };
  },
  "freezeCard of a frozen card": async ({ shop }) => {
    const card = await aCard(shop);
    await changeCard(shop.ctx, card.id, "freeze");
    return { path: `${CARDS}/${card.id}/freeze`, meanwhile: () => changeCard(shop.ctx, card.id, "unfreeze") };
  },
  "requestArea that another member has asked for": async ({ shop, owner }) => {
    await switchArea(anOperator, shop.merchant.id, "checkout", false);
    const path = `${DASHBOARD}/areas/checkout/request`;
    await pageClient(app, owner, shop.merchant.id)("POST", path);
    return {
      path,
      meanwhile: async () => {
        await switchArea(anOperator, shop.merchant.id, "checkout", true);
        await switchArea(anOperator, shop.merchant.id, "checkout", false);
      },
    };
  },
};

/** Returns the fields of an answer. Checkout's stand at the top level. */
const fieldsOf = ({ body }: { body: { data?: unknown } }) => (body.data ?? body) as Record<string, unknown>;

test.each(Object.entries({ ...SCENARIOS, ...WITHOUT_EFFECT }))(
  "%s: if the answer was lost and the effect undone since, a retry with the same key succeeds and executes nothing again",
  async (name, prepare) => {
    const stage = await aStage();
    const { path, body, send, meanwhile, mayChange = [] } = await prepare(stage);
    const key = { "Idempotency-Key": `lost-${name.replaceAll(" ", "-")}` };
    const request =
      send ??
      ((changes) => pageClient(app, stage.owner, stage.shop.merchant.id)("POST", path, { ...(body !== undefined && { body }), changes }));
    const first = await request(key);
    expect([first.status, first.body]).toEqual([expect.toSatisfy((status: number) => status < 300), expect.anything()]);
    // As after a process that ended between its work and the record of its answer.
    await sql()`update idempotency_keys set state = 'unknown', status = null where key = ${key["Idempotency-Key"]}`;
    await meanwhile?.(fieldsOf(first) as Record<string, string>);
    const before = await tables(mayChange);
    const again = await request(key);
    expect([again.status, again.body]).toEqual([expect.toSatisfy((status: number) => status < 300), expect.anything()]);
    expect(await tables(mayChange)).toEqual(before);
    const idOf = (answer: typeof first) => fieldsOf(answer).id ?? fieldsOf(answer).reference;
    expect(idOf(again)).toBe(idOf(first));
    const replayed = await request(key);
    expect([replayed.status, idOf(replayed)]).toEqual([again.status, idOf(first)]);
  },
);
