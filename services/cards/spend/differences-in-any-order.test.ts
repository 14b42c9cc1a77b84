import fc from "fast-check";
import { beforeEach, expect, test } from "vitest";
import { sql } from "#db/client.ts";
import { dollars, money, naira } from "#lib/money.ts";
import { withApp } from "#testing/app.ts";
import { withCardSweeps } from "#testing/card-sweeps.ts";
import { expectInvariantsToHold, withDatabase } from "#testing/database.ts";
import { decidedByTwo } from "../../approved.fixture.ts";
import { systemContext } from "../../context.ts";
import type { TestMerchant } from "../../merchants/merchant.fixture.ts";
import type { Cardholder } from "../cardholder.ts";
import { aCard, aCardMerchant, addToWallet, anApprovedCardholder, operationRow, readTestCard } from "../cards.fixture.ts";
import { syncCard } from "../sync/sync-cards.ts";
import { koboIn } from "./books.fixture.ts";
import { aLostOperation, correct, endRechecks, listSpend, RATE, setOneRate, terminateReturning } from "./differences.fixture.ts";
import { releaseExpiredAuthorizations } from "./release-expired.ts";
import { resolveItem } from "./resolve-item.ts";

withDatabase();
withApp();
withCardSweeps();

/** Spend of one card. Amounts are in US cents. */
interface Spend {
  type: "CLEARING" | "REFUND" | "AUTHORIZATION";
  cents: bigint;
  /** The part of an authorization that a shop clears. The rest is reversed, or it expires. */
  cleared?: bigint;
  expires?: boolean;
  /** When it takes place at the issuer. An authorization of before the end is open then, and is cleared and reversed after it. */
  when: "before" | "after";
  /** When the books first hear of it: before the end, or while the termination has no answer. Without it, after the end. */
  isKnown?: "before" | "during";
}

/** The life of a card of $20 whose issuer lost a funding and an unload here, executed both, and was then asked to terminate the card. */
interface Life {
  funding: bigint;
  unload: bigint;
  spend: Spend[];
}

/** What the issuer tells us next: of the funding, of the unload, or of the spend with a number. Or what happens here. */
type Step = "fund" | "unload" | number | "sync" | "credit" | "dismiss";

let shop: TestMerchant;
let cardholder: Cardholder;

const openItems = (cardId: string) =>
  sql()<{ id: string; open: bigint }[]>`select id, open from suspense_items where card_id = ${cardId} and open <> 0`;

beforeEach(async () => {
  shop = await aCardMerchant();
  await setOneRate(shop);
  cardholder = await anApprovedCardholder(shop);
});

const _leftOf = ({ cents, cleared = 0n }: Spend) => (cents > cleared ? cents - cleared : 0n);
const finalEffect = (spend: Spend) =>
  spend.type === "REFUND" ? spend.cents : -(spend.type === "CLEARING" ? spend.cents : (spend.cleared ?? 0n));
/** What spend of before the end had changed at the issuer by then. */
const effectAtEnd = (spend: Spend) => (spend.type === "AUTHORIZATION" ? -spend.cents : finalEffect(spend));
const sumOf = (spend: Spend[], effect: (spend: Spend) => bigint) => spend.reduce((sum, each) => sum + effect(each), 0n);
const wasBefore = ({ when }: Spend) => when === "before";

const returnedIn = ({ funding, unload, spend }: Life) => dollars(20).minor + funding - unload + sumOf(spend.filter(wasBefore), effectAtEnd);

/** Lives a life, in the order of the steps; the issuer tells the rest at the end. Returns US cents: how the wallet has changed, beyond the cost of the funding. */
async function live(life: Life, steps: Step[], { retells }: { retells: boolean }): Promise<bigint> {
  await addToWallet(shop, naira(100_000));
  const card = await aCard(shop, { balance: 20, cardholder });
  const now = () => readTestCard(shop, card.id);
  const funding = life.funding > 0n && (await aLostOperation(shop, card, { type: "fund", cents: life.funding }));
  const unload = life.unload > 0n && (await aLostOperation(shop, card, { type: "unload", cents: life.unload }));
  const atFirst = await koboIn(shop);
  const tellings = life.spend.map((spend) => tellingOf(card, spend));
  const tellKnown = async (by: Spend["isKnown"]) => {
    for (const [n, { isKnown }] of life.spend.entries()) if (isKnown === by) await tellings[n]?.shift()?.();
  };
  await tellKnown("before");
  await terminateReturning(shop, card, money(returnedIn(life), "USD"), () => tellKnown("during"));
  const told: Record<string, () => Promise<unknown>> = {
    fund: async () => funding && correct(shop, funding, null),
    unload: async () => unload && correct(shop, unload, money(life.unload, "USD")),
    sync: async () => syncCard(await now()),
    credit: () => resolveAll("credit"),
    dismiss: () => resolveAll("dismiss"),
  };
  // An operator can resolve a difference only after the re-checks; the issuer's late answers may come even then.
  const resolveAll = async (word: "credit" | "dismiss") => {
    await endRechecks(card);
    for (const { id, open } of await openItems(card.id))
      await decidedByTwo((by) => resolveItem(by, id, open < 0n ? "dismiss" : word, "The issuer wrote to us."));
  };
  for (const step of steps) await (typeof step === "number" ? tellings[step]?.shift()?.() : told[step]?.());
  for (const telling of tellings) for (const tell of telling) await tell();
  // Twice, because an unload may have to wait for the funding that covers it, and an expired hold until it is passed on.
  for (let n = 0; n < 2; n++) {
    await told.fund?.();
    // Without `retells`, only where a re-check asks for it.
    if (retells || !unload || (await operationRow(shop, unload.id)).recheckAt !== null) await told.unload?.();
    await told.sync?.();
    await releaseExpiredAuthorizations(systemContext("test"));
    await told.sync?.();
  }
  expect((await now()).balance).toEqual(dollars(0));
  expect(await openItems(card.id)).toEqual([]);
  const cost = funding ? (await operationRow(shop, funding.id)).walletAmount : 0n;
  return ((await koboIn(shop)) - atFirst + cost) / RATE;
}

