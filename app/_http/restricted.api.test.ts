import sharp from "sharp";
import { beforeAll, expect, test } from "vitest";
import { dashboardEndpoints } from "#app/api/dashboard/endpoints.ts";
import { endpoints } from "#app/api/v1/endpoints.ts";
import { sql } from "#db/client.ts";
import type { ErrorCode } from "#lib/problem.ts";
import { createApiKey } from "#services/api-keys/index.ts";
import { type MemberContext, type MerchantContext, systemContext } from "#services/context.ts";
import { inviteMember } from "#services/members/index.ts";
import { aMember, asMember } from "#services/members/member.fixture.ts";
import { aMerchant, enableLiveAreas, type TestMerchant } from "#services/merchants/merchant.fixture.ts";
import { withProof } from "#services/proven.ts";
import { codeOf, firstFactorProof, nextStep } from "#services/users/factors/two-factor.fixture.ts";
import { beginTotp, confirmTotp } from "#services/users/index.ts";
import { aMemberWithPassword, anEmail, PASSWORD } from "#services/users/users.fixture.ts";
import { createEndpoint } from "#services/webhooks/index.ts";
import { apiClient, expectError } from "#testing/api.ts";
import { withApp } from "#testing/app.ts";
import { withDatabase } from "#testing/database.ts";
import { TRUST_THIS_MACHINE } from "./api-key.fixture.ts";
import { pageHeaders } from "./page-headers.fixture.ts";

withDatabase();
const app = withApp(TRUST_THIS_MACHINE);

let shop: TestMerchant;
beforeAll(async () => {
  shop = await aMerchant();
  await enableLiveAreas(shop.liveMerchantId, "checkout", "cards", "vtu");
});

/** Where a call is made, and by whom: the owner of the shop, in one of its modes. */
interface Place {
  ctx: MemberContext;
}

interface Send {
  path: string;
  body?: object;
  raw?: Uint8Array<ArrayBuffer>;
}

interface Refused {
  /** "both": it changes what the business has once for both modes. */
  modes: "live" | "both";
  /** How live mode answers after the 24 hours. No live provider is bound here, so what needs one gets no further than that. */
  afterwards: number | ErrorCode;
  prepare: (place: Place) => Promise<Send>;
}

const proved = (body: object = {}) => ({ password: PASSWORD, ...body });
const systemIn = ({ ctx }: Place): MerchantContext => ({ ...systemContext("test"), merchant: ctx.merchant });
const anEndpoint = async (place: Place) => createEndpoint(systemIn(place), { url: "https://shop.example/webhooks", eventTypes: null });
const aKey = async ({ ctx }: Place) => createApiKey(withProof(ctx, "manage_keys"), { name: "Server" });
const card = "/api/v1/virtual-cards/unknown";
const TERMS = { expected_total: 100, duplicate_rows: [], skip_rows: [] };

const keys = (path: string, verb: string, body: object, afterwards: number): Refused => ({
  ...{ modes: "live", afterwards },
  prepare: async (place) => ({ path: `${path}/${(await aKey(place)).id}${verb}`, body: proved(body) }),
});
const endpoint = (change: object): Refused => ({
  ...{ modes: "live", afterwards: 200 },
  prepare: async (place) => {
    const { id } = await anEndpoint(place);
    await sql()`update webhook_endpoints set status = 'disabled', disabled_reason = 'merchant', disabled_at = now() where id = ${id}`;
    return { path: `/api/v1/webhook-endpoints/${id}`, body: change };
  },
});
const plain = (path: string, body: object, afterwards: ErrorCode): Refused => ({
  ...{ modes: "live", afterwards },
  prepare: async () => ({ path, body }),
});
const member = (verb: string, body: object): Refused => ({
  ...{ modes: "both", afterwards: 200 },
  prepare: async ({ ctx }) => {
    const { userId } = await aMember(ctx.merchant.businessId, "viewer");
    return { path: `/api/dashboard/members/${userId}${verb}`, body: proved(body) };
  },
});
const brand = (contact: () => object): Refused => ({
  ...{ modes: "both", afterwards: 200 },
  prepare: async ({ ctx }) => ({ path: "/api/dashboard/brand", body: { version: await brandVersion(ctx), ...contact() } }),
});

async function brandVersion({ merchant }: MemberContext): Promise<number> {
  const [row] = await sql()<{ version: number }[]>`select brand_version as version from businesses where id = ${merchant.businessId}`;
  return row?.version ?? 0;
}

