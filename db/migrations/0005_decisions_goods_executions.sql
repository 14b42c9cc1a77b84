ALTER TABLE "suspense_items" ADD COLUMN "credited" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "suspense_items" ADD COLUMN "dismissed" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "idempotency_keys" ADD COLUMN "executed_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "purchases" ADD COLUMN "sku" text;--> statement-breakpoint
CREATE INDEX "suspense_items_decided" ON "suspense_items" USING btree ("merchant_id","card_id") WHERE (credited <> 0 or dismissed <> 0);--> statement-breakpoint
ALTER TABLE "suspense_items" ADD CONSTRAINT "suspense_items_unexplained_is_a_part" CHECK (sign(credited) in (0, sign(amount)) and sign(dismissed) in (0, sign(amount)) and abs(open + credited + dismissed) <= abs(amount));