import { db, sql } from "#db/client.ts";
import { type Money, money } from "#lib/money.ts";
import { aMerchant } from "../merchants/merchant.fixture.ts";
import { postTransfers, SETTLEMENT_BANK, SUSPENSE, type Transfer, type TransferResult, WALLET } from "./index.ts";

let keys = 0;

/** Returns a key that no other transfer of the test file has. */
export const newKey = () => `test:${keys++}`;

export const kobo = (minor: bigint | number): Money => money(BigInt(minor), "NGN");

/** Makes a merchant whose wallet has `minor` kobo. Returns the merchant's id. */
export async function aWallet(minor = 0n): Promise<string> {
  const { merchant } = await aMerchant();
  if (minor > 0n) await fund(merchant.id, minor);
  return merchant.id;
}

/** Credits `minor` kobo to the wallet. */
export const fund = (merchantId: string, minor: bigint): Promise<TransferResult[]> =>
  postTransfers(db(), merchantId, [{ kind: "post", key: newKey(), debit: SETTLEMENT_BANK, credit: WALLET, amount: kobo(minor) }]);

export const spend = (minor: bigint, key = newKey()): Transfer => ({
  kind: "post",
  key,
  debit: WALLET,
  credit: SUSPENSE,
  amount: kobo(minor),
});

export const hold = (minor: bigint, key = newKey()): Transfer => ({
  kind: "hold",
  key,
  debit: WALLET,
  credit: SUSPENSE,
  amount: kobo(minor),
});

/** Posts one batch. Returns one result per transfer, in the same order. */
export const post = (merchantId: string, ...transfers: Transfer[]): Promise<TransferResult[]> => postTransfers(db(), merchantId, transfers);

/** Posts one transfer. Returns the reason of its refusal, or null if it is posted. */
export const rejectionOf = async (merchantId: string, transfer: Transfer) => (await post(merchantId, transfer))[0]?.rejection;

/** Kobo. */
interface AccountState {
  posted: bigint;
  held: bigint;
  available: bigint;
}

export async function accountOf(merchantId: string, account: string): Promise<AccountState> {
  const [row] = await sql()<AccountState[]>`
    select case when normal_side = 'credit' then posted_credits - posted_debits else posted_debits - posted_credits end as posted,
      case when normal_side = 'credit' then pending_debits else pending_credits end as held, a.available as available
    from ledger_accounts a where merchant_id = ${merchantId} and account = ${account}`;
  if (!row) throw new Error(`no account ${account}`);
  return row;
}