let made = 0;

/** Each is another one, because the same again changes nothing. */
async function aPicture(): Promise<Uint8Array<ArrayBuffer>> {
  const drawn = await sharp({ create: { width: 40, height: 40, channels: 3, background: { r: ++made, g: 0, b: 0 } } })
    .png()
    .toBuffer();
  return new Uint8Array(drawn);
}

/** A request that money follows: it needs a code beside the password. */
const withCode = (path: string, body: object, afterwards: number | ErrorCode): Refused => ({
  ...{ modes: "live", afterwards },
  prepare: async ({ ctx }) => {
    const { secret } = await beginTotp(ctx, await firstFactorProof(ctx));
    await confirmTotp(ctx, codeOf(secret));
    await nextStep(ctx.actor.id);
    return { path: `/api/dashboard${path}`, body: ctx.merchant.mode === "live" ? proved({ ...body, code: codeOf(secret) }) : body };
  },
});
const ACCOUNT = { bank_code: "058", account_number: "0123454417", account_name: "ADAS SHOP" };
const NO_RULES = {
  ...{ max_amount: null, max_a_day: null, two_people_above: null, automatic: null, automatic_account_id: null, automatic_reserve: 0 },
};

/** Each endpoint that is refused to a restricted account, with every change for which it is. The list in docs/security.md says the same in words. */
const REFUSED: Record<string, Refused[]> = {
  "post /api/v1/webhook-endpoints": [
    {
      ...{ modes: "live", afterwards: 201 },
      prepare: async () => ({ path: "/api/v1/webhook-endpoints", body: { url: "https://thief.example/webhooks" } }),
    },
  ],
  "patch /api/v1/webhook-endpoints/{id}": [
    endpoint({ url: "https://thief.example/webhooks" }),
    endpoint({ event_types: ["checkout.success"] }),
    endpoint({ status: "enabled" }),
  ],
  "post /api/v1/webhook-endpoints/{id}/roll-secret": [
    {
      ...{ modes: "live", afterwards: 200 },
      prepare: async (place) => ({
        path: `/api/v1/webhook-endpoints/${(await anEndpoint(place)).id}/roll-secret`,
        body: { overlap_hours: 1 },
      }),
    },
  ],
  "post /api/v1/virtual-cards": [
    {
      ...{ modes: "live", afterwards: "PROVIDER_UNAVAILABLE" },
      prepare: async () => ({ path: "/api/v1/virtual-cards", body: { cardholder_id: 1 } }),
    },
  ],
  "post /api/v1/virtual-cards/{id}/fund": [plain(`${card}/fund`, { amount: 20 }, "RESOURCE_NOT_FOUND")],
  "post /api/v1/virtual-cards/{id}/unfreeze": [plain(`${card}/unfreeze`, {}, "RESOURCE_NOT_FOUND")],
  "post /api/v1/vtu/airtime": [plain("/api/v1/vtu/airtime", { network: "mtn", phone: "08031234567", amount: 100 }, "PROVIDER_UNAVAILABLE")],
  "post /api/v1/vtu/data": [plain("/api/v1/vtu/data", { phone: "08031234567", data_plan_id: 1 }, "PROVIDER_UNAVAILABLE")],
  "post /api/v1/vtu/cable": [plain("/api/v1/vtu/cable", { cable_plan_id: 1, smart_card_number: "1234567890" }, "PROVIDER_UNAVAILABLE")],
  "post /api/v1/vtu/electricity": [
    plain(
      "/api/v1/vtu/electricity",
      { disco_id: 1, meter_number: "12345678901", meter_type: "Prepaid", amount: 1_000 },
      "PROVIDER_UNAVAILABLE",
    ),
  ],
  "post /api/v1/vtu/exam": [plain("/api/v1/vtu/exam", { exam_type_id: 1, quantity: 1 }, "PROVIDER_UNAVAILABLE")],
  "post /api/dashboard/bulk-orders/{id}/confirm": [plain("/api/dashboard/bulk-orders/unknown/confirm", TERMS, "RESOURCE_NOT_FOUND")],
  "post /api/dashboard/bulk-orders/{id}/resume": [plain("/api/dashboard/bulk-orders/unknown/resume", TERMS, "RESOURCE_NOT_FOUND")],
  "post /api/dashboard/virtual-cards/{id}/reveal": [plain("/api/dashboard/virtual-cards/unknown/reveal", proved(), "RESOURCE_NOT_FOUND")],
  "post /api/dashboard/api-keys": [
    {
      ...{ modes: "live", afterwards: 201 },
      prepare: async () => ({ path: "/api/dashboard/api-keys", body: proved({ name: "Server", permissions: ["wallet:read"] }) }),
    },
  ],
  "patch /api/dashboard/api-keys/{id}": [
    keys("/api/dashboard/api-keys", "", { version: 1, permissions: ["wallet:read"] }, 200),
    keys("/api/dashboard/api-keys", "", { version: 1, allowed_ips: ["203.0.113.7"] }, 200),
  ],
  "post /api/dashboard/api-keys/{id}/roll": [keys("/api/dashboard/api-keys", "/roll", { overlap_hours: 1 }, 201)],
  "post /api/dashboard/api-keys/{id}/resume": [keys("/api/dashboard/api-keys", "/resume", {}, 200)],
  "post /api/dashboard/embed-origins": [
    {
      ...{ modes: "live", afterwards: 200 },
      prepare: async () => ({ path: "/api/dashboard/embed-origins", body: { origins: ["https://thief.example"], from: [] } }),
    },
  ],
  "patch /api/dashboard/brand": [brand(() => ({ support_phone: `080312345${10 + ++made}` })), brand(() => ({ support_email: anEmail() }))],
  "post /api/dashboard/brand/logo": [
    {
      ...{ modes: "both", afterwards: 200 },
      prepare: async ({ ctx }) => ({ path: `/api/dashboard/brand/logo?version=${await brandVersion(ctx)}`, raw: await aPicture() }),
    },
  ],
  "post /api/dashboard/invitations": [
    {
      ...{ modes: "both", afterwards: 201 },
      prepare: async () => ({ path: "/api/dashboard/invitations", body: proved({ email: anEmail(), role: "admin" }) }),
    },
  ],
  "post /api/dashboard/invitations/{id}/resend": [
    {
      ...{ modes: "both", afterwards: 200 },
      prepare: async ({ ctx }) => {
        const { id } = await inviteMember(withProof(ctx, "manage_team"), { email: anEmail(), role: "admin" });
        await sql()`update invitations set sent_at = sent_at - interval '2 minutes' where id = ${id}`;
        return { path: `/api/dashboard/invitations/${id}/resend`, body: proved() };
      },
    },
  ],
  "patch /api/dashboard/members/{id}": [
    member("", { role: "admin", from: "viewer" }),
    {
      ...{ modes: "both", afterwards: 200 },
      prepare: async ({ ctx }) => {
        const { userId } = await aMember(ctx.merchant.businessId, "owner");
        return { path: `/api/dashboard/members/${userId}`, body: proved({ role: "viewer", from: "owner" }) };
      },
    },
  ],
  "post /api/dashboard/members/{id}/hand-over": [member("/hand-over", {})],
  "post /api/dashboard/members/{id}/remove": [
    {
      ...{ modes: "both", afterwards: 200 },
      prepare: async ({ ctx }) => {
        const { userId } = await aMember(ctx.merchant.businessId, "owner");
        return { path: `/api/dashboard/members/${userId}/remove`, body: proved() };
      },
    },
  ],
  "post /api/dashboard/bank-accounts": [withCode("/bank-accounts", ACCOUNT, "PROVIDER_UNAVAILABLE")],
  "post /api/dashboard/payouts": [
    withCode("/payouts", { amount: 100, bank_account_id: "unknown", expected_total: 100 }, "PROVIDER_UNAVAILABLE"),
  ],
  "post /api/dashboard/payout-requests": [
    withCode("/payout-requests", { amount: 100, bank_account_id: "unknown" }, "PROVIDER_UNAVAILABLE"),
  ],
  "post /api/dashboard/payout-requests/{id}/approve": [withCode("/payout-requests/unknown/approve", {}, "PROVIDER_UNAVAILABLE")],
  "post /api/dashboard/refunds": [withCode("/refunds", { reference: "unknown" }, "RESOURCE_NOT_FOUND")],
  "post /api/dashboard/refunds/{id}/confirm": [withCode("/refunds/unknown/confirm", {}, "RESOURCE_NOT_FOUND")],
  "post /api/dashboard/payout-rules": [withCode("/payout-rules", NO_RULES, 200)],
  "post /api/dashboard/team/two-factor": [
    {
      ...{ modes: "both", afterwards: 200 },
      prepare: async () => ({ path: "/api/dashboard/team/two-factor", body: proved({ required: false }) }),
    },
  ],
};

