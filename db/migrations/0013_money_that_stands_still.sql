CREATE TYPE "public"."suspense_kind" AS ENUM('kept_by_issuer', 'returned_by_issuer');--> statement-breakpoint
CREATE TABLE "suspense_items" (
	"merchant_id" text NOT NULL,
	"id" text NOT NULL,
	"kind" "suspense_kind" NOT NULL,
	"card_id" text NOT NULL,
	"amount" bigint NOT NULL,
	"open" bigint NOT NULL,
	"moves" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"resolved_at" timestamp (3) with time zone,
	"resolution" text,
	CONSTRAINT "suspense_items_pkey" PRIMARY KEY("merchant_id","id"),
	CONSTRAINT "suspense_items_amount" CHECK ("suspense_items"."amount" <> 0 and "suspense_items"."open" between least(0, "suspense_items"."amount") and greatest(0, "suspense_items"."amount")),
	CONSTRAINT "suspense_items_resolved_when_closed" CHECK (("suspense_items"."open" = 0) = ("suspense_items"."resolved_at" is not null) and ("suspense_items"."open" = 0) = ("suspense_items"."resolution" is not null))
);
--> statement-breakpoint
ALTER TABLE "card_operations" ADD COLUMN "corrected_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "card_operations" ADD COLUMN "look_again_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "cards" ADD COLUMN "blocked_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "cards" ADD COLUMN "blocked_reason" text;--> statement-breakpoint
CREATE INDEX "suspense_items_by_card" ON "suspense_items" USING btree ("merchant_id","card_id") WHERE "suspense_items"."open" <> 0;--> statement-breakpoint
CREATE INDEX "suspense_items_open" ON "suspense_items" USING btree ("created_at") WHERE "suspense_items"."open" <> 0;--> statement-breakpoint
CREATE INDEX "card_operations_to_look_at_again" ON "card_operations" USING btree ("look_again_at") WHERE "card_operations"."look_again_at" is not null;--> statement-breakpoint
CREATE INDEX "card_transactions_waiting" ON "card_transactions" USING btree ("created_at") WHERE "card_transactions"."awaits_passing_on";--> statement-breakpoint
CREATE INDEX "cards_blocked" ON "cards" USING btree ("blocked_at") WHERE "cards"."blocked_at" is not null;--> statement-breakpoint
ALTER TABLE "card_operations" ADD CONSTRAINT "card_operations_looked_at_again_when_failed" CHECK ("look_again_at" is null or "status" = 'failed');--> statement-breakpoint
ALTER TABLE "card_operations" ADD CONSTRAINT "card_operations_corrected_is_completed" CHECK ("corrected_at" is null or "status" = 'completed');--> statement-breakpoint
ALTER TABLE "cards" ADD CONSTRAINT "cards_blocked_has_reason" CHECK (("blocked_at" is null) = ("blocked_reason" is null));