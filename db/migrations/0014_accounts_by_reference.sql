ALTER TABLE "bank_transfers" ALTER COLUMN "account_number" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "payment_links" ALTER COLUMN "checkout_url" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "bank_transfers" ADD COLUMN "account_reference" text;--> statement-breakpoint
ALTER TABLE "one_time_accounts" ADD COLUMN "account_reference" text;--> statement-breakpoint
UPDATE "one_time_accounts" "a" SET "account_reference" = "l"."provider_reference" FROM "payment_links" "l" WHERE "l"."merchant_id" = "a"."merchant_id" AND "l"."id" = "a"."link_id";--> statement-breakpoint
ALTER TABLE "one_time_accounts" ALTER COLUMN "account_reference" SET NOT NULL;--> statement-breakpoint
-- Notices that wait: they named the account by its number only.
UPDATE "provider_notices" "n" SET "payload" = "n"."payload" || jsonb_build_object('accountReference', coalesce((
  SELECT "a"."account_reference" FROM "one_time_accounts" "a" WHERE "a"."provider" = "n"."provider" AND "a"."account_number" = "n"."payload"->>'accountNumber'), "n"."payload"->>'accountNumber'))
WHERE "n"."processed_at" IS NULL;--> statement-breakpoint
UPDATE "sandbox"."notices" "n" SET "body" = "n"."body" || jsonb_build_object('reference', coalesce((
  SELECT "a"."reference" FROM "sandbox"."bank_accounts" "a" WHERE "a"."account_number" = "n"."body"->>'account_no'), "n"."body"->>'account_no'))
WHERE "n"."acknowledged_at" IS NULL AND "n"."path" = '/api/providers/sandbox/notices';--> statement-breakpoint
ALTER TABLE "sandbox"."bank_accounts" ADD COLUMN "house" text DEFAULT 'sandbox' NOT NULL;--> statement-breakpoint
CREATE INDEX "one_time_accounts_by_number" ON "one_time_accounts" USING btree ("account_number");--> statement-breakpoint
CREATE UNIQUE INDEX "bank_accounts_number" ON "sandbox"."bank_accounts" USING btree ("account_number");--> statement-breakpoint
ALTER TABLE "one_time_accounts" DROP CONSTRAINT "one_time_accounts_pkey";--> statement-breakpoint
ALTER TABLE "one_time_accounts" ADD CONSTRAINT "one_time_accounts_pkey" PRIMARY KEY("provider","account_reference");--> statement-breakpoint
ALTER TABLE "sandbox"."bank_accounts" DROP CONSTRAINT "bank_accounts_pkey";--> statement-breakpoint
ALTER TABLE "sandbox"."bank_accounts" ADD CONSTRAINT "bank_accounts_pkey" PRIMARY KEY("house","reference");--> statement-breakpoint
ALTER TABLE "sandbox"."bank_accounts" ADD CONSTRAINT "bank_accounts_house" CHECK ("sandbox"."bank_accounts"."house" in ('sandbox', 'sandbox-plain'));
