CREATE TABLE "provider_checks" (
	"provider" text NOT NULL,
	"checked_at" timestamp (3) with time zone,
	"is_green" boolean NOT NULL,
	"check_fingerprint" text,
	"round_trip_fingerprint" text,
	"round_trip_at" timestamp (3) with time zone,
	CONSTRAINT "provider_checks_pkey" PRIMARY KEY("provider")
);
--> statement-breakpoint
CREATE TABLE "fallback_banks" (
	"merchant_id" text NOT NULL,
	"position" integer NOT NULL,
	"mode" "mode" NOT NULL,
	"provider" text NOT NULL,
	CONSTRAINT "fallback_banks_pkey" PRIMARY KEY("merchant_id","position"),
	CONSTRAINT "fallback_banks_once" UNIQUE("merchant_id","provider"),
	CONSTRAINT "fallback_banks_no_sandbox_in_live" CHECK (not ("fallback_banks"."mode" = 'live' and "fallback_banks"."provider" like 'sandbox%'))
);
--> statement-breakpoint
ALTER TABLE "merchants" ADD COLUMN "live_unlocked_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "fallback_banks" ADD CONSTRAINT "fallback_banks_mode_fkey" FOREIGN KEY ("merchant_id","mode") REFERENCES "public"."merchants"("id","mode") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "merchants" ADD CONSTRAINT "merchants_only_live_is_unlocked" CHECK ("merchants"."live_unlocked_at" is null or "merchants"."mode" = 'live');--> statement-breakpoint
-- A merchant that has a live area was let in before.
UPDATE "merchants" SET "live_unlocked_at" = now()
WHERE "mode" = 'live' AND EXISTS (SELECT FROM "merchant_areas" a WHERE a."merchant_id" = "merchants"."id");
--> statement-breakpoint
-- For round trips: an operator pays a link of the platform's own merchant.
INSERT INTO "ledger_accounts" ("merchant_id", "account", "currency", "normal_side", "floored") VALUES
	('mer_platform_live', 'wallet', 'NGN', 'credit', true),
	('mer_platform_live', 'receivable:merchant', 'NGN', 'debit', true),
	('mer_platform_live', 'revenue:payouts', 'NGN', 'credit', false);
--> statement-breakpoint
INSERT INTO "event_counters" ("merchant_id") VALUES ('mer_platform_live');
