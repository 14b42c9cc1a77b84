-- What operators resolved before suspense items remembered it: the last posting of each says how much, and to whom.
UPDATE "suspense_items" i SET "credited" = l."amount"
FROM "ledger_transfers" l
WHERE i."open" = 0 AND i."resolution" LIKE 'credit: %' AND l."merchant_id" = i."merchant_id"
  AND l."key" = i."id" || ':' || i."moves" || ':credit' AND l."result" = 'posted';
--> statement-breakpoint
UPDATE "suspense_items" i SET "dismissed" = sign(i."amount") * l."amount"
FROM "ledger_transfers" l
WHERE i."open" = 0 AND i."resolution" LIKE 'dismiss: %' AND l."merchant_id" = i."merchant_id"
  AND l."key" = i."id" || ':' || i."moves" || ':issuer' AND l."result" = 'posted';
--> statement-breakpoint
-- Spend that awaits passing on: by how much its postings changed its card's balance.
UPDATE "card_transactions" c SET "change" = coalesce((
  SELECT sum(CASE t."kind"
    WHEN 'hold' THEN -t."amount"
    WHEN 'release' THEN t."amount"
    WHEN 'capture' THEN h."amount" - t."amount"
    ELSE CASE WHEN t."credit_account" = 'card:' || c."card_id" THEN t."amount" ELSE -t."amount" END END)
  FROM unnest(ARRAY['', ':beyond', ':rest', ':reversed_before', ':expired']) suffix
  JOIN "ledger_transfers" t ON t."merchant_id" = c."merchant_id" AND t."key" = 'card_transaction:' || c."id" || suffix AND t."result" = 'posted'
  LEFT JOIN "ledger_transfers" h ON h."merchant_id" = t."merchant_id" AND h."id" = t."resolves_id"), 0)
WHERE c."awaits_passing_on";
--> statement-breakpoint
-- An authorization whose hold was passed on before it expired: only the release still waits.
UPDATE "card_transactions" c SET "change" = t."amount"
FROM "ledger_transfers" t
WHERE c."awaits_passing_on" AND t."merchant_id" = c."merchant_id" AND t."key" = 'card_transaction:' || c."id" || ':expired' AND t."result" = 'posted';
--> statement-breakpoint
-- What wallets have paid for late spend, by the postings. What they got is left at zero: an unload that it would cover is then decided by operators.
UPDATE "cards" c SET "paid_for_spend" = p.cents
FROM (
  SELECT merchant_id, credit_account, sum(amount) AS cents FROM ledger_transfers
  WHERE result = 'posted' AND key LIKE '%:passed\_on:card' AND debit_account = 'fx:usd' GROUP BY 1, 2
) p
WHERE p.merchant_id = c.merchant_id AND p.credit_account = 'card:' || c.id;
--> statement-breakpoint
ALTER TYPE purchase_request ADD ATTRIBUTE sku text;
--> statement-breakpoint
-- Entries and events whose days go back within their sequence were counted on their own days. Their merchants are counted anew by the worker.
WITH days AS (
  SELECT merchant_id, 'wallet' AS source, seq AS number, (created_at AT TIME ZONE 'Africa/Lagos')::date AS day FROM ledger_entries WHERE account = 'wallet'
  UNION ALL
  SELECT merchant_id, 'event', sequence, (created_at AT TIME ZONE 'Africa/Lagos')::date FROM events
), reached AS (
  SELECT merchant_id, day, max(day) OVER (PARTITION BY merchant_id, source ORDER BY number) AS last_day FROM days
), out_of_order AS (
  SELECT DISTINCT merchant_id FROM reached WHERE day <> last_day
), forgotten AS (
  DELETE FROM daily_figures f USING out_of_order o WHERE f.merchant_id = o.merchant_id
)
UPDATE figure_cursors c SET wallet_seq = 0, event_sequence = 0 FROM out_of_order o WHERE c.merchant_id = o.merchant_id;
--> statement-breakpoint
UPDATE figure_cursors c SET
  wallet_day = (SELECT (e.created_at AT TIME ZONE 'Africa/Lagos')::date FROM ledger_entries e WHERE e.merchant_id = c.merchant_id AND e.account = 'wallet' AND e.seq = c.wallet_seq),
  event_day = (SELECT (e.created_at AT TIME ZONE 'Africa/Lagos')::date FROM events e WHERE e.merchant_id = c.merchant_id AND e.sequence = c.event_sequence);
