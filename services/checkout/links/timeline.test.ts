import { beforeEach, expect, test } from "vitest";
import { withApp } from "#testing/app.ts";
import { withDatabase } from "#testing/database.ts";
import type { MemberContext, Role } from "../../context.ts";
import { aMerchant, type TestMerchant } from "../../merchants/merchant.fixture.ts";
import { anEndpoint } from "../../webhooks/webhooks.fixture.ts";
import { aLink, hear, makeOverdue, noticeOf } from "../checkout.fixture.ts";
import type { PaymentLink } from "../payment-link.ts";
import { expireLink } from "./expire-links.ts";
import { readTimeline, readTimelineForMember } from "./read-timeline.ts";

withDatabase(undefined, { OJA_ALLOW_LOOPBACK_WEBHOOKS: "1" });
withApp();

let shop: TestMerchant;
let link: PaymentLink;
beforeEach(async () => {
  shop = await aMerchant();
  await anEndpoint(shop, "http://127.0.0.1:9/first");
  await anEndpoint(shop, "http://127.0.0.1:9/second");
  link = await aLink(shop);
});

const member = (role: Role = "owner"): MemberContext => ({ ...shop.ctx, actor: { type: "member", id: "usr_1" }, role, sessionId: "ses_1" });
const timelineFor = async (role?: Role) =>
  (await readTimelineForMember(member(role), link.reference)).map((entry) => {
    if (entry.type === "event") return `event ${entry.eventType} ${entry.sequence}`;
    if (entry.type === "delivery") return `delivery ${entry.eventType} ${entry.url} ${entry.status}`;
    if (entry.type === "posting") return `posting ${entry.direction} ${entry.amount.minor}`;
    return entry.type;
  });

/** The entries of an event and of its deliveries to both endpoints. */
const told = (eventType: string, sequence: number) => [
  `event ${eventType} ${sequence}`,
  `delivery ${eventType} http://127.0.0.1:9/first pending`,
  `delivery ${eventType} http://127.0.0.1:9/second pending`,
];

test("a paid link's timeline has the transfer, the posting, the event and its deliveries, and nothing of other links", async () => {
  const others = await Promise.all(Array.from({ length: 5 }, () => aLink(shop)));
  await Promise.all([link, ...others].map((each) => hear(noticeOf(each))));
  const entries = await timelineFor();
  const sequence = Number(/event checkout\.success (\d+)/.exec(entries.join())?.[1]);
  expect(sequence).toBeGreaterThan(0);
  expect(entries.toSorted()).toEqual(["created", "transfer", "posting credit 500000", ...told("checkout.success", sequence)].toSorted());
});

test("refused transfers, a payment and a recall each have their event in the timeline, and the payment and the recall a posting", async () => {
  await hear(noticeOf(link, { amount: { ...link.amount, minor: 100n } }));
  const paid = noticeOf(link);
  await hear(paid);
  await hear({ ...paid, noticeId: "again", returnedBecause: "recalled" });
  expect((await timelineFor()).toSorted()).toEqual(
    [
      ...["created", "transfer", "transfer", "posting credit 500000", "posting debit 500000"],
      ...told("checkout.transfer_rejected", 1),
      ...told("checkout.success", 2),
      ...told("checkout.transfer_recalled", 3),
    ].toSorted(),
  );
});

test("an expired link's timeline has the event of its expiry", async () => {
  await makeOverdue(link);
  await expireLink(link.merchantId, link.id);
  expect((await timelineFor()).toSorted()).toEqual(["created", "expired", ...told("checkout.expired", 1)].toSorted());
});

test("the API's timeline has the posting, and no event or delivery", async () => {
  await hear(noticeOf(link));
  expect((await readTimeline(shop.ctx, link.reference)).map(({ type }) => type).toSorted()).toEqual(["created", "posting", "transfer"]);
});

test("a viewer sees no deliveries in the timeline, and another merchant does not find it", async () => {
  await hear(noticeOf(link));
  expect((await timelineFor("viewer")).filter((entry) => entry.startsWith("delivery"))).toEqual([]);
  const other = await aMerchant();
  await expect(readTimelineForMember({ ...member(), merchant: other.merchant }, link.reference)).rejects.toMatchObject({
    code: "RESOURCE_NOT_FOUND",
  });
});
