CREATE TYPE "public"."refund_route" AS ENUM('bank', 'payout');--> statement-breakpoint
CREATE TYPE "public"."refund_status" AS ENUM('needs_account', 'processing', 'paid', 'failed', 'reversed');--> statement-breakpoint
CREATE TABLE "refunds" (
	"merchant_id" text NOT NULL,
	"id" text NOT NULL,
	"status" "refund_status" NOT NULL,
	"route" "refund_route" NOT NULL,
	"provider" text NOT NULL,
	"link_id" text NOT NULL,
	"payment_reference" text NOT NULL,
	"transfer_id" text NOT NULL,
	"transfer_session_id" text NOT NULL,
	"account_reference" text,
	"amount" bigint NOT NULL,
	"reason" text,
	"bank_code" text,
	"bank_name" text,
	"account_number" text,
	"account_name" text,
	"account_given_at" timestamp (3) with time zone,
	"awaits_owner" boolean DEFAULT false NOT NULL,
	"confirmed_by" text,
	"lookups" integer DEFAULT 0 NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"ordered_at" timestamp (3) with time zone,
	"bank_reference" text,
	"session_id" text,
	"failure_reason" text,
	"is_late" boolean DEFAULT false NOT NULL,
	"corrections" integer DEFAULT 0 NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"fencing_token" integer DEFAULT 0 NOT NULL,
	"leased_at" timestamp (3) with time zone,
	"next_attempt_at" timestamp (3) with time zone,
	"made_by" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"paid_at" timestamp (3) with time zone,
	"ended_at" timestamp (3) with time zone,
	CONSTRAINT "refunds_pkey" PRIMARY KEY("merchant_id","id"),
	CONSTRAINT "refunds_amount" CHECK ("refunds"."amount" > 0),
	CONSTRAINT "refunds_account_number" CHECK ("refunds"."account_number" ~ '^[0-9]{10}$'),
	CONSTRAINT "refunds_account_is_whole" CHECK (num_nonnulls("refunds"."bank_code", "refunds"."bank_name", "refunds"."account_number", "refunds"."account_name", "refunds"."account_given_at") in (0, 5)),
	CONSTRAINT "refunds_by_the_bank_have_no_account" CHECK ("refunds"."route" = 'payout' or ("refunds"."account_number" is null and "refunds"."status" <> 'needs_account')),
	CONSTRAINT "refunds_ordered_unless_waiting" CHECK (case "refunds"."status" when 'needs_account' then "refunds"."ordered_at" is null when 'failed' then true else "refunds"."ordered_at" is not null end),
	CONSTRAINT "refunds_ordered_with_account" CHECK ("refunds"."ordered_at" is null or "refunds"."route" = 'bank' or "refunds"."account_number" is not null),
	CONSTRAINT "refunds_not_ordered_before_the_owner" CHECK (not "refunds"."awaits_owner" or "refunds"."ordered_at" is null),
	CONSTRAINT "refunds_expire_while_they_need_an_account" CHECK (("refunds"."status" = 'needs_account') = ("refunds"."expires_at" is not null)),
	CONSTRAINT "refunds_failed_has_reason" CHECK (("refunds"."status" in ('failed', 'reversed')) = ("refunds"."failure_reason" is not null)),
	CONSTRAINT "refunds_times" CHECK (("refunds"."paid_at" is not null) = ("refunds"."status" in ('paid', 'reversed')) and ("refunds"."ended_at" is not null) = ("refunds"."status" in ('failed', 'reversed'))),
	CONSTRAINT "refunds_processing_is_read" CHECK ("refunds"."status" <> 'processing' or "refunds"."next_attempt_at" is not null)
);
--> statement-breakpoint
CREATE TABLE "sandbox"."refunds" (
	"reference" text NOT NULL,
	"serial" bigint GENERATED ALWAYS AS IDENTITY (sequence name "sandbox"."refunds_serial_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"session_id" text NOT NULL,
	"amount" bigint NOT NULL,
	"state" text NOT NULL,
	"next_state" text,
	"due_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "refunds_pkey" PRIMARY KEY("reference")
);
--> statement-breakpoint
ALTER TABLE "payment_links" ADD COLUMN "refunded_amount" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "payment_links" ADD COLUMN "refunding_amount" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "sandbox"."bank_transfers" ADD COLUMN "sender_account" text;--> statement-breakpoint
CREATE INDEX "refunds_of_a_link" ON "refunds" USING btree ("merchant_id","link_id","id") WHERE "refunds"."amount" > 0;--> statement-breakpoint
CREATE INDEX "refunds_of_a_transfer" ON "refunds" USING btree ("merchant_id","transfer_id") WHERE "refunds"."status" in ('needs_account', 'processing', 'paid');--> statement-breakpoint
CREATE INDEX "refunds_by_creation" ON "refunds" USING btree ("merchant_id","created_at");--> statement-breakpoint
CREATE INDEX "refunds_open" ON "refunds" USING btree ("merchant_id","id") WHERE "refunds"."status" in ('needs_account', 'processing');--> statement-breakpoint
CREATE INDEX "refunds_failed" ON "refunds" USING btree ("merchant_id","id") WHERE "refunds"."status" = 'failed';--> statement-breakpoint
CREATE INDEX "refunds_reversed" ON "refunds" USING btree ("merchant_id","id") WHERE "refunds"."status" = 'reversed';--> statement-breakpoint
CREATE INDEX "refunds_by_account" ON "refunds" USING btree ("merchant_id","account_number","id") WHERE "refunds"."account_number" is not null;--> statement-breakpoint
CREATE INDEX "refunds_by_session" ON "refunds" USING btree ("merchant_id","session_id") WHERE "refunds"."session_id" is not null;--> statement-breakpoint
CREATE INDEX "refunds_due" ON "refunds" USING btree ("provider","next_attempt_at") WHERE "refunds"."next_attempt_at" is not null;--> statement-breakpoint
CREATE INDEX "refunds_to_expire" ON "refunds" USING btree ("expires_at") WHERE "refunds"."expires_at" is not null;--> statement-breakpoint
CREATE INDEX "refunds_of_a_transfer" ON "sandbox"."refunds" USING btree ("session_id");--> statement-breakpoint
CREATE INDEX "refunds_due" ON "sandbox"."refunds" USING btree ("due_at") WHERE "sandbox"."refunds"."due_at" is not null;--> statement-breakpoint
ALTER TABLE "payment_links" ADD CONSTRAINT "payment_links_refunded_when_paid" CHECK (least(refunded_amount, refunding_amount) >= 0 and (status = 'success' or greatest(refunded_amount, refunding_amount) = 0)) NOT VALID;