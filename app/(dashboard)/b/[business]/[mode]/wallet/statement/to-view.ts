import type { TypeRow } from "#components/wallet/statement.tsx";
import { wordsOfEntry } from "#components/wallet/words.ts";
import { money } from "#lib/money.ts";
import type { StatementSums } from "#services/ledger/index.ts";

const MONTH = new Intl.DateTimeFormat("en-GB", { timeZone: "UTC", month: "long", year: "numeric" });

/** Returns a month for people: "November 2026". */
export const nameOfMonth = (month: string): string => MONTH.format(new Date(`${month}-01T00:00:00Z`));

/** Returns the sums of a month by kind: what came in and what went out apart, each with its words. */
export function toSums({ types, ...sums }: StatementSums): {
  in: StatementSums["in"]["amount"];
  out: StatementSums["in"]["amount"];
  types: TypeRow[];
} {
  const rowOf = (type: string, direction: "credit" | "debit", { count, amount }: StatementSums["in"]): TypeRow[] =>
    count === 0
      ? []
      : [
          {
            key: `${type}-${direction}`,
            text: wordsOfEntry(type, direction),
            count,
            amount: direction === "credit" ? amount : money(-amount.minor, amount.currency),
          },
        ];
  const rows = types.flatMap(({ type, in: came, out: went }) => [...rowOf(type, "credit", came), ...rowOf(type, "debit", went)]);
  return { in: sums.in.amount, out: sums.out.amount, types: rows };
}
