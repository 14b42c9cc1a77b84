CREATE SCHEMA "sandbox";
--> statement-breakpoint
CREATE TYPE "public"."link_status" AS ENUM('pending', 'success', 'expired');--> statement-breakpoint
CREATE TYPE "public"."return_state" AS ENUM('none', 'owed', 'done');--> statement-breakpoint
CREATE TYPE "public"."transfer_classification" AS ENUM('exact', 'underpaid', 'overpaid', 'late', 'duplicate', 'unmatched');--> statement-breakpoint
CREATE TYPE "public"."transfer_disposition" AS ENUM('accepted', 'returned', 'suspended');--> statement-breakpoint
CREATE TYPE "public"."currency" AS ENUM('NGN', 'USD');--> statement-breakpoint
CREATE TYPE "public"."ledger_result" AS ENUM('posted', 'rejected');--> statement-breakpoint
CREATE TYPE "public"."ledger_side" AS ENUM('debit', 'credit');--> statement-breakpoint
CREATE TYPE "public"."ledger_transfer_kind" AS ENUM('post', 'hold', 'capture', 'release', 'reverse', 'recover');--> statement-breakpoint
CREATE TYPE "public"."idempotency_state" AS ENUM('running', 'unknown', 'done');--> statement-breakpoint
CREATE TYPE "public"."area" AS ENUM('checkout', 'cards', 'vtu');--> statement-breakpoint
CREATE TYPE "public"."member_role" AS ENUM('owner', 'admin', 'developer', 'support', 'viewer');--> statement-breakpoint
CREATE TYPE "public"."merchant_status" AS ENUM('active', 'suspended');--> statement-breakpoint
CREATE TYPE "public"."mode" AS ENUM('test', 'live');--> statement-breakpoint
CREATE TYPE "public"."provider_kind" AS ENUM('bank', 'issuer', 'aggregator');--> statement-breakpoint
CREATE SEQUENCE "sandbox"."bank_account_serial" INCREMENT BY 1 MINVALUE 1 MAXVALUE 999999999 START WITH 1 CACHE 1;--> statement-breakpoint
CREATE TABLE "bank_sessions" (
	"provider" text NOT NULL,
	"session_id" text NOT NULL,
	"merchant_id" text NOT NULL,
	"transfer_id" text NOT NULL,
	CONSTRAINT "bank_sessions_pkey" PRIMARY KEY("provider","session_id")
);
--> statement-breakpoint
CREATE TABLE "bank_transfers" (
	"merchant_id" text NOT NULL,
	"id" text NOT NULL,
	"link_id" text,
	"provider" text NOT NULL,
	"session_id" text NOT NULL,
	"account_number" text NOT NULL,
	"amount" bigint NOT NULL,
	"currency" "currency" NOT NULL,
	"classification" "transfer_classification" NOT NULL,
	"disposition" "transfer_disposition" NOT NULL,
	"sender_name" text,
	"received_at" timestamp (3) with time zone NOT NULL,
	"return_state" "return_state" DEFAULT 'none' NOT NULL,
	"return_attempts" integer DEFAULT 0 NOT NULL,
	"next_return_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "bank_transfers_pkey" PRIMARY KEY("merchant_id","id"),
	CONSTRAINT "bank_transfers_amount_positive" CHECK ("bank_transfers"."amount" > 0),
	CONSTRAINT "bank_transfers_accepted_is_exact" CHECK ("bank_transfers"."disposition" <> 'accepted' or "bank_transfers"."classification" = 'exact'),
	CONSTRAINT "bank_transfers_unmatched_has_no_link" CHECK (("bank_transfers"."classification" = 'unmatched') = ("bank_transfers"."link_id" is null)),
	CONSTRAINT "bank_transfers_suspended_is_unmatched" CHECK ("bank_transfers"."disposition" <> 'suspended' or "bank_transfers"."classification" = 'unmatched')
);
--> statement-breakpoint
CREATE TABLE "one_time_accounts" (
	"provider" text NOT NULL,
	"account_number" text NOT NULL,
	"merchant_id" text NOT NULL,
	"link_id" text NOT NULL,
	CONSTRAINT "one_time_accounts_pkey" PRIMARY KEY("provider","account_number")
);
--> statement-breakpoint
CREATE TABLE "payment_links" (
	"merchant_id" text NOT NULL,
	"id" text NOT NULL,
	"reference" text NOT NULL,
	"amount" bigint NOT NULL,
	"currency" "currency" DEFAULT 'NGN' NOT NULL,
	"description" text,
	"customer_name" text,
	"customer_email" text,
	"callback_url" text,
	"metadata" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"status" "link_status" DEFAULT 'pending' NOT NULL,
	"provider" text NOT NULL,
	"provider_reference" text NOT NULL,
	"account_number" text NOT NULL,
	"account_name" text NOT NULL,
	"bank_name" text NOT NULL,
	"checkout_url" text NOT NULL,
	"paid_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "payment_links_pkey" PRIMARY KEY("merchant_id","id"),
	CONSTRAINT "payment_links_amount_positive" CHECK ("payment_links"."amount" > 0),
	CONSTRAINT "payment_links_paid_at_when_paid" CHECK (("payment_links"."status" = 'success') = ("payment_links"."paid_at" is not null)),
	CONSTRAINT "payment_links_expire_after_creation" CHECK ("payment_links"."expires_at" >= "payment_links"."created_at")
);
--> statement-breakpoint
CREATE TABLE "payment_references" (
	"reference" text NOT NULL,
	"merchant_id" text NOT NULL,
	"link_id" text NOT NULL,
	CONSTRAINT "payment_references_pkey" PRIMARY KEY("reference")
);
--> statement-breakpoint
CREATE TABLE "provider_notices" (
	"provider" text NOT NULL,
	"notice_id" text NOT NULL,
	"payload" jsonb NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_attempt_at" timestamp (3) with time zone DEFAULT now(),
	"processed_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "provider_notices_pkey" PRIMARY KEY("provider","notice_id")
);
--> statement-breakpoint
CREATE TABLE "event_counters" (
	"merchant_id" text NOT NULL,
	"last_sequence" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "event_counters_pkey" PRIMARY KEY("merchant_id")
);
--> statement-breakpoint
CREATE TABLE "events" (
	"merchant_id" text NOT NULL,
	"sequence" bigint NOT NULL,
	"id" text NOT NULL,
	"type" text NOT NULL,
	"data" json NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "events_pkey" PRIMARY KEY("merchant_id","sequence"),
	CONSTRAINT "events_id" UNIQUE("merchant_id","id")
);
--> statement-breakpoint
CREATE TABLE "ledger_accounts" (
	"merchant_id" text NOT NULL,
	"account" text NOT NULL,
	"currency" "currency" NOT NULL,
	"normal_side" "ledger_side" NOT NULL,
	"floored" boolean NOT NULL,
	"posted_debits" bigint DEFAULT 0 NOT NULL,
	"posted_credits" bigint DEFAULT 0 NOT NULL,
	"pending_debits" bigint DEFAULT 0 NOT NULL,
	"pending_credits" bigint DEFAULT 0 NOT NULL,
	"seq" bigint DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "ledger_accounts_pkey" PRIMARY KEY("merchant_id","account"),
	CONSTRAINT "ledger_accounts_sums_not_negative" CHECK ("ledger_accounts"."posted_debits" >= 0 and "ledger_accounts"."posted_credits" >= 0 and "ledger_accounts"."pending_debits" >= 0 and "ledger_accounts"."pending_credits" >= 0),
	CONSTRAINT "ledger_accounts_available_not_negative" CHECK (not "ledger_accounts"."floored" or case "ledger_accounts"."normal_side" when 'credit' then "ledger_accounts"."posted_credits" - "ledger_accounts"."posted_debits" - "ledger_accounts"."pending_debits" else "ledger_accounts"."posted_debits" - "ledger_accounts"."posted_credits" - "ledger_accounts"."pending_credits" end >= 0)
);
--> statement-breakpoint
CREATE TABLE "ledger_entries" (
	"merchant_id" text NOT NULL,
	"account" text NOT NULL,
	"seq" bigint NOT NULL,
	"transfer_id" text NOT NULL,
	"side" "ledger_side" NOT NULL,
	"posted" bigint NOT NULL,
	"pending" bigint NOT NULL,
	"balance_after" bigint NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "ledger_entries_pkey" PRIMARY KEY("merchant_id","account","seq"),
	CONSTRAINT "ledger_entries_say_something" CHECK ("ledger_entries"."posted" <> 0 or "ledger_entries"."pending" <> 0)
);
--> statement-breakpoint
CREATE TABLE "ledger_transfers" (
	"merchant_id" text NOT NULL,
	"id" text NOT NULL,
	"key" text NOT NULL,
	"request_hash" text NOT NULL,
	"kind" "ledger_transfer_kind" NOT NULL,
	"result" "ledger_result" NOT NULL,
	"rejection" text,
	"debit_account" text,
	"credit_account" text,
	"currency" "currency",
	"amount" bigint,
	"overflowed" boolean DEFAULT false NOT NULL,
	"resolves_id" text,
	"reverses_id" text,
	"meta" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "ledger_transfers_pkey" PRIMARY KEY("merchant_id","id"),
	CONSTRAINT "ledger_transfers_key" UNIQUE("merchant_id","key"),
	CONSTRAINT "ledger_transfers_posted_is_whole" CHECK ("ledger_transfers"."result" = 'rejected' or ("ledger_transfers"."amount" > 0 and "ledger_transfers"."currency" is not null and "ledger_transfers"."debit_account" is not null and "ledger_transfers"."credit_account" is not null and "ledger_transfers"."debit_account" <> "ledger_transfers"."credit_account")),
	CONSTRAINT "ledger_transfers_rejection_named" CHECK (("ledger_transfers"."result" = 'rejected') = ("ledger_transfers"."rejection" is not null))
);
--> statement-breakpoint
CREATE TABLE "idempotency_keys" (
	"merchant_id" text NOT NULL,
	"scope" text NOT NULL,
	"key" text NOT NULL,
	"body_hash" text NOT NULL,
	"state" "idempotency_state" DEFAULT 'running' NOT NULL,
	"resource_id" text NOT NULL,
	"status" integer,
	"locked_until" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "idempotency_keys_pkey" PRIMARY KEY("merchant_id","scope","key"),
	CONSTRAINT "idempotency_keys_done_has_status" CHECK (("idempotency_keys"."state" = 'done') = ("idempotency_keys"."status" is not null))
);
--> statement-breakpoint
CREATE TABLE "request_log" (
	"merchant_id" text NOT NULL,
	"id" text NOT NULL,
	"api_key_id" text NOT NULL,
	"method" text NOT NULL,
	"path" text NOT NULL,
	"status" integer NOT NULL,
	"error_code" text,
	"duration_ms" integer NOT NULL,
	"client_address" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "request_log_pkey" PRIMARY KEY("merchant_id","id")
);
--> statement-breakpoint
CREATE TABLE "sandbox"."bank_accounts" (
	"reference" text NOT NULL,
	"account_number" text NOT NULL,
	"account_name" text NOT NULL,
	"amount" bigint NOT NULL,
	"opened_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"closes_at" timestamp (3) with time zone NOT NULL,
	"paid_by_session" text,
	CONSTRAINT "bank_accounts_pkey" PRIMARY KEY("reference")
);
--> statement-breakpoint
CREATE TABLE "sandbox"."bank_faults" (
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "sandbox"."bank_faults_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"reference" text NOT NULL,
	"fault" text NOT NULL,
	CONSTRAINT "bank_faults_pkey" PRIMARY KEY("id")
);
--> statement-breakpoint
CREATE TABLE "sandbox"."notices" (
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "sandbox"."notices_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"notice_id" text NOT NULL,
	"body" jsonb NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_attempt_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"acknowledged_at" timestamp (3) with time zone,
	CONSTRAINT "notices_pkey" PRIMARY KEY("id")
);
--> statement-breakpoint
CREATE TABLE "sandbox"."bank_transfers" (
	"session_id" text NOT NULL,
	"account_number" text NOT NULL,
	"amount" bigint NOT NULL,
	"sender_name" text NOT NULL,
	"made_at" timestamp (3) with time zone NOT NULL,
	"rejection" text,
	"returned_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "bank_transfers_pkey" PRIMARY KEY("session_id"),
	CONSTRAINT "bank_transfers_amount_positive" CHECK ("sandbox"."bank_transfers"."amount" > 0)
);
--> statement-breakpoint
CREATE TABLE "api_keys" (
	"public_key" text NOT NULL,
	"merchant_id" text NOT NULL,
	"id" text NOT NULL,
	"name" text NOT NULL,
	"secret_hash" text NOT NULL,
	"permissions" text[] NOT NULL,
	"allowed_ips" text[] DEFAULT '{}' NOT NULL,
	"last_used_at" timestamp (3) with time zone,
	"expires_at" timestamp (3) with time zone,
	"revoked_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "api_keys_pkey" PRIMARY KEY("public_key"),
	CONSTRAINT "api_keys_id" UNIQUE("merchant_id","id")
);
--> statement-breakpoint
CREATE TABLE "businesses" (
	"id" text NOT NULL,
	"name" text NOT NULL,
	"support_email" text,
	"support_phone" text,
	"brand_colour" text DEFAULT '#0f766e' NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "businesses_pkey" PRIMARY KEY("id"),
	CONSTRAINT "businesses_brand_colour_hex" CHECK ("businesses"."brand_colour" ~ '^#[0-9a-f]{6}$')
);
--> statement-breakpoint
CREATE TABLE "members" (
	"business_id" text NOT NULL,
	"user_id" text NOT NULL,
	"role" "member_role" NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "members_pkey" PRIMARY KEY("business_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "merchant_areas" (
	"merchant_id" text NOT NULL,
	"area" "area" NOT NULL,
	"enabled_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "merchant_areas_pkey" PRIMARY KEY("merchant_id","area")
);
--> statement-breakpoint
CREATE TABLE "merchant_providers" (
	"merchant_id" text NOT NULL,
	"kind" "provider_kind" NOT NULL,
	"mode" "mode" NOT NULL,
	"provider" text NOT NULL,
	CONSTRAINT "merchant_providers_pkey" PRIMARY KEY("merchant_id","kind"),
	CONSTRAINT "merchant_providers_no_sandbox_in_live" CHECK (not ("merchant_providers"."mode" = 'live' and "merchant_providers"."provider" = 'sandbox'))
);
--> statement-breakpoint
CREATE TABLE "merchants" (
	"id" text NOT NULL,
	"business_id" text NOT NULL,
	"mode" "mode" NOT NULL,
	"status" "merchant_status" DEFAULT 'active' NOT NULL,
	"requests_per_second" integer DEFAULT 100 NOT NULL,
	"request_burst" integer DEFAULT 200 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "merchants_pkey" PRIMARY KEY("id"),
	CONSTRAINT "merchants_one_per_mode" UNIQUE("business_id","mode"),
	CONSTRAINT "merchants_id_mode" UNIQUE("id","mode"),
	CONSTRAINT "merchants_rate_positive" CHECK ("merchants"."requests_per_second" > 0 and "merchants"."request_burst" >= "merchants"."requests_per_second")
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" text NOT NULL,
	"email" text NOT NULL,
	"name" text NOT NULL,
	"password_hash" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "users_pkey" PRIMARY KEY("id"),
	CONSTRAINT "users_email" UNIQUE("email"),
	CONSTRAINT "users_email_lower_case" CHECK ("users"."email" = lower("users"."email"))
);
--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_transfer_fkey" FOREIGN KEY ("merchant_id","transfer_id") REFERENCES "public"."ledger_transfers"("merchant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "members" ADD CONSTRAINT "members_business_fkey" FOREIGN KEY ("business_id") REFERENCES "public"."businesses"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "members" ADD CONSTRAINT "members_user_fkey" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "merchant_providers" ADD CONSTRAINT "merchant_providers_mode_fkey" FOREIGN KEY ("merchant_id","mode") REFERENCES "public"."merchants"("id","mode") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "merchants" ADD CONSTRAINT "merchants_business_fkey" FOREIGN KEY ("business_id") REFERENCES "public"."businesses"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "bank_transfers_by_link" ON "bank_transfers" USING btree ("merchant_id","link_id");--> statement-breakpoint
CREATE UNIQUE INDEX "bank_transfers_one_accepted_per_link" ON "bank_transfers" USING btree ("merchant_id","link_id") WHERE "bank_transfers"."disposition" = 'accepted';--> statement-breakpoint
CREATE INDEX "bank_transfers_to_return" ON "bank_transfers" USING btree ("next_return_at") WHERE "bank_transfers"."return_state" = 'owed';--> statement-breakpoint
CREATE INDEX "payment_links_pending" ON "payment_links" USING btree ("merchant_id","id") WHERE "payment_links"."status" = 'pending';--> statement-breakpoint
CREATE INDEX "payment_links_success" ON "payment_links" USING btree ("merchant_id","id") WHERE "payment_links"."status" = 'success';--> statement-breakpoint
CREATE INDEX "payment_links_expired" ON "payment_links" USING btree ("merchant_id","id") WHERE "payment_links"."status" = 'expired';--> statement-breakpoint
CREATE INDEX "payment_links_due_to_expire" ON "payment_links" USING btree ("expires_at") WHERE "payment_links"."status" = 'pending';--> statement-breakpoint
CREATE INDEX "provider_notices_due" ON "provider_notices" USING btree ("next_attempt_at") WHERE "provider_notices"."processed_at" is null;--> statement-breakpoint
CREATE INDEX "ledger_entries_by_transfer" ON "ledger_entries" USING btree ("merchant_id","transfer_id");--> statement-breakpoint
CREATE UNIQUE INDEX "ledger_transfers_hold_resolves_once" ON "ledger_transfers" USING btree ("merchant_id","resolves_id") WHERE "ledger_transfers"."resolves_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "ledger_transfers_posting_reverses_once" ON "ledger_transfers" USING btree ("merchant_id","reverses_id") WHERE "ledger_transfers"."reverses_id" is not null;--> statement-breakpoint
CREATE INDEX "idempotency_keys_by_age" ON "idempotency_keys" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "notices_due" ON "sandbox"."notices" USING btree ("next_attempt_at") WHERE "sandbox"."notices"."acknowledged_at" is null;