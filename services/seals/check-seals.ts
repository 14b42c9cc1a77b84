import type { Sql } from "#db/client.ts";
import { fromRow } from "#db/from-row.ts";
import { walletSeals } from "#db/schema/seals.ts";
import { extend, readEntries, START, TransferMissing } from "./chain.ts";
import type { WalletHead } from "./head.ts";
import type { Head, Seal } from "./seal.ts";

export interface SealFinding {
  merchantId: string;
  /** The seal, or the kept head. */
  seq: bigint;
  /** What is wrong, in words. */
  problem: string;
}

interface SealCheck {
  seals: number;
  wallets: number;
  /** The first 1,000 findings. */
  findings: SealFinding[];
  /** The number of all findings. */
  found: number;
}

interface Asked {
  /** Returns whether a seal has our signature. Undefined without the key: signatures are then not checked. */
  isSigned?: ((seal: Seal) => boolean) | undefined;
  /** Heads that were kept outside of the database: each wallet must still have them. */
  against?: Iterable<WalletHead> | AsyncIterable<WalletHead>;
}

const SEALS_AT_ONCE = 500;
const ENTRIES_AT_ONCE = 5_000;
const MAX_FINDINGS = 1_000;

type Report = (merchantId: string, seq: bigint, problem: string) => void;

/**
 * Computes the chain of each wallet again from its entries, and compares it with its seals. Sealed entries never change, so it may run beside
 * new ones. Without `against`, a removed tail does not show if its seals were removed too.
 */
export async function checkSeals(client: Sql, { isSigned, against = [] }: Asked = {}): Promise<SealCheck> {
  const check: SealCheck = { seals: 0, wallets: 0, findings: [], found: 0 };
  const report: Report = (merchantId, seq, problem) => {
    check.found += 1;
    if (check.findings.length < MAX_FINDINGS) check.findings.push({ merchantId, seq, problem });
  };
  // A large ledger takes longer than the timeout of a request's statements.
  await client.begin("read only", async (tx) => {
    await tx`set local statement_timeout = 0`;
    const rows = tx<object[]>`select * from wallet_seals order by merchant_id, seq`;
    let last: Seal | undefined;
    for await (const batch of rows.cursor(SEALS_AT_ONCE)) {
      for (const row of batch) {
        const seal = fromRow(walletSeals, row);
        const before = last?.merchantId === seal.merchantId ? last : undefined;
        await checkSeal(client, before, seal, report).catch(reportMissing(seal, report));
        if (isSigned && !isSigned(seal)) report(seal.merchantId, seal.seq, "the seal was not signed with the key of this installation");
        check.seals += 1;
        if (!before) check.wallets += 1;
        last = seal;
      }
    }
  });
  for await (const head of against) await findHead(client, head, report);
  return check;
}

/** Returns a handler that reports a missing transfer, so that the check continues with the next seal. Any other error ends the check. */
const reportMissing =
  ({ merchantId, seq }: Seal, report: Report) =>
  (error: unknown): void => {
    if (!(error instanceof TransferMissing)) throw error;
    report(merchantId, seq, `${error.message}, and this seal covers it`);
  };

/** Starts from the previous stored seal, so that one changed entry does not make all later seals wrong. */
async function checkSeal(client: Sql, before: Seal | undefined, seal: Seal, report: Report): Promise<void> {
  const { merchantId } = seal;
  let head: Head = before ?? START;
  while (head.seq < seal.seq) {
    const entries = await readEntries(client, merchantId, { after: head.seq, to: seal.seq, limit: ENTRIES_AT_ONCE });
    // The numbers increase, so a gap shows in the last entry. If all entries are missing, there is no last one.
    if (entries.at(-1)?.seq !== head.seq + BigInt(entries.length))
      return report(merchantId, seal.seq, `an entry behind ${head.seq} is missing, and this seal covers it`);
    head = extend(head, entries);
  }
  if (head.hash !== seal.hash || head.count !== seal.count)
    report(merchantId, seal.seq, `an entry behind ${before?.seq ?? 0n} and up to this one is not what was sealed`);
}

async function findHead(client: Sql, { merchantId, seq, hash }: WalletHead, report: Report): Promise<void> {
  const [stored] = await client<{ hash: string }[]>`
    select hash from wallet_seals where merchant_id = ${merchantId} and seq = ${String(seq)}::text::bigint`;
  if (stored?.hash === hash) return;
  const problem = stored
    ? "there is another one: the history was written anew"
    : "there is none: the end was removed, or this is an old copy";
  report(merchantId, seq, `a seal of this entry was kept outside, and ${problem}`);
}
