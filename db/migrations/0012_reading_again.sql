ALTER TABLE "one_time_accounts" ADD COLUMN "next_read_at" timestamp (3) with time zone;--> statement-breakpoint
-- By itself, so that accounts of before are not read.
ALTER TABLE "one_time_accounts" ALTER COLUMN "next_read_at" SET DEFAULT now() + interval '32 minutes';--> statement-breakpoint
ALTER TABLE "one_time_accounts" ADD COLUMN "read_failures" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "one_time_accounts" ADD COLUMN "reads_after_sent" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX "one_time_accounts_due" ON "one_time_accounts" USING btree ("provider","next_read_at") WHERE "one_time_accounts"."next_read_at" is not null;--> statement-breakpoint
CREATE INDEX "bank_transfers_of_account" ON "sandbox"."bank_transfers" USING btree ("account_number");