/** Returns, in their order, the rows by which an issuer lists one spend. */
function tellingOf(card: Parameters<typeof listSpend>[1], { type, cents, cleared = 0n, expires = false }: Spend): (() => Promise<void>)[] {
  let name = "";
  const first = async () => {
    name = await listSpend(shop, card, { type, cents });
  };
  if (type !== "AUTHORIZATION") return [first];
  const left = cents > cleared ? cents - cleared : 0n;
  const rest = async () => {
    if (!expires) await listSpend(shop, card, { type: "REVERSAL", cents: left, of: name });
    else {
      await sql()`update card_transactions set occurred_at = occurred_at - interval '30 days' where provider_transaction_id = ${name}`;
      await releaseExpiredAuthorizations(systemContext("test"));
    }
  };
  const clear = async () => void (await listSpend(shop, card, { type: "CLEARING", cents: cleared, of: name }));
  return [first, ...(cleared > 0n ? [clear] : []), ...(left > 0n ? [rest] : [])];
}

/** What the issuer returned, what the unload took, and what happened after the end. */
const trueWallet = ({ spend, ...life }: Life) =>
  returnedIn({ spend, ...life }) +
  life.unload +
  sumOf(spend, (each) => (wasBefore(each) ? finalEffect(each) - effectAtEnd(each) : finalEffect(each)));

async function expectTruth(life: Life, steps: Step[], { retells = false } = {}): Promise<void> {
  expect(await live(life, steps, { retells })).toBe(trueWallet(life));
  await expectInvariantsToHold();
}

const $ = (amount: number) => dollars(amount).minor;

