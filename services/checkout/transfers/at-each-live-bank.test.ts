import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import { naira } from "#lib/money.ts";
import { newLinkReference } from "#lib/references.ts";
import { withApp } from "#testing/app.ts";
import { expectInvariantsToHold, withDatabase } from "#testing/database.ts";
import { withMonnify } from "#testing/providers/monnify/simulator.ts";
import { VECTOR as MONNIFY_VECTOR } from "#testing/providers/monnify/vector.ts";
import { withPaystack } from "#testing/providers/paystack/simulator.ts";
import { VECTOR as PAYSTACK_VECTOR } from "#testing/providers/paystack/vector.ts";
import type { SentNotice } from "#testing/providers/sent-notice.ts";
import { withSquad } from "#testing/providers/squad/simulator.ts";
import { VECTOR as SQUAD_VECTOR } from "#testing/providers/squad/vector.ts";
import { times } from "#testing/until.ts";
import { systemContext } from "../../context.ts";
import { aLiveMerchant, type TestMerchant } from "../../merchants/merchant.fixture.ts";
import { aLink, makeOverdue, walletOf } from "../checkout.fixture.ts";
import { getLinkByReference } from "../links/read-links.ts";
import type { PaymentLink } from "../payment-link.ts";
import { expectPaidOnce, lastOf, makeDue, postTo, readAgain } from "./live-links.fixture.ts";
import { readDueAccounts } from "./read-accounts.ts";

// Promises about links of live mode that hold at each simulated bank, with the app and its notices over HTTP.
const [paystack, squad, monnify] = [withPaystack(), withSquad(), withMonnify()];
withDatabase();
const app = withApp();

const ctx = systemContext("test");
const KOBO = 500_000;

/** `signsWholeBody`: whether each byte of a notice counts for its signature. `signedByAnother`: a copy of a notice that another key has signed. */
const BANKS = [
  {
    ...{
      name: "paystack",
      bank: paystack,
      signsWholeBody: true,
      header: "x-paystack-signature",
      readsAt: "/transaction",
      opensAt: ["/charge"],
    },
    signedByAnother: ({ body }: SentNotice) => paystack.sign(body, "sk_test_0123456789abcdef"),
    vector: { body: PAYSTACK_VECTOR.body, signature: PAYSTACK_VECTOR.signature },
  },
  {
    ...{
      name: "squad",
      bank: squad,
      signsWholeBody: false,
      header: "x-squad-encrypted-body",
      readsAt: "/virtual-account",
      opensAt: ["/virtual-account"],
    },
    signedByAnother: ({ body }: SentNotice) => squad.sign(JSON.parse(body), "sk_of_another_business"),
    vector: { body: JSON.stringify({ ...SQUAD_VECTOR.fields, transaction_status: "SUCCESS" }), signature: SQUAD_VECTOR.signature },
  },
  {
    ...{ name: "monnify", bank: monnify, signsWholeBody: true, header: "monnify-signature", readsAt: "/api/v2/merchant" },
    opensAt: ["/api/v1/merchant/transactions", "/api/v1/merchant/bank-transfer"],
    signedByAnother: ({ body }: SentNotice) => monnify.sign(body, "the secret key of the sandbox"),
    vector: { body: MONNIFY_VECTOR.body, signature: MONNIFY_VECTOR.signature },
  },
];

