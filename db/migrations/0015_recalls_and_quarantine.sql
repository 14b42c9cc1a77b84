ALTER TYPE "public"."transfer_disposition" ADD VALUE 'recalled';--> statement-breakpoint
CREATE TABLE "quarantined_spend" (
	"merchant_id" text NOT NULL,
	"card_id" text NOT NULL,
	"provider_transaction_id" text NOT NULL,
	"reason" text NOT NULL,
	"payload" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "quarantined_spend_pkey" PRIMARY KEY("merchant_id","card_id","provider_transaction_id")
);
--> statement-breakpoint
ALTER TABLE "payment_links" ADD COLUMN "recalled_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "provider_notices" ADD COLUMN "payload_hash" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "provider_notices" ADD COLUMN "quarantined_because" text;--> statement-breakpoint
CREATE INDEX "card_transactions_open" ON "card_transactions" USING btree ("occurred_at") WHERE "card_transactions"."open_amount" > 0;--> statement-breakpoint
ALTER TABLE "provider_notices" DROP CONSTRAINT "provider_notices_pkey";
--> statement-breakpoint
ALTER TABLE "provider_notices" ADD CONSTRAINT "provider_notices_pkey" PRIMARY KEY("provider","notice_id","payload_hash");--> statement-breakpoint
ALTER TABLE "payment_links" ADD CONSTRAINT "payment_links_recalled_when_paid" CHECK ("recalled_at" is null or "status" = 'success');