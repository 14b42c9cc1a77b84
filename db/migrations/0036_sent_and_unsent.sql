ALTER TYPE "public"."link_activity_kind" ADD VALUE 'unsent' BEFORE 'returned';--> statement-breakpoint
ALTER TABLE "bank_transfers" ADD COLUMN "sender_bank" text;--> statement-breakpoint
ALTER TABLE "bank_transfers" ADD COLUMN "sender_account_last4" text;--> statement-breakpoint
ALTER TABLE "payment_link_activity" ADD COLUMN "message_number" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "bank_transfers" ADD CONSTRAINT "bank_transfers_last4_is_digits" CHECK ("sender_account_last4" ~ '^[0-9]{4}$');