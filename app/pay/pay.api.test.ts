import sharp from "sharp";
import { beforeAll, describe, expect, test } from "vitest";
import { sql } from "#db/client.ts";
import { newReference } from "#lib/ids.ts";
import { aLink, aLiveReference, copyTransfersToLive, hear, makeOverdue, noticeOf } from "#services/checkout/checkout.fixture.ts";
import { createPaymentLink } from "#services/checkout/index.ts";
import { setBrand, setEmbedOrigins } from "#services/merchants/index.ts";
import { aMerchant, type TestMerchant } from "#services/merchants/merchant.fixture.ts";
import { apiClient, expectError } from "#testing/api.ts";
import { withApp } from "#testing/app.ts";
import { withDatabase } from "#testing/database.ts";
import { times, until } from "#testing/until.ts";
import { qrPath } from "./qr-path.ts";

withDatabase();
// Every request here comes from one address; those of guessers come by a proxy that is trusted.
const app = withApp({ TRUSTED_PROXIES: "127.0.0.1" });

let shop: TestMerchant;
beforeAll(async () => {
  shop = await aMerchant({ name: "Ada's Shop" });
});

const get = (path: string, headers: Record<string, string> = {}) => fetch(`${app.url}/pay/${path}`, { headers, redirect: "manual" });
const post = (path: string, form: Record<string, string>, headers: Record<string, string> = {}) =>
  fetch(`${app.url}/pay/${path}`, { method: "POST", body: new URLSearchParams(form), headers, redirect: "manual" });
const policyOf = (response: Response) => response.headers.get("content-security-policy") ?? "";

