import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { type Money, naira } from "#lib/money.ts";
import { times, until } from "#testing/until.ts";
import type { Bank, BankNotice, OneTimeAccount } from "./bank.ts";

/** What a suite needs of the other party beside its adapter: a payer, and a line that breaks. */
export interface BankUnderTest {
  bank: Bank;
  /** The same adapter, where its bank cannot be reached. */
  unreachable: Bank;
  /** A payer sends money. Returns the bank's name for the transfer. */
  pay: (account: OneTimeAccount, amount: Money) => Promise<string>;
  /** The bank does what it is asked next, and its answer is lost. */
  loseNextAnswer: () => void;
  /** Changes every text and number in the bank's next answer. */
  changeNextAnswer: (change: (value: unknown) => unknown) => void;
  /** The notices that it has sent, as they came. */
  notices: () => Promise<{ headers: Headers; body: string }[]>;
}

const newReference = () => randomBytes(13).toString("hex").toUpperCase();
const HALF_AN_HOUR_MS = 1_800_000;
const PRICE = naira(5_432.1);

/** What every bank must do, whatever it calls things. */
export function describeBank(name: string, underTest: () => BankUnderTest): void {
  const it = () => underTest().bank;

  const wish = (reference = newReference()) => ({
    reference,
    amount: PRICE,
    accountName: "Ada's Shop",
    validForMs: HALF_AN_HOUR_MS,
  });

  async function anAccount(reference = newReference()): Promise<OneTimeAccount> {
    const outcome = await it().openAccount(wish(reference));
    if (outcome.status !== "opened") throw new Error(`opening was ${outcome.status}`);
    return outcome.account;
  }

  /** What the bank tells of a transfer: the last word, or the one that gives that reason. */
  const toldOf = (session: string, returnedBecause?: BankNotice["returnedBecause"]) =>
    until(async () => {
      const sent = await underTest().notices();
      const about = sent
        .flatMap(({ headers, body }) => it().readNotice(headers, body) ?? [])
        .filter(({ sessionId }) => sessionId === session);
      return returnedBecause === undefined ? about.at(-1) : about.find((notice) => notice.returnedBecause === returnedBecause);
    });

  describe(`the bank ${name}`, () => {
    test("opens an account that payers can find, and the same again is the same account", async () => {
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

    test("opens one account for a reference, however many ask at once", async () => {
      const reference = newReference();
      const accounts = await Promise.all(times(5, () => anAccount(reference)));
      expect(new Set(accounts.map(({ accountNumber }) => accountNumber)).size).toBe(1);
    });

    test("says unknown of an account whose opening was not answered, and which it was when asked again", async () => {
      const reference = newReference();
      underTest().loseNextAnswer();
      expect(await it().openAccount(wish(reference))).toEqual({ status: "unknown" });
      const account = await anAccount(reference);
      expect(await anAccount(reference)).toEqual(account);
    });

    test("says refused where it could not be asked at all: nothing was opened", async () => {
      expect((await underTest().unreachable.openAccount(wish())).status).toBe("refused");
      expect(await underTest().unreachable.isUp()).toBe(false);
      expect(await underTest().unreachable.closeAccount(newReference())).toBe("unknown");
      expect(await underTest().unreachable.returnTransfer(newReference())).toBe("unknown");
      expect(await it().isUp()).toBe(true);
    });

    test("does not believe an answer that is about another account, or another amount, or in words that it does not know", async () => {
      const reference = newReference();
      const minor = String(PRICE.minor);
      const lies: ((value: unknown) => unknown)[] = [
        (value) => (value === reference ? newReference() : value),
        (value) => (String(value) === minor ? (typeof value === "string" ? `${minor}00` : Number(minor) * 100) : value),
        () => null,
      ];
      for (const lie of lies) {
        underTest().changeNextAnswer(lie);
        expect(await it().openAccount(wish(reference))).toEqual({ status: "unknown" });
      }
      expect((await it().openAccount(wish(reference))).status).toBe("opened");
    });

    test("tells of the exact amount that it keeps for us, by whom and when", async () => {
      const account = await anAccount();
      const before = Date.now() - 5_000;
      const session = await underTest().pay(account, PRICE);
      const notice = await toldOf(session);
      expect(notice).toMatchObject({ sessionId: session, accountNumber: account.accountNumber, amount: PRICE, returnedBecause: null });
      expect(notice.receivedAt.getTime()).toBeGreaterThan(before);
      expect(notice.noticeId.length).toBeGreaterThan(0);
    });

    test("sends back a transfer that is not of the exact amount, is a second one or comes late, and says why", async () => {
      const account = await anAccount();
      expect((await toldOf(await underTest().pay(account, naira(1)))).returnedBecause).toBe("underpaid");
      expect((await toldOf(await underTest().pay(account, naira(6_000)))).returnedBecause).toBe("overpaid");
      await toldOf(await underTest().pay(account, PRICE), null);
      expect((await toldOf(await underTest().pay(account, PRICE))).returnedBecause).toBe("duplicate");
      const reference = newReference();
      const closed = await anAccount(reference);
      expect(await it().closeAccount(reference)).toBe("closed");
      expect(await it().closeAccount(reference)).toBe("closed");
      expect((await toldOf(await underTest().pay(closed, PRICE))).returnedBecause).toBe("late");
    });

    test("sends back what it is asked to, once, also where the answer was lost or is about another transfer", async () => {
      const account = await anAccount();
      const session = await underTest().pay(account, PRICE);
      await toldOf(session, null);
      underTest().loseNextAnswer();
      expect(await it().returnTransfer(session)).toBe("unknown");
      underTest().changeNextAnswer((value) => (value === session ? newReference() : value));
      expect(await it().returnTransfer(session)).toBe("unknown");
      expect(["returned", "pending"]).toContain(await it().returnTransfer(session));
      await until(async () => (await it().returnTransfer(session)) === "returned");
    });

    test("believes no notice that was tampered with, or that nobody signed", async () => {
      const account = await anAccount();
      const session = await underTest().pay(account, PRICE);
      await toldOf(session);
      const sent = await underTest().notices();
      const notice = sent.find(({ body }) => body.includes(session));
      if (!notice) throw new Error("no notice");
      expect(it().readNotice(notice.headers, notice.body.replace(session, newReference()))).toBeUndefined();
      expect(it().readNotice(new Headers(), notice.body)).toBeUndefined();
      for (const rubbish of ["", "{", "[]", '"x"', "{}"]) expect(it().readNotice(notice.headers, rubbish)).toBeUndefined();
    });

    test("answers in text that can be stored, whatever its bank writes", async () => {
      const reference = newReference();
      underTest().changeNextAnswer((value) => (value === "Ada's Shop" ? "Ada\u0000\ud800\u001b[31m" : value));
      const outcome = await it().openAccount(wish(reference));
      expect(outcome).toMatchObject({ status: "opened", account: { accountName: "Ada\ufffd\ufffd\ufffd[31m" } });
    });
  });
}
