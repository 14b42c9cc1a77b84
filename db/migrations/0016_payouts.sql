CREATE TYPE "public"."payout_decision" AS ENUM('approved', 'declined', 'withdrawn');--> statement-breakpoint
CREATE TYPE "public"."payout_interval" AS ENUM('day', 'week');--> statement-breakpoint
CREATE TYPE "public"."payout_status" AS ENUM('processing', 'paid', 'failed', 'reversed');--> statement-breakpoint
ALTER TYPE "public"."proof_purpose" ADD VALUE 'pay_out';--> statement-breakpoint
ALTER TYPE "public"."proof_purpose" ADD VALUE 'manage_payouts';--> statement-breakpoint
CREATE TABLE "bank_accounts" (
	"merchant_id" text NOT NULL,
	"id" text NOT NULL,
	"provider" text NOT NULL,
	"bank_code" text NOT NULL,
	"bank_name" text NOT NULL,
	"account_number" text NOT NULL,
	"account_name" text NOT NULL,
	"usable_at" timestamp (3) with time zone NOT NULL,
	"awaits_decision" boolean NOT NULL,
	"removed_at" timestamp (3) with time zone,
	"removed_by" text,
	"made_by" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "bank_accounts_pkey" PRIMARY KEY("merchant_id","id"),
	CONSTRAINT "bank_accounts_number" CHECK ("bank_accounts"."account_number" ~ '^[0-9]{10}$'),
	CONSTRAINT "bank_accounts_removed_by" CHECK (("bank_accounts"."removed_at" is null) = ("bank_accounts"."removed_by" is null))
);
--> statement-breakpoint
CREATE TABLE "payout_fees" (
	"merchant_id" text NOT NULL,
	"valid_from" timestamp (3) with time zone DEFAULT date_trunc('milliseconds', now()) NOT NULL,
	"flat" bigint NOT NULL,
	"bps" integer NOT NULL,
	"minimum" bigint NOT NULL,
	"maximum" bigint,
	CONSTRAINT "payout_fees_pkey" PRIMARY KEY("merchant_id","valid_from"),
	CONSTRAINT "payout_fees_not_negative" CHECK ("payout_fees"."flat" >= 0 and "payout_fees"."bps" between 0 and 10000 and "payout_fees"."minimum" >= 0),
	CONSTRAINT "payout_fees_maximum_above_minimum" CHECK ("payout_fees"."maximum" >= "payout_fees"."minimum")
);
--> statement-breakpoint
CREATE TABLE "payout_limits" (
	"merchant_id" text NOT NULL,
	"max_amount" bigint NOT NULL,
	"max_a_day" bigint NOT NULL,
	"delay_ms" bigint NOT NULL,
	CONSTRAINT "payout_limits_pkey" PRIMARY KEY("merchant_id"),
	CONSTRAINT "payout_limits_not_negative" CHECK ("payout_limits"."max_amount" >= 0 and "payout_limits"."max_a_day" >= 0 and "payout_limits"."delay_ms" >= 0)
);
--> statement-breakpoint
CREATE TABLE "payout_requests" (
	"merchant_id" text NOT NULL,
	"id" text NOT NULL,
	"bank_account_id" text NOT NULL,
	"amount" bigint NOT NULL,
	"narration" text,
	"made_by" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"decision" "payout_decision",
	"decided_by" text,
	"decided_at" timestamp (3) with time zone,
	CONSTRAINT "payout_requests_pkey" PRIMARY KEY("merchant_id","id"),
	CONSTRAINT "payout_requests_amount" CHECK ("payout_requests"."amount" > 0),
	CONSTRAINT "payout_requests_decided" CHECK (num_nonnulls("payout_requests"."decision", "payout_requests"."decided_by", "payout_requests"."decided_at") in (0, 3)),
	CONSTRAINT "payout_requests_two_people" CHECK ("payout_requests"."decision" <> 'approved' or "payout_requests"."decided_by" <> "payout_requests"."made_by")
);
--> statement-breakpoint
CREATE TABLE "payout_rules" (
	"merchant_id" text NOT NULL,
	"valid_from" timestamp (3) with time zone DEFAULT date_trunc('milliseconds', now()) NOT NULL,
	"max_amount" bigint,
	"max_a_day" bigint,
	"two_people_above" bigint,
	"automatic" "payout_interval",
	"automatic_account_id" text,
	"automatic_reserve" bigint DEFAULT 0 NOT NULL,
	"made_by" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "payout_rules_pkey" PRIMARY KEY("merchant_id","valid_from"),
	CONSTRAINT "payout_rules_limits" CHECK ("payout_rules"."max_amount" >= 0 and "payout_rules"."max_a_day" >= 0 and "payout_rules"."two_people_above" >= 0 and "payout_rules"."automatic_reserve" >= 0),
	CONSTRAINT "payout_rules_automatic_account" CHECK (("payout_rules"."automatic" is null) = ("payout_rules"."automatic_account_id" is null))
);
--> statement-breakpoint
CREATE TABLE "payouts" (
	"merchant_id" text NOT NULL,
	"id" text NOT NULL,
	"status" "payout_status" DEFAULT 'processing' NOT NULL,
	"provider" text NOT NULL,
	"bank_account_id" text NOT NULL,
	"bank_code" text NOT NULL,
	"bank_name" text NOT NULL,
	"account_number" text NOT NULL,
	"account_name" text NOT NULL,
	"amount" bigint NOT NULL,
	"fee" bigint NOT NULL,
	"narration" text,
	"metadata" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"session_id" text,
	"failure_reason" text,
	"is_late" boolean DEFAULT false NOT NULL,
	"corrections" integer DEFAULT 0 NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"fencing_token" integer DEFAULT 0 NOT NULL,
	"leased_at" timestamp (3) with time zone,
	"next_attempt_at" timestamp (3) with time zone,
	"automatic_for" date,
	"request_id" text,
	"approved_by" text,
	"made_by" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"paid_at" timestamp (3) with time zone,
	"ended_at" timestamp (3) with time zone,
	CONSTRAINT "payouts_pkey" PRIMARY KEY("merchant_id","id"),
	CONSTRAINT "payouts_amount" CHECK ("payouts"."amount" > 0 and "payouts"."fee" >= 0),
	CONSTRAINT "payouts_failed_has_reason" CHECK (("payouts"."status" in ('failed', 'reversed')) = ("payouts"."failure_reason" is not null)),
	CONSTRAINT "payouts_times" CHECK (("payouts"."paid_at" is not null) = ("payouts"."status" in ('paid', 'reversed')) and ("payouts"."ended_at" is not null) = ("payouts"."status" in ('failed', 'reversed'))),
	CONSTRAINT "payouts_processing_is_read" CHECK ("payouts"."status" <> 'processing' or "payouts"."next_attempt_at" is not null),
	CONSTRAINT "payouts_decided_by_two" CHECK (("payouts"."request_id" is null) = ("payouts"."approved_by" is null) and "payouts"."approved_by" is distinct from "payouts"."made_by")
);
--> statement-breakpoint
CREATE TABLE "sandbox"."payouts" (
	"house" text NOT NULL,
	"reference" text NOT NULL,
	"serial" bigint GENERATED ALWAYS AS IDENTITY (sequence name "sandbox"."payouts_serial_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"bank_code" text NOT NULL,
	"account_number" text NOT NULL,
	"amount" bigint NOT NULL,
	"state" text NOT NULL,
	"next_state" text,
	"due_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "payouts_pkey" PRIMARY KEY("house","reference")
);
--> statement-breakpoint
CREATE UNIQUE INDEX "bank_accounts_once" ON "bank_accounts" USING btree ("merchant_id","provider","bank_code","account_number") WHERE "bank_accounts"."removed_at" is null;--> statement-breakpoint
CREATE INDEX "bank_accounts_to_decide" ON "bank_accounts" USING btree ("created_at") WHERE "bank_accounts"."awaits_decision" and "bank_accounts"."removed_at" is null;--> statement-breakpoint
CREATE INDEX "payout_requests_open" ON "payout_requests" USING btree ("merchant_id","id") WHERE "payout_requests"."decision" is null;--> statement-breakpoint
CREATE INDEX "payout_rules_automatic" ON "payout_rules" USING btree ("merchant_id","valid_from") WHERE "payout_rules"."automatic" is not null;--> statement-breakpoint
CREATE INDEX "payouts_by_account" ON "payouts" USING btree ("merchant_id","bank_account_id","id") WHERE "payouts"."amount" > 0;--> statement-breakpoint
CREATE INDEX "payouts_by_creation" ON "payouts" USING btree ("merchant_id","created_at");--> statement-breakpoint
CREATE INDEX "payouts_processing" ON "payouts" USING btree ("merchant_id","id") WHERE "payouts"."status" = 'processing';--> statement-breakpoint
CREATE INDEX "payouts_failed" ON "payouts" USING btree ("merchant_id","id") WHERE "payouts"."status" = 'failed';--> statement-breakpoint
CREATE INDEX "payouts_reversed" ON "payouts" USING btree ("merchant_id","id") WHERE "payouts"."status" = 'reversed';--> statement-breakpoint
CREATE INDEX "payouts_by_session" ON "payouts" USING btree ("merchant_id","session_id") WHERE "payouts"."session_id" is not null;--> statement-breakpoint
CREATE INDEX "payouts_due" ON "payouts" USING btree ("provider","next_attempt_at") WHERE "payouts"."next_attempt_at" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "payouts_automatic_once" ON "payouts" USING btree ("merchant_id","automatic_for") WHERE "payouts"."automatic_for" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "payouts_once_for_a_request" ON "payouts" USING btree ("merchant_id","request_id") WHERE "payouts"."request_id" is not null;--> statement-breakpoint
CREATE INDEX "payouts_due" ON "sandbox"."payouts" USING btree ("due_at") WHERE "sandbox"."payouts"."due_at" is not null;--> statement-breakpoint
INSERT INTO "ledger_accounts" ("merchant_id", "account", "currency", "normal_side", "floored")
SELECT "merchant_id", 'revenue:payouts', 'NGN', 'credit', false FROM "ledger_accounts" WHERE "account" = 'wallet' ON CONFLICT DO NOTHING;