describe("the page", () => {
  test("is noindex, uncached, without cookie or referrer, and may be framed by nobody", async () => {
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
    expect(policyOf(response)).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'; script-src 'self'; .*frame-ancestors 'none'$/);
    expect(policyOf(response)).not.toContain("unsafe");
    expect(await response.text()).toContain('<meta name="robots" content="noindex, nofollow"/>');
  });

  test("has no inline script or style but the one stylesheet of the policy", async () => {
    const html = await (await get((await aLink(shop)).reference)).text();
    expect([...html.matchAll(/<script[^>]*>/g)].map(([tag]) => tag)).toEqual([
      expect.stringMatching(/^<script src="\/pay\/assets\/pay\.[0-9a-f]{12}\.js" defer="">$/),
    ]);
    expect(html.match(/<style/g)).toHaveLength(1);
    expect(html).not.toMatch(/ (on\w+|style)=/);
  });

  test("may be framed by the origins that the merchant lists, and its script knows them", async () => {
    const framed = await aMerchant();
    await setEmbedOrigins(framed.ctx, ["https://shop.example", "https://www.shop.example"]);
    const response = await get((await aLink(framed)).reference);
    expect(policyOf(response)).toMatch(/frame-ancestors https:\/\/shop\.example https:\/\/www\.shop\.example$/);
    expect(await response.text()).toContain('data-embed="https://shop.example https://www.shop.example"');
  });

  test("previews as merchant and amount: no name of the customer, account, description or reference but in its address", async () => {
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

  test("is read in the browser's language, and its forms keep one that was chosen", async () => {
    const { reference } = await aLink(shop);
    const hausa = await get(reference, { "accept-language": "ha-NG" });
    expect(hausa.headers.get("content-language")).toBe("ha");
    expect(hausa.headers.get("vary")).toMatch(/accept-language/i);
    expect(await hausa.text()).toContain('<html lang="ha">');
    const igbo = await (await get(`${reference}?lang=ig`, { "accept-language": "ha-NG" })).text();
    expect(igbo).toContain('<html lang="ig">');
    expect(igbo).toContain(`action="/pay/${reference}/activity?lang=ig"`);
  });

  test("shows hostile text as text, whose direction ends where it ends", async () => {
    const hostile = await aMerchant({ name: 'A\u202e"><script>alert(1)</script>' });
    const link = await createPaymentLink(hostile.ctx, {
      amount: { minor: 500_000n, currency: "NGN" },
      description: "\u202e\u2066</p><img src=x onerror=alert(2)>",
    });
    const html = await (await get(link.reference)).text();
    expect(html).not.toMatch(/<script>|<img src=x|[\u202a-\u202e\u2066-\u2069]/);
    expect(html).toContain("A&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;");
  });

  test("opening it allocates nothing and changes nothing", async () => {
    const link = await aLink(shop);
    const snapshot = () => sql()`
      select (select count(*) from one_time_accounts) as accounts, (select count(*) from sandbox.bank_accounts) as opened,
        (select count(*) from payment_link_activity) as activity, (select xmin from payment_links where id = ${link.id}) as version`;
    const before = await snapshot();
    await Promise.all(times(10, () => get(link.reference)));
    expect(await snapshot()).toEqual(before);
  });

  test("takes its shop's address from the link alone, whatever its own address says", async () => {
    const link = await aLink(shop, { callback_url: "https://shop.example/thanks" });
    await hear(noticeOf(link));
    const html = await (
      await get(`${link.reference}?callback_url=https://evil.example&returnTo=https://evil.example&url=javascript:alert(1)`)
    ).text();
    expect(html).toContain(`href="https://shop.example/thanks?reference=${link.reference}&amp;status=success"`);
    expect(html).not.toMatch(/evil|javascript:/);
  });
});

describe("what a payer must not be told", () => {
  const isShown = (html: string, id: string) => new RegExp(`id="${id}"(?![^>]* hidden="")`).test(html);
  const pageOf = async ({ reference }: { reference: string }) => (await get(reference)).text();
  const sayHow = (reference: string, seen: number) => post(`${reference}/activity`, { kind: "sent", seen: String(seen) });
  const wrong = { amount: { minor: 400_000n, currency: "NGN" as const } };

  test("to send and not to send at once: who says 'sent' of money that came wrong is told of that alone", async () => {
    const link = await aLink(shop);
    await hear(noticeOf(link, wrong));
    await sayHow(link.reference, 0);
    const html = await pageOf(link);
    expect(html).toContain("To pay, transfer exactly ₦5,000.00.");
    expect(isShown(html, "sent")).toBe(false);
    await sayHow(link.reference, 1);
    expect(isShown(html, "exactly")).toBe(true);
    const checking = await pageOf(link);
    expect([isShown(checking, "sent"), isShown(checking, "exactly")]).toEqual([true, false]);
    // What an older tab says, and what nobody can have seen, changes nothing.
    await sayHow(link.reference, 0);
    expect(isShown(await pageOf(link), "sent")).toBe(true);
    await sayHow(link.reference, 99);
    await hear(noticeOf(link, wrong));
    expect(isShown(await pageOf(link), "sent")).toBe(false);
  });

  test("to pay again while what they sent may still arrive: an expired link goes on checking", async () => {
    const link = await aLink(shop);
    await sayHow(link.reference, 0);
    await makeOverdue(link);
    const html = await pageOf(link);
    expect(html).toContain("This payment has expired");
    expect(isShown(html, "sent")).toBe(true);
    expect(html).toContain("If you have not sent the money, ask ");
    expect(html).toContain('http-equiv="refresh" content="30"');
    const other = await aLink(shop);
    await makeOverdue(other);
    expect(isShown(await pageOf(other), "sent")).toBe(false);
  });

  test("that money which the bank still has is back already", async () => {
    const link = await aLink(shop);
    await hear(noticeOf(link, wrong));
    const [owed] = await sql()`select return_state from bank_transfers where link_id = ${link.id}`;
    expect(owed).toEqual({ return_state: "owed" });
    expect(await pageOf(link)).toContain("The bank has been told to send your money back");
    await sql()`update bank_transfers set return_state = 'done', next_return_at = null where link_id = ${link.id}`;
    expect(await pageOf(link)).toContain("The bank has sent your money back");
  });

  test("nothing, of money that has come to a merchant who is suspended since", async () => {
    const suspended = await aMerchant();
    const link = await aLink(suspended);
    await hear(noticeOf(link, wrong));
    await sql()`update merchants set status = 'suspended' where id = ${suspended.merchant.id}`;
    const html = await pageOf(link);
    expect(html).toContain("This payment cannot be taken now");
    expect(html).toContain("₦4,000.00 came, which is less than ₦5,000.00.");
    expect(html).toContain("If you have sent it already, this page will say what became of it.");
    expect(html).not.toContain(link.accountNumber);
  });

  test("to go back to the shop by itself in test mode, or where they have paid twice or would rather stay", async () => {
    const link = await aLink(shop, { callback_url: "https://shop.example/thanks" });
    await hear(noticeOf(link));
    const refresh = 'http-equiv="refresh" content="20;url=https://shop.example/thanks';
    expect(await pageOf(link)).not.toContain("refresh");
    const live = { reference: await aLiveReference(shop, link) };
    expect(await pageOf(live)).toContain(refresh);
    expect(await (await get(`${live.reference}?stay=1`)).text()).not.toContain("refresh");
    await hear(noticeOf(link));
    await copyTransfersToLive(shop, link);
    const twice = await pageOf(live);
    expect(twice).toContain("₦5,000.00 came a second time.");
    expect(twice).not.toContain("refresh");
    expect(twice).toContain('data-automatic="no"');
  });

  test("to pay what is paid: a shared receipt previews as merchant and amount", async () => {
    const link = await aLink(shop);
    await hear(noticeOf(link));
    expect(await pageOf(link)).toContain('<meta property="og:title" content="₦5,000.00 · Ada&#x27;s Shop (test)"/>');
  });
});

describe("the status", () => {
  test("is short, uncached, and its version changes with whatever the page shows", async () => {
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
    await hear(noticeOf(link, { amount: { minor: 1_00n, currency: "NGN" } }));
    const refused = await statusOf();
    await sql()`update bank_transfers set return_state = 'done', next_return_at = null where link_id = ${link.id}`;
    const returned = await statusOf();
    await makeOverdue(link);
    const expired = await statusOf();
    expect(new Set([pending, refused, returned, expired].map(({ version }) => version)).size).toBe(4);
    expect(expired.state).toBe("expired");
  });
});

describe("activity", () => {
  const kindsOf = async (id: string) =>
    (await sql()`select kind from payment_link_activity where link_id = ${id} order by kind`).map(({ kind }) => kind);

  test("of a script is noted without an answer to read", async () => {
    const link = await aLink(shop);
    const answers = await Promise.all(times(5, () => post(`${link.reference}/activity`, { kind: "copied" })));
    expect(answers.map(({ status }) => status)).toEqual([204, 204, 204, 204, 204]);
    expect(await kindsOf(link.id)).toEqual(["opened", "copied"]);
  });

  test("of the form leads back to the page, in the language that was chosen, which then says that we check", async () => {
    const link = await aLink(shop);
    const response = await post(`${link.reference}/activity?lang=pcm`, { kind: "sent" }, { accept: "text/html" });
    expect([response.status, response.headers.get("location")]).toEqual([303, `/pay/${link.reference}?lang=pcm`]);
    expect(await (await get(link.reference)).text()).toMatch(/<section id="sent" tabindex="-1" aria-label/);
  });

  test("leads nowhere else, whatever the address says", async () => {
    const link = await aLink(shop);
    const response = await post(`${link.reference}/activity?lang=//evil.example`, { kind: "sent" }, { accept: "text/html" });
    expect(response.headers.get("location")).toBe(`/pay/${link.reference}?lang=%2F%2Fevil.example`);
  });

  test.each([{}, { kind: "refund" }, { kind: "opened".repeat(500) }])("that nobody knows (%j) is noted nowhere", async (form) => {
    const link = await aLink(shop);
    expect((await post(`${link.reference}/activity`, form)).status).toBe(404);
    expect(await kindsOf(link.id)).toEqual([]);
  });

  test("stands in the merchant's timeline, and in nobody else's", async () => {
    const link = await aLink(shop);
    const opened = await post(`${link.reference}/status`, {});
    expect(await opened.json()).toMatchObject({ state: "pending" });
    await post(`${link.reference}/activity`, { kind: "sent" });
    const path = `/api/v1/checkout/timeline?reference=${link.reference}`;
    const { status, body } = await apiClient(app, shop.key).get(path);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      success: true,
      reference: link.reference,
      data: [{ type: "created" }, { type: "opened", times: 1 }, { type: "sent" }],
    });
    const other = await aMerchant();
    expectError(await apiClient(app, other.key).get(path), "RESOURCE_NOT_FOUND");
    expectError(await apiClient(app, shop.key).get("/api/v1/checkout/timeline"), "VALIDATION_ERROR");
  });
});