const TAKES_AWAY = "It takes away, which an owner who is back needs at once.";
const MONEY_COMES_IN = "Money comes into the wallet of the business.";
const OWN_ACCOUNT = "It changes the person's own sign-in, and has rules of its own.";
const TO_KNOWN_ADDRESS = "It sends to an address that stood before.";
const OF_SCREENS = "It changes a screen or a notice alone.";

/** Each other change that a session may ask for in live mode, with the reason why it stays open. */
const OPEN: Record<string, string> = {
  "post /api/v1/checkout/create": MONEY_COMES_IN,
  "post /api/v1/virtual-cards/cardholders": "A cardholder without a card spends nothing.",
  "patch /api/v1/virtual-cards/{id}": "A nickname.",
  "post /api/v1/virtual-cards/{id}/freeze": TAKES_AWAY,
  "post /api/v1/virtual-cards/{id}/terminate": TAKES_AWAY,
  "post /api/v1/virtual-cards/{id}/unload": MONEY_COMES_IN,
  "post /api/v1/vtu/cable/verify": "It asks, and buys nothing.",
  "post /api/v1/vtu/electricity/verify": "It asks, and buys nothing.",
  "delete /api/v1/webhook-endpoints/{id}": TAKES_AWAY,
  "post /api/v1/webhook-endpoints/{id}/resend": TO_KNOWN_ADDRESS,
  "post /api/v1/webhook-endpoints/{id}/test": TO_KNOWN_ADDRESS,
  "post /api/v1/webhook-deliveries/{id}/resend": TO_KNOWN_ADDRESS,
  "post /api/dashboard/webhook-deliveries/resend": TO_KNOWN_ADDRESS,
  "patch /api/dashboard/alerts/balance-limit": OF_SCREENS,
  "patch /api/dashboard/alerts/mails": OF_SCREENS,
  "post /api/dashboard/alerts/seen": OF_SCREENS,
  "post /api/dashboard/first-steps": OF_SCREENS,
  "post /api/dashboard/api-keys/{id}/revoke": TAKES_AWAY,
  "post /api/dashboard/areas/{area}/request": "An operator decides.",
  "patch /api/dashboard/business": "Where payers see the name, an operator decides.",
  "post /api/dashboard/bank-accounts/name": "It asks, and pays nothing out.",
  "post /api/dashboard/bank-accounts/{id}/remove": TAKES_AWAY,
  "post /api/dashboard/payout-requests/{id}/decline": TAKES_AWAY,
  "post /api/dashboard/refunds/{id}/cancel": TAKES_AWAY,
  "post /api/dashboard/bulk-orders": "A draft buys nothing before it is confirmed.",
  "post /api/dashboard/bulk-orders/{id}/cancel": TAKES_AWAY,
  "post /api/dashboard/bulk-orders/{id}/stop": TAKES_AWAY,
  "post /api/dashboard/invitations/{id}/withdraw": TAKES_AWAY,
  "post /api/dashboard/members/leave": TAKES_AWAY,
  "post /api/dashboard/passkeys": OWN_ACCOUNT,
  "post /api/dashboard/passkeys/options": OWN_ACCOUNT,
  "post /api/dashboard/passkeys/proof": OWN_ACCOUNT,
  "patch /api/dashboard/passkeys/{id}": OWN_ACCOUNT,
  "post /api/dashboard/passkeys/{id}/remove": OWN_ACCOUNT,
  "post /api/dashboard/password": OWN_ACCOUNT,
  "post /api/dashboard/sessions/end-others": OWN_ACCOUNT,
  "delete /api/dashboard/sessions/{id}": OWN_ACCOUNT,
  "post /api/dashboard/two-factor/mailed-code": OWN_ACCOUNT,
  "post /api/dashboard/two-factor/recovery-codes": OWN_ACCOUNT,
  "post /api/dashboard/two-factor/totp": OWN_ACCOUNT,
  "post /api/dashboard/two-factor/totp/confirm": OWN_ACCOUNT,
  "post /api/dashboard/two-factor/turn-off": OWN_ACCOUNT,
};

