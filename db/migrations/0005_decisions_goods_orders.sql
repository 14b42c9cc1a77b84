ALTER TABLE "cards" ADD COLUMN "paid_for_spend" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "cards" ADD COLUMN "got_of_spend" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "cards" ADD COLUMN "spend_read_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "payment_links" ADD COLUMN "first_link_id" text;--> statement-breakpoint
ALTER TABLE "payment_links" ADD COLUMN "order_paid_by" text;--> statement-breakpoint
ALTER TABLE "figure_cursors" ADD COLUMN "wallet_day" date;--> statement-breakpoint
ALTER TABLE "figure_cursors" ADD COLUMN "event_day" date;--> statement-breakpoint
ALTER TABLE "suspense_items" ADD COLUMN "credited" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "suspense_items" ADD COLUMN "dismissed" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "suspense_items" ADD COLUMN "spent" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "idempotency_keys" ADD COLUMN "executed_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "card_transactions" ADD COLUMN "change" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "purchases" ADD COLUMN "sku" text;--> statement-breakpoint
CREATE INDEX "payment_links_of_an_order" ON "payment_links" USING btree ("merchant_id","first_link_id","id") WHERE first_link_id is not null;--> statement-breakpoint
CREATE INDEX "suspense_items_decided" ON "suspense_items" USING btree ("merchant_id","card_id") WHERE (credited <> 0 or dismissed <> 0 or spent <> 0);--> statement-breakpoint
-- Chains that exist: each link learns the first one, and the first one which link has paid the order.
WITH RECURSIVE chain AS (
  SELECT merchant_id, id AS first_id, id, reference, replaced_by, paid_at FROM payment_links WHERE replaces IS NULL AND replaced_by IS NOT NULL
  UNION ALL
  SELECT l.merchant_id, c.first_id, l.id, l.reference, l.replaced_by, l.paid_at
  FROM chain c JOIN payment_links l ON l.merchant_id = c.merchant_id AND l.reference = c.replaced_by
), paid AS (
  SELECT merchant_id, first_id, (array_agg(reference ORDER BY paid_at))[1] AS reference FROM chain WHERE paid_at IS NOT NULL GROUP BY 1, 2
)
UPDATE payment_links l SET first_link_id = CASE WHEN c.first_id <> l.id THEN c.first_id END,
  order_paid_by = CASE WHEN c.first_id = l.id THEN (SELECT p.reference FROM paid p WHERE p.merchant_id = c.merchant_id AND p.first_id = c.first_id) END
FROM chain c WHERE l.merchant_id = c.merchant_id AND l.id = c.id;--> statement-breakpoint
-- A link of a paid order that can still be paid: its time is over now, and the sweep expires it.
UPDATE payment_links l SET expires_at = least(l.expires_at, now()) FROM payment_links f
WHERE l.status = 'pending' AND f.merchant_id = l.merchant_id AND f.id = l.first_link_id AND f.order_paid_by IS NOT NULL;--> statement-breakpoint
ALTER TABLE "payment_links" ADD CONSTRAINT "payment_links_first_of_a_chain" CHECK ((replaces is null) = (first_link_id is null) and (first_link_id is null or order_paid_by is null));--> statement-breakpoint
ALTER TABLE "suspense_items" ADD CONSTRAINT "suspense_items_unexplained_is_a_part" CHECK (sign(credited) in (0, sign(amount)) and sign(dismissed) in (0, sign(amount)) and sign(spent) in (0, sign(amount)) and abs(open + credited + dismissed + spent) <= abs(amount));--> statement-breakpoint
ALTER TABLE "cards" ADD CONSTRAINT "cards_spend_is_not_below_zero" CHECK (paid_for_spend >= 0 and got_of_spend >= 0);
