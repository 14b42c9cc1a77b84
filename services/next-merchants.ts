import { type Sql, sql } from "#db/client.ts";

interface NextMerchants {
  ids: string[];
  /** The id of the last one. Empty if there are no more, so that the next call starts with the first merchant again. */
  lastId: string;
}

/**
 * Returns the merchants of businesses that come after `after`, in the order of their ids, at most `max`. A sweep reads them first and looks up
 * the rows of these ids then: a lookup for each row of a subquery with a limit is refused where rows are spread over servers (docs/scale.md).
 * `client`: another database than that of the settings.
 */
export async function nextMerchants(after: string, max: number, client: Sql = sql()): Promise<NextMerchants> {
  const rows = await client<{ merchant_id: string }[]>`
    select /* of all merchants */ merchant_id from event_counters where merchant_id > ${after} order by merchant_id limit ${max}`;
  const ids = rows.map(({ merchant_id }) => merchant_id);
  return { ids, lastId: ids.length < max ? "" : (ids.at(-1) ?? "") };
}