describe("the simulate buttons", () => {
  test("do what they say, and lead back to the page", async () => {
    const link = await aLink(shop);
    const response = await post(`${link.reference}/simulate?lang=yo`, { what: "exact" });
    expect([response.status, response.headers.get("location")]).toEqual([303, `/pay/${link.reference}?lang=yo`]);
    expect((await (await get(`${link.reference}/status`)).json()).state).toBe("success");
  });

  test("do not exist in live mode, nor do its sights", async () => {
    const link = await aLink(shop);
    const reference = await aLiveReference(shop, link);
    expect((await post(`${reference}/simulate`, { what: "exact" })).status).toBe(404);
    const html = await (await get(`${reference}?simulate=suspended`)).text();
    expect(html).toContain("Transfer exactly");
    expect(html).not.toMatch(/Simulate|Test mode/);
    expect((await get(`${reference}/status?simulate=no-answer`)).status).toBe(200);
  });

  test("are pressed on our own page alone, and no more than twenty times", async () => {
    const link = await aLink(shop);
    const press = (site: string) => post(`${link.reference}/simulate`, { what: "under" }, { "sec-fetch-site": site });
    for (const site of ["cross-site", "same-site", "none"]) expect((await press(site)).status).toBe(404);
    for (let i = 0; i < 22; i++) expect((await press("same-origin")).status).toBe(303);
    expect(await sql()`select 1 from bank_transfers where link_id = ${link.id}`).toHaveLength(20);
  });

  test("and every form: where it was sent to, a reload leads back to the page, whether there is one or not", async () => {
    for (const path of ["activity", "simulate"]) {
      const reference = newReference();
      const response = await get(`${reference}/${path}?lang=ha`);
      expect([response.status, response.headers.get("location")]).toEqual([303, `/pay/${reference}?lang=ha`]);
    }
  });

  test("what nobody knows is not simulated", async () => {
    const link = await aLink(shop);
    expect((await post(`${link.reference}/simulate`, { what: "constructor" })).status).toBe(404);
  });
});