test.each<[promise: string, wallet: number, life: Life, orders: Step[][]]>([
  [
    "a late unload finds the dollars that a late funding had put on the card",
    30,
    { funding: $(10), unload: $(5), spend: [] },
    [
      ["fund", "sync", "unload"],
      ["fund", "unload"],
      ["unload", "fund"],
      ["unload", "sync", "fund", "sync"],
    ],
  ],
  [
    "a clearing from before the end is paid from the remaining money, including a late funding and a late unload",
    20,
    { funding: $(4), unload: $(4), spend: [{ type: "CLEARING", cents: $(4), when: "before" }] },
    [
      ["fund", "unload", "sync", 0],
      [0, "sync", "fund", "sync", "unload"],
      [0, "sync", "fund", "unload"],
      ["unload", 0, "sync", "fund"],
      // The re-checks are over, so the unload does not wait for the funding, and the wallet pays for the clearing until the funding comes.
      [0, "sync", "dismiss", "unload", "sync", "fund"],
    ],
  ],
  [
    "a late unload that a refund would cover waits until the refund is passed on",
    28,
    { funding: $(5), unload: $(10), spend: [{ type: "REFUND", cents: $(3), when: "before" }] },
    [
      [0, "fund", "unload"],
      ["fund", 0, "unload"],
      ["unload", 0, "fund"],
      [0, "sync", "fund", "unload"],
    ],
  ],
  [
    "a refund after the end does not use up the returned dollars of a late funding",
    23,
    { funding: $(1), unload: 0n, spend: [{ type: "REFUND", cents: $(2), when: "after" }] },
    [
      [0, "sync", "fund"],
      ["fund", "sync", 0],
      [0, "fund"],
    ],
  ],
  [
    "a reversal after the end does not use up the returned dollars of a late funding, whether an operator has credited them or not",
    29,
    { funding: $(9), unload: 0n, spend: [{ type: "AUTHORIZATION", cents: $(6), when: "before", isKnown: "before" }] },
    [
      [0, "sync", "fund"],
      ["fund", "sync", 0],
      ["credit", 0, "sync", "fund"],
      ["dismiss", 0, "sync", "fund"],
    ],
  ],
  [
    "a refund that an unload seemed to have taken is given back by the funding",
    30,
    { funding: $(5), unload: $(5), spend: [{ type: "REFUND", cents: $(5), when: "after" }] },
    [
      [0, "sync", "unload", "sync", "fund", "sync"],
      [0, "sync", "credit", "unload", "sync", "fund", "sync"],
      ["fund", "sync", 0, "sync", "unload"],
    ],
  ],
  [
    "a clearing that a late funding covers leaves room for the unload",
    20,
    { funding: $(4), unload: $(4), spend: [{ type: "CLEARING", cents: $(4), when: "before" }] },
    [
      ["fund", 0, "sync", "unload", "sync"],
      ["fund", "sync", 0, "sync", "unload", "sync"],
    ],
  ],
  [
    "a refund that made up for missing money goes to the wallet once a late funding has made up for it",
    8,
    {
      funding: $(10),
      unload: 0n,
      spend: [
        { type: "CLEARING", cents: $(25), when: "before", isKnown: "before" },
        { type: "REFUND", cents: $(3), when: "after" },
      ],
    },
    [
      [1, "sync", "fund", "sync"],
      ["fund", "sync", 1, "sync"],
      [1, "fund", "sync"],
    ],
  ],
  [
    "a late unload takes both the part of a funding that an operator credited and the part that another dismissed",
    28,
    { funding: $(8), unload: $(9), spend: [] },
    [
      ["fund", "sync", "credit", "unload"],
      ["fund", "sync", "dismiss", "unload"],
      ["dismiss", "fund", "sync", "credit", "unload"],
    ],
  ],
  [
    "a late unload took the dollars of a late funding that seemed to have paid for a clearing",
    27,
    { funding: $(10), unload: $(5), spend: [{ type: "CLEARING", cents: $(3), when: "after" }] },
    [
      [0, "sync", "fund", "unload"],
      [0, "sync", "fund", "sync", "unload"],
      [0, "sync", "unload", "fund"],
      ["fund", "sync", 0, "sync", "unload"],
    ],
  ],
  [
    "a late authorization that explains what was kept gives it back when it expires, before or after it is passed on",
    20,
    { funding: 0n, unload: 0n, spend: [{ type: "AUTHORIZATION", cents: $(5), when: "before", expires: true }] },
    [
      [0, "sync", 0],
      [0, 0, "sync"],
      ["dismiss", 0, 0, "sync"],
      ["credit", 0, "sync", 0],
    ],
  ],
])("%s: the wallet has $%d in any order", async (_promise, wallet, life, orders) => {
  expect(trueWallet(life)).toBe($(wallet));
  for (const steps of orders) {
    await expectTruth(life, steps).catch((error: Error) => {
      throw new Error(`${steps.join(", ")}: ${error.message}`, { cause: error });
    });
  }
});

test("in any order of the issuer's reports and operators' decisions, the wallet ends with the returned money and later spend", async () => {
  const cents = fc.integer({ min: 1, max: 900 }).map(BigInt);
  const maybe = fc.oneof(fc.constant(0n), cents);
  const when = fc.constantFrom("before" as const, "after" as const);
  const authorization = fc.record({ type: fc.constant("AUTHORIZATION" as const), cents, cleared: maybe, expires: fc.boolean(), when });
  const moved = fc.record({ type: fc.constantFrom("CLEARING" as const, "REFUND" as const), cents, when });
  const spend: fc.Arbitrary<Spend> = fc
    .tuple(fc.oneof(authorization, moved), fc.constantFrom("before" as const, "during" as const, undefined))
    .map(([each, known]) => ({ ...each, ...(known && { isKnown: each.when === "before" ? known : ("during" as const) }) }));
  const life = fc
    .record({ funding: maybe, unload: maybe, spend: fc.array(spend, { maxLength: 4 }) })
    .filter((each) => returnedIn(each) >= 0n);
  const step: fc.Arbitrary<Step> = fc.oneof(
    { weight: 3, arbitrary: fc.constant("sync" as const) },
    { weight: 1, arbitrary: fc.constantFrom("credit" as const, "dismiss" as const) },
    { weight: 2, arbitrary: fc.constantFrom("fund" as const, "unload" as const) },
    { weight: 6, arbitrary: fc.nat({ max: 3 }) },
  );
  await fc.assert(
    fc.asyncProperty(life, fc.array(step, { maxLength: 14 }), (each, steps) => expectTruth(each, steps, { retells: true })),
    {
      numRuns: Number(process.env.LIVES ?? 20),
    },
  );
}, 600_000);
