import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { type Money, naira, toMajorNumber } from "#lib/money.ts";
import { DAY_MS, lagosDay, MINUTE_MS } from "#lib/time.ts";
import { times, until } from "#testing/until.ts";
import type { AccountHint, Bank, BankNotice, OneTimeAccount, RefusalReason } from "./bank.ts";

/** What a conformance suite needs beside the adapter: a payer, faults, and the bank's notices. */
export interface BankUnderTest {
  bank: Bank;
  /** The same adapter with a bank that cannot be reached. */
  unreachable: Bank;
  /** Sends money as a payer. Returns the bank's id of the transfer. */
  pay: (account: OneTimeAccount, amount: Money) => Promise<string>;
  /** Ends the time of an account at the bank. */
  endTime: (reference: string) => Promise<void>;
  /** Lets a day pass at the bank: what has happened so far happened a day earlier. */
  passDay: () => Promise<void>;
  /** Makes the bank execute the next request and lose its answer. */
  loseNextAnswer: () => void;
  /** Changes every text and number in the bank's next answer. */
  changeNextAnswer: (change: (value: unknown) => unknown) => void;
  /** Returns the notices that the bank has sent, unchanged. */
  notices: () => Promise<{ headers: Headers; body: string }[]>;
}

const newReference = () => randomBytes(13).toString("hex").toUpperCase();
const VALID_FOR_MS = 30 * MINUTE_MS;
const PRICE = naira(5_432.1);
const kept = (sessionId: string) => ({ sessionId, accountReference: null, amount: PRICE });

