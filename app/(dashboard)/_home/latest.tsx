import { describeTransaction } from "#app/(dashboard)/_page/describe.ts";
import { LATEST, Latest as LatestView } from "#components/home/latest.tsx";
import type { MemberContext } from "#services/context.ts";
import { listTransactions } from "#services/transactions/index.ts";

/** Reads what happened last and shows it, after the rest of home. */
export async function Latest({ ctx, base, now }: { ctx: MemberContext; base: string; now: Date }) {
  const { items } = await listTransactions(ctx, { limit: LATEST });
  const rows = items.map((transaction) => {
    const { id, amount, createdAt } = transaction;
    const { href, title, detail, state } = describeTransaction(transaction, base);
    return { id, href, title, detail, state, amount: amount.minor > 0n ? amount : null, createdAt };
  });
  return <LatestView rows={rows} allHref={`${base}/transactions`} now={now} />;
}
