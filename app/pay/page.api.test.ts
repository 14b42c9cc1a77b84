import { beforeAll, describe, expect, test } from "vitest";
import { sql } from "#db/client.ts";
import { naira } from "#lib/money.ts";
import { aLink, hear, makeOverdue, noticeOf } from "#services/checkout/checkout.fixture.ts";
import { createPaymentLink } from "#services/checkout/index.ts";
import { setEmbedOrigins } from "#services/merchants/index.ts";
import { aMerchant, byOperator, type TestMerchant } from "#services/merchants/merchant.fixture.ts";
import { withApp } from "#testing/app.ts";
import { withDatabase } from "#testing/database.ts";
import { times, until } from "#testing/until.ts";
import { payerClient } from "./pay.fixture.ts";

withDatabase();
const app = withApp();
const { get } = payerClient(app);

let shop: TestMerchant;
beforeAll(async () => {
  shop = await aMerchant({ name: "Ada's Shop" });
});

const policyOf = (response: Response) => response.headers.get("content-security-policy") ?? "";

describe("the page", () => {
  test("is neither indexed nor cached, sets no cookie, sends no referrer and cannot be framed", async () => {
    const response = await get((await aLink(shop)).reference);
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "text/html; charset=utf-8",
      "content-language": "en",
      "referrer-policy": "no-referrer",
      "x-robots-tag": "noindex, nofollow",
      "x-frame-options": "DENY",
      "x-content-type-options": "nosniff",
      "cache-control": "no-store",
    });
    expect(response.headers.get("set-cookie")).toBeNull();
    expect(policyOf(response)).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+' 'sha256-[^']+'; script-src 'self'; .*frame-ancestors 'none'$/,
    );
    expect(policyOf(response)).not.toContain("unsafe");
    expect(await response.text()).toContain('<meta name="robots" content="noindex, nofollow"/>');
  });

  test("has no inline script, and no inline style except the stylesheet and the one line for browsers without script", async () => {
    const html = await (await get((await aLink(shop)).reference)).text();
    expect([...html.matchAll(/<script[^>]*>/g)].map(([tag]) => tag)).toEqual([
      expect.stringMatching(/^<script src="\/pay\/assets\/pay\.[0-9a-f]{12}\.js" defer="">$/),
    ]);
    expect(html.match(/<style/g)).toHaveLength(2);
    expect(html).toContain("<noscript><style>.js-slot{display:none!important}</style>");
    expect(html).not.toMatch(/ (on\w+|style)=/);
  });

  test("can be framed by the origins that the merchant lists, and gives its script these origins", async () => {
    const framed = await aMerchant();
    await setEmbedOrigins(byOperator(framed.ctx), ["https://shop.example", "https://www.shop.example"]);
    const response = await get((await aLink(framed)).reference);
    expect(policyOf(response)).toMatch(/frame-ancestors https:\/\/shop\.example https:\/\/www\.shop\.example$/);
    expect(await response.text()).toContain('data-embed="https://shop.example https://www.shop.example"');
  });

  test("the preview of a shared page names merchant and amount, but not the customer, the account number or the description", async () => {
    const { reference, accountNumber } = await aLink(shop, {
      customer_name: "Ngozi Secret",
      customer_email: "ngozi@secret.example",
      description: "Very private",
    });
    const html = await (await get(reference)).text();
    expect(html).not.toMatch(/Ngozi|ngozi@secret/);
    const tags = [...html.matchAll(/<meta property="og:[^>]+>|<meta name="twitter[^>]+>|<title>[^<]*/g)].join("\n");
    expect(tags).toContain('<meta property="og:title" content="Pay ₦5,000.00 · Ada&#x27;s Shop (test)"/>');
    expect(tags).toContain(`<meta property="og:image" content="${app.url}/pay/${reference}/preview.png"/>`);
    expect(tags).not.toMatch(new RegExp(`private|${accountNumber}`, "i"));
  });

  test("is in the browser's language, and its forms keep a language that the payer chose", async () => {
    const { reference } = await aLink(shop);
    const hausa = await get(reference, { "accept-language": "ha-NG" });
    expect(hausa.headers.get("content-language")).toBe("ha");
    expect(hausa.headers.get("vary")).toMatch(/accept-language/i);
    expect(await hausa.text()).toContain('<html lang="ha">');
    const igbo = await (await get(`${reference}?lang=ig`, { "accept-language": "ha-NG" })).text();
    expect(igbo).toContain('<html lang="ig">');
    expect(igbo).toContain(`action="/pay/${reference}/activity?lang=ig"`);
  });

  test("shows hostile text as text, without the characters that change its direction", async () => {
    const hostile = await aMerchant({ name: 'A\u202e"><script>alert(1)</script>' });
    const link = await createPaymentLink(hostile.ctx, {
      amount: naira(5_000),
      description: "\u202e\u2066</p><img src=x onerror=alert(2)>",
    });
    const html = await (await get(link.reference)).text();
    expect(html).not.toMatch(/<script>|<img src=x|[\u202a-\u202e\u2066-\u2069]/);
    expect(html).toContain("A&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;");
  });

  test("opens no account and changes no row when a payer opens it", async () => {
    const link = await aLink(shop);
    const snapshot = () => sql()`
      select (select count(*) from one_time_accounts) as accounts, (select count(*) from sandbox.bank_accounts) as opened,
        (select count(*) from payment_link_activity) as activity, (select xmin from payment_links where id = ${link.id}) as version`;
    const before = await snapshot();
    await Promise.all(times(10, () => get(link.reference)));
    expect(await snapshot()).toEqual(before);
  });

  test("takes the shop's address from the link alone, whatever its own query says", async () => {
    const link = await aLink(shop, { callback_url: "https://shop.example/thanks" });
    await hear(noticeOf(link));
    const html = await (
      await get(`${link.reference}?callback_url=https://evil.example&returnTo=https://evil.example&url=javascript:alert(1)`)
    ).text();
    expect(html).toContain(`href="https://shop.example/thanks?reference=${link.reference}&amp;status=success"`);
    expect(html).not.toMatch(/evil|javascript:/);
  });
});

