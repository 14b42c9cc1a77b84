ALTER TABLE "one_time_accounts" ADD COLUMN "next_read_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "one_time_accounts" ADD COLUMN "read_failures" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX "one_time_accounts_due" ON "one_time_accounts" USING btree ("next_read_at") WHERE "one_time_accounts"."next_read_at" is not null;--> statement-breakpoint
CREATE INDEX "bank_transfers_of_account" ON "sandbox"."bank_transfers" USING btree ("account_number");