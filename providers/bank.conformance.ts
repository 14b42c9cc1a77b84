import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { type Money, naira } from "#lib/money.ts";
import { times, until } from "#testing/until.ts";
import type { Bank, BankNotice, OneTimeAccount } from "./bank.ts";

/** What a conformance suite needs beside the adapter: a payer, faults, and the bank's notices. */
export interface BankUnderTest {
  bank: Bank;
  /** The same adapter with a bank that cannot be reached. */
  unreachable: Bank;
  /** Sends money as a payer. Returns the bank's id of the transfer. */
  pay: (account: OneTimeAccount, amount: Money) => Promise<string>;
  /** Makes the bank execute the next request and lose its answer. */
  loseNextAnswer: () => void;
  /** Changes every text and number in the bank's next answer. */
  changeNextAnswer: (change: (value: unknown) => unknown) => void;
  /** Returns the notices that the bank has sent, unchanged. */
  notices: () => Promise<{ headers: Headers; body: string }[]>;
}

const newReference = () => randomBytes(13).toString("hex").toUpperCase();
const VALID_FOR_MS = 1_800_000;
const PRICE = naira(5_432.1);

/** Declares the tests that every adapter of a bank must pass. */
export function describeBank(name: string, underTest: () => BankUnderTest): void {
  const bank = () => underTest().bank;

  const requestFor = (reference = newReference()) => ({
    reference,
    amount: PRICE,
    accountName: "Ada's Shop",
    validForMs: VALID_FOR_MS,
  });

  async function anAccount(reference = newReference()): Promise<OneTimeAccount> {
    const outcome = await bank().openAccount(requestFor(reference));
    if (outcome.status !== "opened") throw new Error(`opening was ${outcome.status}`);
    return outcome.account;
  }

  /** Returns the bank's latest notice of a transfer, or its notice with a reason. Waits until there is one. */
  const noticeOf = (session: string, returnedBecause?: BankNotice["returnedBecause"]) =>
    until(async () => {
      const sent = await underTest().notices();
      const about = sent
        .flatMap(({ headers, body }) => bank().readNotice(headers, body) ?? [])
        .filter(({ sessionId }) => sessionId === session);
      return returnedBecause === undefined ? about.at(-1) : about.find((notice) => notice.returnedBecause === returnedBecause);
    });

  describe(`the bank ${name}`, () => {
    test("opens an account that payers can find, and returns the same account for a repeated reference", async () => {
      const reference = newReference();
      const before = Date.now() - 5_000;
      const account = await anAccount(reference);
      expect(account.accountNumber).toMatch(/^\d{10}$/);
      expect([account.accountName, account.bankName].every((text) => text.length > 0)).toBe(true);
      expect(URL.canParse(account.checkoutUrl)).toBe(true);
      expect(account.openedAt.getTime()).toBeGreaterThan(before);
      expect(await anAccount(reference)).toEqual(account);
      expect((await anAccount()).accountNumber).not.toBe(account.accountNumber);
    });

    test("opens one account for five requests at once with the same reference", async () => {
      const reference = newReference();
      const accounts = await Promise.all(times(5, () => anAccount(reference)));
      expect(new Set(accounts.map(({ accountNumber }) => accountNumber)).size).toBe(1);
    });

    test("returns unknown for an opening whose answer was lost, and the account for the repeated request", async () => {
      const reference = newReference();
      underTest().loseNextAnswer();
      expect(await bank().openAccount(requestFor(reference))).toEqual({ status: "unknown" });
      const account = await anAccount(reference);
      expect(await anAccount(reference)).toEqual(account);
    });

    test("returns refused for an opening if the bank cannot be reached, because no account was opened", async () => {
      expect((await underTest().unreachable.openAccount(requestFor())).status).toBe("refused");
      expect(await underTest().unreachable.isUp()).toBe(false);
      expect(await underTest().unreachable.closeAccount(newReference())).toBe("unknown");
      expect(await underTest().unreachable.returnTransfer(newReference())).toBe("unknown");
      expect(await bank().isUp()).toBe(true);
    });

    test("returns unknown for an answer about another reference or amount, or without readable fields", async () => {
      const reference = newReference();
      const minor = String(PRICE.minor);
      const distortions: ((value: unknown) => unknown)[] = [
        (value) => (value === reference ? newReference() : value),
        (value) => (String(value) === minor ? (typeof value === "string" ? `${minor}00` : Number(minor) * 100) : value),
        () => null,
      ];
      for (const distortion of distortions) {
        underTest().changeNextAnswer(distortion);
        expect(await bank().openAccount(requestFor(reference))).toEqual({ status: "unknown" });
      }
      expect((await bank().openAccount(requestFor(reference))).status).toBe("opened");
    });

    test("sends a notice of an exact transfer that it keeps, with amount, account and time", async () => {
      const account = await anAccount();
      const before = Date.now() - 5_000;
      const session = await underTest().pay(account, PRICE);
      const notice = await noticeOf(session);
      expect(notice).toMatchObject({ sessionId: session, accountNumber: account.accountNumber, amount: PRICE, returnedBecause: null });
      expect(notice.receivedAt.getTime()).toBeGreaterThan(before);
      expect(notice.noticeId.length).toBeGreaterThan(0);
    });

    test("sends back a transfer that is underpaid, overpaid, a duplicate or late, and gives that reason", async () => {
      const account = await anAccount();
      expect((await noticeOf(await underTest().pay(account, naira(1)))).returnedBecause).toBe("underpaid");
      expect((await noticeOf(await underTest().pay(account, naira(6_000)))).returnedBecause).toBe("overpaid");
      await noticeOf(await underTest().pay(account, PRICE), null);
      expect((await noticeOf(await underTest().pay(account, PRICE))).returnedBecause).toBe("duplicate");
      const reference = newReference();
      const closed = await anAccount(reference);
      expect(await bank().closeAccount(reference)).toBe("closed");
      expect(await bank().closeAccount(reference)).toBe("closed");
      expect((await noticeOf(await underTest().pay(closed, PRICE))).returnedBecause).toBe("late");
    });

    test("returns a transfer on request, and the adapter returns unknown for a lost answer or one about another transfer", async () => {
      const account = await anAccount();
      const session = await underTest().pay(account, PRICE);
      await noticeOf(session, null);
      underTest().loseNextAnswer();
      expect(await bank().returnTransfer(session)).toBe("unknown");
      underTest().changeNextAnswer((value) => (value === session ? newReference() : value));
      expect(await bank().returnTransfer(session)).toBe("unknown");
      expect(["returned", "pending"]).toContain(await bank().returnTransfer(session));
      await until(async () => (await bank().returnTransfer(session)) === "returned");
    });

    test("reads all transfers of an account as its notices say them, also before and after it is paid", async () => {
      const reference = newReference();
      const account = await anAccount(reference);
      expect(await bank().readAccount(reference)).toEqual({ status: "read", transfers: [] });
      const sessions = [
        await underTest().pay(account, naira(1)),
        await underTest().pay(account, PRICE),
        await underTest().pay(account, PRICE),
      ];
      const notices = [];
      for (const session of sessions) notices.push(await noticeOf(session));
      const reading = await bank().readAccount(reference);
      expect(reading).toEqual({ status: "read", transfers: notices });
      expect(await bank().readAccount(reference)).toEqual(reading);
    });

    test("returns not_found for an account that the bank has not, and unknown for a lost answer or one about another account", async () => {
      const unknown = newReference();
      expect(await bank().readAccount(unknown)).toEqual({ status: "not_found" });
      underTest().changeNextAnswer((value) => (value === unknown ? newReference() : value));
      expect(await bank().readAccount(unknown)).toEqual({ status: "unknown" });
      const reference = newReference();
      const account = await anAccount(reference);
      await noticeOf(await underTest().pay(account, PRICE));
      underTest().loseNextAnswer();
      expect(await bank().readAccount(reference)).toEqual({ status: "unknown" });
      const distortions: ((value: unknown) => unknown)[] = [
        (value) => (value === reference ? newReference() : value),
        (value) => (typeof value === "string" && /^\d+$/.test(value) ? "x" : value),
        () => null,
      ];
      for (const distortion of distortions) {
        underTest().changeNextAnswer(distortion);
        expect(await bank().readAccount(reference)).toEqual({ status: "unknown" });
      }
      expect(await underTest().unreachable.readAccount(reference)).toEqual({ status: "unknown" });
      expect((await bank().readAccount(reference)).status).toBe("read");
    });

    test("refuses a notice that was changed, is unsigned or is not a notice", async () => {
      const account = await anAccount();
      const session = await underTest().pay(account, PRICE);
      await noticeOf(session);
      const sent = await underTest().notices();
      const notice = sent.find(({ body }) => body.includes(session));
      if (!notice) throw new Error("no notice");
      expect(bank().readNotice(notice.headers, notice.body.replace(session, newReference()))).toBeUndefined();
      expect(bank().readNotice(new Headers(), notice.body)).toBeUndefined();
      for (const rubbish of ["", "{", "[]", '"x"', "{}"]) expect(bank().readNotice(notice.headers, rubbish)).toBeUndefined();
    });

    test("returns text that can be stored, whatever characters the bank sends", async () => {
      const reference = newReference();
      underTest().changeNextAnswer((value) => (value === "Ada's Shop" ? "Ada\u0000\ud800\u001b[31m" : value));
      const outcome = await bank().openAccount(requestFor(reference));
      expect(outcome).toMatchObject({ status: "opened", account: { accountName: "Ada\ufffd\ufffd\ufffd[31m" } });
    });
  });
}