test("the status is short and uncached, and its version changes with a transfer, its return and the expiry", async () => {
  const link = await aLink(shop);
  const statusOf = async () => {
    const response = await get(`${link.reference}/status`);
    const text = await response.text();
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(text.length).toBeLessThan(300);
    return JSON.parse(text);
  };
  const pending = await statusOf();
  expect(pending).toEqual({ state: "pending", version: expect.any(String), now: expect.any(Number) });
  expect((await statusOf()).version).toBe(pending.version);
  await hear(noticeOf(link, { amount: naira(1) }));
  const refused = await statusOf();
  await sql()`update bank_transfers set return_state = 'done', next_return_at = null where link_id = ${link.id}`;
  const returned = await statusOf();
  await makeOverdue(link);
  const expired = await statusOf();
  expect(new Set([pending, refused, returned, expired].map(({ version }) => version)).size).toBe(4);
  expect(expired.state).toBe("expired");
});

test("a failure of the database is a 503 in the reader's language, without details, and the reference stays out of the log", async () => {
  const { reference } = await aLink(shop);
  await sql()`alter table payment_links rename to hidden`;
  try {
    const response = await get(`${reference}?lang=pcm`);
    expect([response.status, response.headers.get("retry-after")]).toEqual([503, "5"]);
    const html = await response.text();
    expect(html).toContain("Something spoil for our side");
    expect(html).not.toMatch(/payment_links|relation|select /);
    expect((await get(`${reference}/status`)).status).toBe(503);
  } finally {
    await sql()`alter table hidden rename to payment_links`;
  }
  await until(async () => app.log().includes("a request failed"));
  expect(await app.wholeLog()).not.toContain(reference);
});