test("every change that a session may make in live mode is either refused to a restricted account or listed with a reason", () => {
  const changes = [...endpoints, ...dashboardEndpoints].filter(({ method, route: { declaration } }) => {
    const { testModeOnly, callers } = declaration;
    return method !== "get" && !testModeOnly && callers !== "keys";
  });
  const known = [...Object.keys(REFUSED), ...Object.keys(OPEN)];
  expect(changes.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual(known.toSorted());
});

const IS_RESTRICTED = /waits until .* \(West Africa Time\)/;

async function anOwnerIn(mode: "test" | "live"): Promise<Place & { send: (method: string, send: Send) => ReturnType<typeof call> }> {
  const member = await aMemberWithPassword(shop.merchant.businessId, "owner");
  const merchant = mode === "test" ? shop.merchant : { ...shop.merchant, id: shop.liveMerchantId, mode };
  const ctx = asMember({ ...shop.ctx, merchant }, member);
  return { ctx, send: (method, send) => call(method, member.token, merchant.id, send) };
}

function call(method: string, token: string, merchantId: string, { path, body, raw }: Send) {
  const headers = {
    ...pageHeaders(app, token, merchantId),
    "Idempotency-Key": `restricted-${++made}`,
    ...(raw && { "Content-Type": "image/png" }),
  };
  return apiClient(app, undefined).call(method.toUpperCase(), path, { headers, body, ...(raw && { raw }) });
}

const restrictFor = (hours: number, { ctx }: Place) => sql()`
  update users set restricted_until = now() + ${hours} * interval '1 hour' where id = ${ctx.actor.id}`;

const CASES = Object.entries(REFUSED).flatMap(([name, changes]) =>
  changes.map((change, i) => [changes.length > 1 ? `${name} (${i + 1})` : name, change] as const),
);

test.each(CASES)("in live mode a restricted account is refused %s, and 24 hours later it is not", async (name, refused) => {
  const owner = await anOwnerIn("live");
  const [method = ""] = name.split(" ");
  const request = await refused.prepare(owner);
  await restrictFor(1, owner);
  const answer = await owner.send(method, request);
  expectError(answer, "PERMISSION_DENIED");
  expect(answer.body.error.message).toMatch(IS_RESTRICTED);
  await restrictFor(-1, owner);
  // A code counts once, and the refused request has used it.
  await nextStep(owner.ctx.actor.id);
  const later = await owner.send(method, request);
  expect(later.body.error?.code ?? later.status).toBe(refused.afterwards);
});

test.each(CASES)("in test mode a restricted account is refused %s only where both modes share what it changes", async (name, refused) => {
  const owner = await anOwnerIn("test");
  const [method = ""] = name.split(" ");
  const request = await refused.prepare(owner);
  await restrictFor(1, owner);
  const { error } = (await owner.send(method, request)).body;
  expect(IS_RESTRICTED.test(error?.message ?? "")).toBe(refused.modes === "both");
});

test("in live mode a restricted account may still disable and delete an endpoint, and remove an origin, a logo and contacts", async () => {
  const owner = await anOwnerIn("live");
  const { id } = await anEndpoint(owner);
  await sql()`update merchants set embed_origins = '{https://thief.example,https://shop.example}' where id = ${shop.liveMerchantId}`;
  await restrictFor(1, owner);
  const requests: [string, Send][] = [
    ["patch", { path: `/api/v1/webhook-endpoints/${id}`, body: { status: "disabled", url: "https://shop.example/webhooks" } }],
    ["delete", { path: `/api/v1/webhook-endpoints/${id}` }],
    [
      "post",
      {
        path: "/api/dashboard/embed-origins",
        body: { origins: ["https://shop.example"], from: ["https://thief.example", "https://shop.example"] },
      },
    ],
    [
      "patch",
      {
        path: "/api/dashboard/brand",
        body: { version: await brandVersion(owner.ctx), logo: null, support_email: null, support_phone: null },
      },
    ],
  ];
  for (const [method, request] of requests) expect([request.path, (await owner.send(method, request)).status]).toEqual([request.path, 200]);
});

test("an API key that a person made earlier still works while the person is restricted", async () => {
  const owner = await anOwnerIn("live");
  const { publicKey, secretKey } = await aKey(owner);
  if (secretKey === null) throw new Error("a new key has its secret");
  await restrictFor(1, owner);
  const { status } = await apiClient(app, { publicKey, secretKey }).post("/api/v1/webhook-endpoints", {
    url: "https://shop.example/hooks",
  });
  expect(status).toBe(201);
});