/** Declares the tests that every adapter of a bank must pass. */
export function describeBank(name: string, underTest: () => BankUnderTest): void {
  const bank = () => underTest().bank;

  const requestFor = (reference = newReference()) => ({
    reference,
    amount: PRICE,
    accountName: "Ada's Shop",
    validForMs: VALID_FOR_MS,
    payer: { name: "Customer", email: `${reference.toLowerCase()}@shop.example` },
  });

  async function anAccount(reference = newReference()): Promise<OneTimeAccount & { reference: string }> {
    const outcome = await bank().openAccount(requestFor(reference));
    if (outcome.status !== "opened") throw new Error(`opening was ${outcome.status}`);
    return { ...outcome.account, reference };
  }

  /** Returns what a repeated opening may answer: the same account, or that there is one. */
  const again = ({ reference: _, ...account }: OneTimeAccount & { reference: string }) => [
    { status: "opened", account },
    { status: "exists" },
  ];

  /** Changes the bank's next answer. The returned function says whether that changed anything. */
  function changeNextAnswer(change: (value: unknown) => unknown): () => boolean {
    let isChanged = false;
    underTest().changeNextAnswer((value) => {
      const changed = change(value);
      isChanged ||= changed !== value;
      return changed;
    });
    return () => isChanged;
  }

  async function allNotices(): Promise<(BankNotice | AccountHint)[]> {
    const sent = await underTest().notices();
    return sent.flatMap(({ headers, body }) => {
      const notice = bank().readNotice(headers, body);
      return notice === undefined ||
        notice === "irrelevant" ||
        "payoutToRead" in notice ||
        "refundsToRead" in notice ||
        "refundToRead" in notice
        ? []
        : [notice];
    });
  }

  async function transfersOf(reference: string): Promise<BankNotice[]> {
    const reading = await bank().readAccount({ reference, amount: PRICE });
    if (reading.status !== "read") throw new Error(`reading was ${reading.status}`);
    return reading.transfers;
  }

  /** Returns the bank's latest statement about a transfer: a notice, or the reading that a notice hints at. Waits until there is one. */
  const toldOf = (reference: string, session: string) =>
    until(async () => {
      const told: BankNotice[] = [];
      for (const notice of await allNotices()) {
        if (!("accountToRead" in notice)) told.push(notice);
        else if (notice.accountToRead === reference) told.push(...(await transfersOf(reference)));
      }
      return told.filter(({ sessionId }) => sessionId === session).at(-1);
    });

  describe(`the bank ${name}`, () => {
    test("opens an account that payers can find, and for a repeated reference the same one or none", async () => {
      const before = Date.now() - 5_000;
      const account = await anAccount();
      expect(account.accountNumber).toMatch(/^\d{10}$/);
      expect([account.accountName, account.bankName].every((text) => text.length > 0)).toBe(true);
      if (!bank().capabilities.namesAccount) expect(account.accountName).toBe("Ada's Shop");
      expect(account.checkoutUrl === null || URL.canParse(account.checkoutUrl)).toBe(true);
      expect(account.openedAt.getTime()).toBeGreaterThan(before);
      expect(again(account)).toContainEqual(await bank().openAccount(requestFor(account.reference)));
      expect((await anAccount()).accountNumber).not.toBe(account.accountNumber);
    });

    test("opens one account for five requests at once with the same reference", async () => {
      const reference = newReference();
      const outcomes = await Promise.all(times(5, () => bank().openAccount(requestFor(reference))));
      const numbers = outcomes.flatMap((outcome) => (outcome.status === "opened" ? [outcome.account.accountNumber] : []));
      expect(new Set(numbers).size).toBe(1);
      expect(outcomes.every(({ status }) => status === "opened" || status === "exists")).toBe(true);
    });

    test("returns unknown for an opening whose answer was lost, and for the repeated request the account, or that there is one", async () => {
      const reference = newReference();
      underTest().loseNextAnswer();
      expect(await bank().openAccount(requestFor(reference))).toEqual({ status: "unknown" });
      const repeated = await bank().openAccount(requestFor(reference));
      expect(["opened", "exists"]).toContain(repeated.status);
      expect(await bank().openAccount(requestFor(reference))).toEqual(repeated);
    });

    test("returns refused for an opening if the bank cannot be reached, because no account was opened", async () => {
      expect((await underTest().unreachable.openAccount(requestFor())).status).toBe("refused");
      expect(await underTest().unreachable.isUp()).toBe(false);
      expect(await underTest().unreachable.closeAccount(newReference())).toBe("unknown");
      expect(await underTest().unreachable.returnTransfer(kept(newReference()))).toBe("unknown");
      expect(await bank().isUp()).toBe(true);
    });

    test("returns unknown for an answer about another reference or amount, or without readable fields", async () => {
      const amounts = [String(PRICE.minor), String(toMajorNumber(PRICE))];
      const distortions: ((reference: string) => (value: unknown) => unknown)[] = [
        (reference) => (value) => (value === reference ? newReference() : value),
        () => (value) => (amounts.includes(String(value)) ? (typeof value === "string" ? `${value}00` : Number(value) * 100) : value),
        () => () => null,
      ];
      for (const distortion of distortions) {
        const reference = newReference();
        const changed = changeNextAnswer(distortion(reference));
        const outcome = await bank().openAccount(requestFor(reference));
        // Not every bank names the amount.
        expect(changed() ? outcome : { status: "unknown" }).toEqual({ status: "unknown" });
        expect(["opened", "exists"]).toContain((await bank().openAccount(requestFor(reference))).status);
      }
    });

    test("tells an exact transfer that it keeps, with amount, account and time", async () => {
      const account = await anAccount();
      const before = Date.now() - 5_000;
      const session = await underTest().pay(account, PRICE);
      const told = await toldOf(account.reference, session);
      expect(told).toMatchObject({ sessionId: session, accountReference: account.reference, amount: PRICE, returnedBecause: null });
      expect([null, account.accountNumber]).toContain(told.accountNumber);
      expect(told.receivedAt?.getTime()).toBeGreaterThan(before);
      expect(told.noticeId.length).toBeGreaterThan(0);
    });

    test("sends back by itself what it says it sends back, tells it where it says that it tells, and keeps other money", async () => {
      const account = await anAccount();
      await expectAsSaid(account, "underpaid", await underTest().pay(account, naira(1)));
      await expectAsSaid(account, "overpaid", await underTest().pay(account, naira(6_000)));
      await toldOf(account.reference, await underTest().pay(account, PRICE));
      await expectAsSaid(account, "duplicate", await underTest().pay(account, PRICE));
      const ended = await anAccount();
      await underTest().endTime(ended.reference);
      await expectAsSaid(ended, "late", await underTest().pay(ended, PRICE));
    });

    async function expectAsSaid({ reference }: { reference: string }, reason: RefusalReason, session: string): Promise<void> {
      const does = bank().capabilities.sendsBack[reason];
      if (does === "untold" || does === "told in part") {
        const read = (await transfersOf(reference)).filter(({ sessionId }) => sessionId === session && reason !== "duplicate");
        expect(read).toEqual(does === "untold" ? [] : read.filter(isGoneInPart));
        const told = (await allNotices()).flatMap((notice) => ("sessionId" in notice ? [notice] : []));
        const inPart = told.filter(({ accountReference, amount }) => accountReference === reference && amount === null);
        expect(inPart.every(({ returnedBecause, sessionId }) => returnedBecause === "other" && sessionId !== session)).toBe(true);
        if (does === "told in part") expect([...inPart, ...(await transfersOf(reference)).filter(isGoneInPart)]).not.toEqual([]);
        return;
      }
      const { returnedBecause } = await toldOf(reference, session);
      const untoldWhich = reason === "late" || reason === "duplicate" ? "late_or_duplicate" : "other";
      expect(does === undefined ? [null] : [reason, untoldWhich]).toContain(returnedBecause);
    }

    const isGoneInPart = ({ amount, returnedBecause }: BankNotice) => amount === null && returnedBecause !== null;

    test("closes an account, once or again, if it says that it can", async () => {
      const account = await anAccount();
      const outcome = bank().capabilities.canClose ? "closed" : "unknown";
      expect(await bank().closeAccount(account.reference)).toBe(outcome);
      expect(await bank().closeAccount(account.reference)).toBe(outcome);
      const session = await underTest().pay(account, PRICE);
      if (bank().capabilities.canClose) await expectAsSaid(account, "late", session);
      else expect((await toldOf(account.reference, session)).returnedBecause).toBeNull();
    });

    test("returns a transfer on request if it can, and the adapter returns unknown for a lost answer or one about another transfer", async () => {
      const account = await anAccount();
      const session = await underTest().pay(account, PRICE);
      await toldOf(account.reference, session);
      const transfer = { ...kept(session), accountReference: account.reference };
      if (!bank().capabilities.canReturn) return expect(await bank().returnTransfer(transfer)).toBe("unknown");
      underTest().loseNextAnswer();
      expect(await bank().returnTransfer(transfer)).toBe("unknown");
      await until(async () => {
        const changed = changeNextAnswer((value) => (String(value) === session ? "9".repeat(12) : value));
        const outcome = await bank().returnTransfer(transfer);
        // A bank may be asked first how a return stands, and says nothing of the transfer if nobody has asked for one.
        if (changed()) expect(outcome).toBe("unknown");
        return changed();
      });
      expect(["returned", "pending"]).toContain(await bank().returnTransfer(transfer));
      await until(async () => (await bank().returnTransfer(transfer)) === "returned");
    });

    test("reads the transfers of an account as its notices say them, also before and after it is paid", async () => {
      const account = await anAccount();
      const { reference } = account;
      expect(await bank().readAccount({ reference, amount: PRICE })).toEqual({ status: "read", transfers: [] });
      const sessions = [
        await underTest().pay(account, naira(1)),
        await underTest().pay(account, PRICE),
        await underTest().pay(account, PRICE),
      ];
      const told = [];
      const { sendsBack } = bank().capabilities;
      const reasons = [sendsBack.underpaid, null, sendsBack.duplicate];
      for (const [n, session] of sessions.entries()) {
        if (reasons[n] === "told" || reasons[n] === null) told.push(await toldOf(reference, session));
        else told.push(...(await transfersOf(reference)).filter((read) => read.sessionId === session && isGoneInPart(read)));
      }
      const reading = await bank().readAccount({ reference, amount: PRICE });
      expect(reading).toEqual({ status: "read", transfers: told });
      expect(await bank().readAccount({ reference, amount: PRICE })).toEqual(reading);
    });

    test("returns not_found for an account that the bank has not, and unknown for a lost answer or one about another account", async () => {
      const unknown = newReference();
      expect(await bank().readAccount({ reference: unknown, amount: PRICE })).toEqual({ status: "not_found" });
      const renamed = changeNextAnswer((value) => (value === unknown ? newReference() : value));
      const reading = await bank().readAccount({ reference: unknown, amount: PRICE });
      expect(reading).toEqual({ status: renamed() ? "unknown" : "not_found" });
      const account = await anAccount();
      const { reference } = account;
      await toldOf(reference, await underTest().pay(account, PRICE));
      underTest().loseNextAnswer();
      expect(await bank().readAccount({ reference, amount: PRICE })).toEqual({ status: "unknown" });
      const distortions: ((value: unknown) => unknown)[] = [
        (value) => (value === reference ? newReference() : value),
        (value) => (/^[\d.]+$/.test(String(value)) ? "x" : value),
        () => null,
      ];
      for (const distortion of distortions) {
        underTest().changeNextAnswer(distortion);
        expect(await bank().readAccount({ reference, amount: PRICE })).toEqual({ status: "unknown" });
      }
      expect(await underTest().unreachable.readAccount({ reference, amount: PRICE })).toEqual({ status: "unknown" });
      expect((await bank().readAccount({ reference, amount: PRICE })).status).toBe("read");
    });

    test("lists the money of a day that is over, if it says that it can, and the adapter returns unknown where that is not certain", async () => {
      const today = lagosDay(new Date());
      const yesterday = lagosDay(new Date(Date.now() - DAY_MS));
      if (!bank().capabilities.hasStatement) return expect(await bank().readStatement(yesterday)).toEqual({ status: "unknown" });
      const account = await anAccount();
      const wrong = await underTest().pay(account, naira(1));
      const exact = await underTest().pay(account, PRICE);
      await toldOf(account.reference, exact);
      await underTest().passDay();
      const reading = await bank().readStatement(yesterday);
      if (reading.status !== "read") throw new Error("the statement was not read");
      const of = (session: string) => reading.lines.filter(({ sessionId }) => sessionId === session);
      const line = { sessionId: exact, accountReference: account.reference, direction: "in", amount: PRICE };
      expect(of(exact)).toEqual([line]);
      const back = { ...line, sessionId: wrong, amount: naira(1) };
      const expected = bank().capabilities.sendsBack.underpaid ? [back, { ...back, direction: "out" }] : [back];
      expect(of(wrong)).toEqual(expected);
      expect(await bank().readStatement(today)).toEqual({ status: "unknown" });
      expect(await underTest().unreachable.readStatement(yesterday)).toEqual({ status: "unknown" });
      underTest().loseNextAnswer();
      expect(await bank().readStatement(yesterday)).toEqual({ status: "unknown" });
      for (const distort of [
        (value: unknown) => (value === yesterday ? today : value),
        (value: unknown) => (/^\d+$/.test(String(value)) ? "x" : value),
        () => null,
      ]) {
        underTest().changeNextAnswer(distort);
        expect(await bank().readStatement(yesterday)).toEqual({ status: "unknown" });
      }
    });

    test("refuses a notice that was changed, is unsigned or is not a notice", async () => {
      const account = await anAccount();
      const session = await underTest().pay(account, PRICE);
      await toldOf(account.reference, session);
      const sent = await underTest().notices();
      const notice = sent.find(({ body }) => body.includes(session) || body.includes(account.reference));
      if (!notice) throw new Error("no notice");
      const changed = notice.body.replace(notice.body.includes(session) ? session : account.reference, newReference());
      expect(bank().readNotice(notice.headers, changed)).toBeUndefined();
      expect(bank().readNotice(new Headers(), notice.body)).toBeUndefined();
      for (const rubbish of ["", "{", "[]", '"x"', "{}"]) expect(bank().readNotice(notice.headers, rubbish)).toBeUndefined();
    });

    test("returns text that can be stored, whatever characters the bank sends", async () => {
      let name = "";
      underTest().changeNextAnswer((value) => {
        const isName = typeof value === "string" && /^[A-Z][A-Za-z']+(?: [A-Z][A-Za-z']+)+$/.test(value);
        if (isName) name ||= value;
        return isName ? `${value}\u0000\ud800\u001b[31m` : value;
      });
      const outcome = await bank().openAccount(requestFor());
      expect(name).not.toBe("");
      expect(outcome).toMatchObject({ status: "opened", account: { accountName: `${name}\ufffd\ufffd\ufffd[31m` } });
    });
  });
}