describe("the QR code", () => {
  test("leads to the page, and says nothing of whether there is one", async () => {
    for (const reference of [(await aLink(shop)).reference, newReference()]) {
      const response = await get(`${reference}/qr.svg`);
      expect(response.headers.get("content-type")).toBe("image/svg+xml");
      const { path } = qrPath(`${app.url}/pay/${reference}`);
      expect(await response.text()).toContain(`d="${path}"`);
    }
    for (const reference of ["x", "%3Cscript%3E", "A".repeat(41)]) expect((await get(`${reference}/qr.svg`)).status).toBe(404);
  });

  test("stands on a paid page, for paper, and is left to wide screens on any other", async () => {
    const link = await aLink(shop);
    const { path } = qrPath(`${app.url}/pay/${link.reference}`);
    const pending = await (await get(link.reference)).text();
    expect(pending).not.toContain(path);
    expect(pending).toContain(`<source media="(min-width: 64rem)" srcSet="/pay/${link.reference}/qr.svg"/>`);
    await hear(noticeOf(link));
    expect(await (await get(link.reference)).text()).toContain(path);
  });
});

describe("the preview image and the logo", () => {
  test("the image is a PNG of the size that messengers want, and cheap to send", async () => {
    const response = await get(`${(await aLink(shop)).reference}/preview.png`);
    const bytes = new Uint8Array(await response.arrayBuffer());
    expect(response.headers.get("content-type")).toBe("image/png");
    expect(await sharp(bytes).metadata()).toMatchObject({ format: "png", width: 1_200, height: 630 });
    expect(bytes.byteLength).toBeLessThan(100_000);
  });

  test("it shows merchant and amount: two links that differ in all else have the same picture, and those two change it", async () => {
    const pictureOf = async (merchant: TestMerchant, fields: Record<string, unknown>) =>
      Buffer.from(await (await get(`${(await aLink(merchant, fields)).reference}/preview.png`)).arrayBuffer()).toString("base64");
    const other = await aMerchant({ name: "Bola's Shop" });
    const one = await pictureOf(shop, { description: "one", customer_name: "Ngozi" });
    expect(await pictureOf(shop, { description: "two", customer_name: "Emeka" })).toBe(one);
    expect(await pictureOf(shop, { amount: 5_001 })).not.toBe(one);
    expect(await pictureOf(other, {})).not.toBe(one);
  });

  test.each(["👩🏾‍🌾👩🏾‍🌾", "<b>&amp;</b> \u0000 ]]>", "مطعم", "x".repeat(100)])("a business called %j has one too", async (name) => {
    const merchant = await aMerchant();
    await sql()`update businesses set name = ${name.replace("\u0000", "")} where id = ${merchant.merchant.businessId}`;
    expect((await get(`${(await aLink(merchant)).reference}/preview.png`)).status).toBe(200);
  });

  test("a logo is on the page, is kept for ever by browsers, and no other file is there", async () => {
    const branded = await aMerchant();
    await setBrand(
      { ...branded.ctx, businessId: branded.merchant.businessId },
      {
        logo: await sharp({ create: { width: 90, height: 90, channels: 3, background: "#123456" } })
          .png()
          .toBuffer(),
      },
    );
    const html = await (await get((await aLink(branded)).reference)).text();
    const path = /<img src="\/pay\/(logos\/[0-9a-f]{32}\.webp)"/.exec(html)?.[1] ?? "";
    const response = await get(path);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "image/webp",
      "cache-control": "public, max-age=31536000, immutable",
    });
    for (const other of ["logos/x.webp", `logos/${"0".repeat(32)}.webp`, path.replace("webp", "png")])
      expect((await get(other)).status).toBe(404);
  });
});