describe.each(BANKS)(
  "a link of live mode at $name",
  ({ name, bank, signsWholeBody, header, readsAt, opensAt, signedByAnother, vector }) => {
    let shop: TestMerchant;
    const noticeUrl = () => `${app.url}/api/providers/${name}/notices`;
    beforeEach(async () => {
      bank.noticeUrl = noticeUrl();
      shop = await aLiveMerchant({ bank: name });
    });

    const statusOf = async ({ reference }: PaymentLink) => (await getLinkByReference(shop.ctx, reference)).status;
    const pay = ({ accountNumber }: PaymentLink, kobo = KOBO, copies = 1) => bank.pay(accountNumber, kobo, { copies });
    const post = (notice: SentNotice) => postTo(noticeUrl(), notice);

    test("is paid once by exact money, whose notice comes twenty times at once and once more", async () => {
      const link = await aLink(shop);
      await pay(link, KOBO, 20);
      await post(lastOf(bank.notices));
      await expectPaidOnce(shop, link);
    });

    test("is paid by a reading where its notice never comes, and a notice that comes hours later changes nothing", async () => {
      const link = await aLink(shop);
      bank.noticeUrl = null;
      await pay(link);
      expect(await statusOf(link)).toBe("pending");
      await readAgain(link);
      await expectPaidOnce(shop, link);
      expect((await post(lastOf(bank.notices))).status).toBe(200);
      await expectPaidOnce(shop, link);
    });

    test("is paid once where notices and readings come at the same time", async () => {
      const link = await aLink(shop);
      bank.noticeUrl = null;
      await pay(link);
      await makeDue(link);
      const notice = lastOf(bank.notices);
      await Promise.all([...times(5, () => readDueAccounts(ctx)), ...times(5, () => post(notice))]);
      await readAgain(link);
      await expectPaidOnce(shop, link);
    });

    test.each(["lost", "cut", "html", "error", "empty", "busy"] as const)("is read again after an answer that is %s", async (kind) => {
      const link = await aLink(shop);
      bank.noticeUrl = null;
      await pay(link);
      bank.wire.failNext({ path: readsAt, kind });
      await readAgain(link);
      expect(await statusOf(link)).toBe("pending");
      expect(await walletOf(shop)).toEqual(naira(0));
      await readAgain(link);
      await expectPaidOnce(shop, link);
    });

    test.each(opensAt)("whose opening was taken and the answer of %s lost gets another account, and money there pays it", async (path) => {
      const reference = newLinkReference(shop.merchant.number);
      const asked = { ...shop, ctx: { ...shop.ctx, resourceId: reference } };
      bank.wire.failNext({ path, kind: "lost" });
      await expect(aLink(asked)).rejects.toMatchObject({ code: "PROVIDER_ERROR", outcome: "unknown" });
      const links = await Promise.all(times(3, () => aLink({ ...asked, ctx: { ...asked.ctx, resumed: true } })));
      expect(new Set(links.map(({ accountNumber }) => accountNumber)).size).toBe(1);
      const link = lastOf(links);
      expect(link.reference).toBe(reference);
      await pay(link);
      await expectPaidOnce(shop, link);
    });

    test("is not made where the bank is busy, and no outcome is guessed", async () => {
      bank.wire.failNext({ path: "/", kind: "busy" });
      await expect(aLink(shop)).rejects.toMatchObject({ outcome: "unknown" });
    });

    test("is paid once, and only by what the bank signed, whatever notices come, in whatever order, changed or forged", async () => {
      /** `byte`: a character `at` some place of the body or the signature is another one. */
      const aDelivery = fc.record({
        which: fc.nat(),
        how: fc.constantFrom("as sent", "as sent", "byte of the body", "byte of the signature", "another key", "vector"),
        at: fc.nat(),
        by: fc.integer({ min: 1, max: 15 }),
      });
      const toSend = (
        notices: SentNotice[],
        { which, how, at, by }: typeof aDelivery extends fc.Arbitrary<infer D> ? D : never,
      ): SentNotice => {
        const sent = lastOf(notices.slice(0, (which % notices.length) + 1));
        const { headers, body } = sent;
        switch (how) {
          case "as sent":
            return sent;
          case "byte of the body":
            return { headers, body: withAnotherCharacter(body, at, by) };
          case "byte of the signature":
            return { headers: { ...headers, [header]: withAnotherDigit(headers[header] ?? "", at, by) }, body };
          case "another key":
            return signedByAnother(sent);
          case "vector":
            return { headers: { ...headers, [header]: vector.signature }, body: vector.body };
        }
      };
      await fc.assert(
        fc.asyncProperty(fc.array(aDelivery, { maxLength: 12 }), fc.integer({ min: 1, max: 4 }), async (deliveries, atOnce) => {
          shop = await aLiveMerchant({ bank: name });
          const [link, late] = [await aLink(shop), await aLink(shop)];
          const notices = await recordNotices(link, late);
          const exact = notices.exact;
          const statuses: number[] = [];
          for (let from = 0; from < deliveries.length; from += atOnce) {
            const batch = deliveries.slice(from, from + atOnce);
            statuses.push(...(await Promise.all(batch.map(async (one) => (await post(toSend(notices.all, one))).status))));
          }
          deliveries.forEach(({ how }, i) => {
            if (how === "as sent") expect(statuses[i]).toBe(200);
            else if (how !== "byte of the body" || signsWholeBody) expect(statuses[i]).toBe(401);
          });
          const wasTold = deliveries.some((one) => one.how === "as sent" && toSend(notices.all, one) === exact);
          if (wasTold) expect(await walletOf(shop)).toEqual(naira(5_000));
          if (!statuses.includes(200)) expect(await walletOf(shop)).toEqual(naira(0));
          await readAgain(link);
          await readAgain(late);
          for (const notice of notices.all.toReversed()) await post(notice);
          expect(await statusOf(late)).toBe("expired");
          expect(await statusOf(link)).toBe("success");
          expect(await walletOf(shop)).toEqual(naira(5_000));
          await expectInvariantsToHold();
        }),
        { numRuns: 15 },
      );
    });

    /** Has payers send less, exactly, and exactly once more to a link, and money to another one that has ended. Returns what the bank would tell. */
    async function recordNotices(link: PaymentLink, late: PaymentLink) {
      bank.noticeUrl = null;
      bank.notices.splice(0);
      await pay(link, KOBO - 1);
      await pay(link);
      const exact = lastOf(bank.notices);
      await pay(link);
      await makeOverdue(late);
      bank.books.endTime(late.reference);
      await pay(late);
      return { all: [...bank.notices], exact };
    }
  },
);

const HEX = "0123456789abcdef";

function withAnotherDigit(signature: string, at: number, by: number): string {
  const place = at % signature.length;
  const digit = HEX[(HEX.indexOf(signature.charAt(place)) + by) % HEX.length] ?? "";
  return signature.slice(0, place) + digit + signature.slice(place + 1);
}

function withAnotherCharacter(body: string, at: number, by: number): string {
  const place = at % body.length;
  const character = String.fromCharCode(32 + ((body.charCodeAt(place) - 32 + by) % 95));
  return body.slice(0, place) + character + body.slice(place + 1);
}