describe("guessing references", () => {
  const from = (address: string) => ({ "x-forwarded-for": address });

  test("answers the same for what is malformed, unknown and of nobody", async () => {
    const bodies = await Promise.all(
      ["x", newReference(), "%00", "../../etc", newReference().toLowerCase()].map(async (reference) => {
        const response = await get(encodeURIComponent(reference), from("198.51.100.1"));
        return `${response.status} ${await response.text()}`;
      }),
    );
    expect(new Set(bodies).size).toBe(1);
    expect(bodies[0]).toMatch(/^404 /);
  });

  /** Guesses until the address is refused, as it then is for a moment. Returns how many guesses were answered. */
  const exhaust = async (guesser: Record<string, string>) => {
    for (let answered = 0; answered < 400; answered++) {
      const { status } = await get(newReference(), guesser);
      if (status === 429) return answered;
      expect(status).toBe(404);
    }
    throw new Error("never refused");
  };

  test("30 unknown references from one address are refused, on every route, and a known one still opens", async () => {
    const guesser = from("198.51.100.2");
    expect(await exhaust(guesser)).toBeGreaterThanOrEqual(30);
    const { reference } = await aLink(shop);
    for (const path of ["", "/status", "/preview.png"]) {
      const refused = await until(async () => {
        const response = await get(`${newReference()}${path}`, guesser);
        return response.status === 429 && response;
      });
      expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
      if (path === "") expect(await refused.text()).toContain("Too many tries");
      expect((await get(`${reference}${path}`, guesser)).status).toBe(200);
    }
    for (const path of ["activity", "simulate"]) {
      await until(async () => (await post(`${newReference()}/${path}`, { kind: "opened", what: "exact" }, guesser)).status === 429);
    }
    expect((await post(`${reference}/activity`, { kind: "opened" }, guesser)).status).toBe(204);
  });

  test("a hundred unknown references at once have the address refused after them", async () => {
    const guesser = from("198.51.100.6");
    await Promise.all(times(100, () => get(newReference(), guesser)));
    // A guess that is answered takes the token that the address was given since.
    await until(async () => (await get(newReference(), guesser)).status === 429);
  });

  test("is what payers do not do, however many open their pages at once behind one address", async () => {
    const many = from("198.51.100.7");
    const { reference } = await aLink(shop);
    const statuses = await Promise.all(times(200, () => get(reference, many).then(({ status }) => status)));
    expect(statuses.filter((status) => status !== 200)).toEqual([]);
  });

  test("from all over one IPv6 network is guessing from one place", async () => {
    const statuses: number[] = [];
    for (let i = 0; i < 60; i++) statuses.push((await get(newReference(), from(`2001:db8:1:2::${i.toString(16)}`))).status);
    expect(statuses).toContain(429);
    expect((await get(newReference(), from("2001:db8:1:3::1"))).status).toBe(404);
  });

  test("of a neighbour behind the same address keeps nobody from a page, opened before or not; it ends with time", async () => {
    const [open, ...fresh] = [await aLink(shop), await aLink(shop), await aLink(shop)];
    const shared = from("198.51.100.3");
    expect((await get(open.reference, shared)).status).toBe(200);
    const guesses = times(200, () => get(newReference(), shared));
    const opened = [open, ...fresh].map(({ reference }) => get(reference, shared));
    for (const response of await Promise.all(opened)) expect(response.status).toBe(200);
    await Promise.all(guesses);
    expect((await get(newReference(), from("198.51.100.4"))).status).toBe(404);
    await until(async () => (await get(newReference(), shared)).status === 404);
  });

  test("by way of any route with whatever form is refused too", async () => {
    const guesser = from("198.51.100.5");
    const guess = newReference();
    for (const path of ["activity", "simulate"])
      for (const form of [{}, { kind: "opened" }, { what: "exact" }, { kind: "x", what: "x" }])
        expect((await post(`${guess}/${path}`, form, guesser)).status).toBe(404);
    await exhaust(guesser);
    for (const path of ["", "/status"]) await until(async () => (await get(`${guess}${path}`, guesser)).status === 429);
  });

  test("by many of one link from one address leaves its payer at another the page", async () => {
    const { reference } = await aLink(shop);
    const greedy = times(900, () => get(`${reference}/status`, from("198.51.100.8")));
    for (let i = 0; i < 10; i++) expect((await get(reference, from("198.51.100.9"))).status).toBe(200);
    expect((await Promise.all(greedy)).some(({ status }) => status === 429)).toBe(true);
  });
});

test("a failure of ours is said in the reader's language, tells nothing, and keeps the reference out of the log", async () => {
  const { reference } = await aLink(shop);
  await sql()`alter table payment_references rename to hidden`;
  try {
    const response = await get(`${reference}?lang=pcm`);
    expect([response.status, response.headers.get("retry-after")]).toEqual([503, "5"]);
    const html = await response.text();
    expect(html).toContain("Something spoil for our side");
    expect(html).not.toMatch(/payment_references|relation|select /);
    expect((await get(`${reference}/status`)).status).toBe(503);
  } finally {
    await sql()`alter table hidden rename to payment_references`;
  }
  await until(async () => app.log().includes("a request failed"));
  expect(app.log()).not.toContain(reference);
});
