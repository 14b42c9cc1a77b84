CREATE SCHEMA "sandbox";
--> statement-breakpoint
CREATE TYPE "public"."bulk_order_status" AS ENUM('draft', 'running', 'paused', 'done', 'cancelled');--> statement-breakpoint
CREATE TYPE "public"."bulk_row_status" AS ENUM('ready', 'invalid', 'duplicate', 'bought', 'skipped');--> statement-breakpoint
CREATE TYPE "public"."card_brand" AS ENUM('VISA', 'MASTERCARD');--> statement-breakpoint
CREATE TYPE "public"."card_operation_status" AS ENUM('processing', 'completed', 'failed');--> statement-breakpoint
CREATE TYPE "public"."card_operation_type" AS ENUM('issue', 'fund', 'unload', 'freeze', 'unfreeze', 'terminate');--> statement-breakpoint
CREATE TYPE "public"."card_status" AS ENUM('PENDING', 'ACTIVE', 'FROZEN', 'TERMINATED', 'FAILED');--> statement-breakpoint
CREATE TYPE "public"."issuer_subject" AS ENUM('cardholder', 'card');--> statement-breakpoint
CREATE TYPE "public"."kyc_status" AS ENUM('PENDING', 'APPROVED', 'REJECTED');--> statement-breakpoint
CREATE TYPE "public"."link_activity_kind" AS ENUM('opened', 'copied', 'sent', 'unsent', 'returned');--> statement-breakpoint
CREATE TYPE "public"."link_status" AS ENUM('pending', 'success', 'expired');--> statement-breakpoint
CREATE TYPE "public"."return_state" AS ENUM('none', 'owed', 'done');--> statement-breakpoint
CREATE TYPE "public"."transfer_classification" AS ENUM('exact', 'underpaid', 'overpaid', 'late', 'duplicate', 'unmatched');--> statement-breakpoint
CREATE TYPE "public"."transfer_disposition" AS ENUM('accepted', 'returned', 'suspended', 'recalled');--> statement-breakpoint
CREATE TYPE "public"."figure_source" AS ENUM('wallet', 'event');--> statement-breakpoint
CREATE TYPE "public"."currency" AS ENUM('NGN', 'USD');--> statement-breakpoint
CREATE TYPE "public"."ledger_result" AS ENUM('posted', 'rejected');--> statement-breakpoint
CREATE TYPE "public"."ledger_side" AS ENUM('debit', 'credit');--> statement-breakpoint
CREATE TYPE "public"."ledger_transfer_kind" AS ENUM('post', 'hold', 'capture', 'release', 'reverse', 'recover');--> statement-breakpoint
CREATE TYPE "public"."suspense_kind" AS ENUM('kept_by_issuer', 'returned_by_issuer');--> statement-breakpoint
CREATE TYPE "public"."card_fee_kind" AS ENUM('issue', 'fund');--> statement-breakpoint
CREATE TYPE "public"."idempotency_state" AS ENUM('running', 'unknown', 'done');--> statement-breakpoint
CREATE TYPE "public"."request_caller" AS ENUM('key', 'member');--> statement-breakpoint
CREATE TYPE "public"."card_transaction_status" AS ENUM('PENDING', 'COMPLETED', 'REVERSED', 'DECLINED');--> statement-breakpoint
CREATE TYPE "public"."card_transaction_type" AS ENUM('AUTHORIZATION', 'CLEARING', 'REVERSAL', 'REFUND', 'DECLINE', 'FEE');--> statement-breakpoint
CREATE TYPE "public"."area" AS ENUM('checkout', 'cards', 'vtu');--> statement-breakpoint
CREATE TYPE "public"."member_role" AS ENUM('owner', 'admin', 'developer', 'support', 'viewer');--> statement-breakpoint
CREATE TYPE "public"."merchant_status" AS ENUM('active', 'suspended');--> statement-breakpoint
CREATE TYPE "public"."mode" AS ENUM('test', 'live');--> statement-breakpoint
CREATE TYPE "public"."provider_kind" AS ENUM('bank', 'issuer', 'aggregator');--> statement-breakpoint
CREATE TYPE "public"."proof_purpose" AS ENUM('reveal_card', 'add_passkey', 'remove_passkey', 'manage_keys', 'manage_team');--> statement-breakpoint
CREATE TYPE "public"."user_token_kind" AS ENUM('verify_email', 'reset_password');--> statement-breakpoint
CREATE TYPE "public"."purchase_exception_kind" AS ENUM('late_success', 'reversal', 'ignored');--> statement-breakpoint
CREATE TYPE "public"."purchase_status" AS ENUM('processing', 'success', 'failed', 'reversed');--> statement-breakpoint
CREATE TYPE "public"."vtu_service" AS ENUM('airtime', 'data', 'cable', 'electricity', 'exam');--> statement-breakpoint
CREATE TYPE "public"."delivery_status" AS ENUM('pending', 'delivered', 'failed');--> statement-breakpoint
CREATE TYPE "public"."disabled_reason" AS ENUM('merchant', 'gone', 'failing');--> statement-breakpoint
CREATE TYPE "public"."endpoint_status" AS ENUM('enabled', 'disabled', 'deleted');--> statement-breakpoint
CREATE SEQUENCE "sandbox"."bank_account_serial" INCREMENT BY 1 MINVALUE 1 MAXVALUE 999999999 START WITH 1 CACHE 1;--> statement-breakpoint
CREATE SEQUENCE "public"."product_numbers" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1001 CACHE 1;--> statement-breakpoint
CREATE TABLE "alerts" (
	"merchant_id" text NOT NULL,
	"id" text NOT NULL,
	"type" text NOT NULL,
	"message" text NOT NULL,
	"resource_id" text NOT NULL,
	"cause" text,
	"noted_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "alerts_pkey" PRIMARY KEY("merchant_id","id")
);
--> statement-breakpoint
CREATE TABLE "balance_limits" (
	"merchant_id" text NOT NULL,
	"kobo" bigint NOT NULL,
	"below_since" timestamp (3) with time zone,
	"alerted_at" timestamp (3) with time zone,
	CONSTRAINT "balance_limits_pkey" PRIMARY KEY("merchant_id"),
	CONSTRAINT "balance_limits_positive" CHECK ("balance_limits"."kobo" > 0)
);
--> statement-breakpoint
CREATE TABLE "seen_alerts" (
	"merchant_id" text NOT NULL,
	"user_id" text NOT NULL,
	"up_to" text NOT NULL,
	CONSTRAINT "seen_alerts_pkey" PRIMARY KEY("merchant_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "audit_entries" (
	"business_id" text NOT NULL,
	"seq" bigint NOT NULL,
	"id" text NOT NULL,
	"mode" "mode",
	"actor_type" text NOT NULL,
	"actor_id" text NOT NULL,
	"action" text NOT NULL,
	"subject" text NOT NULL,
	"reason" text,
	"before" jsonb,
	"after" jsonb,
	"address" text,
	"request_id" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"hash" text NOT NULL,
	CONSTRAINT "audit_entries_pkey" PRIMARY KEY("business_id","seq"),
	CONSTRAINT "audit_entries_seq_from_one" CHECK ("audit_entries"."seq" > 0),
	CONSTRAINT "audit_entries_hash" CHECK ("audit_entries"."hash" ~ '^[0-9a-f]{64}$')
);
--> statement-breakpoint
CREATE TABLE "audit_heads" (
	"business_id" text NOT NULL,
	"seq" bigint NOT NULL,
	"hash" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "audit_heads_pkey" PRIMARY KEY("business_id")
);
--> statement-breakpoint
CREATE TABLE "bulk_orders" (
	"merchant_id" text NOT NULL,
	"id" text NOT NULL,
	"service" "vtu_service" NOT NULL,
	"status" "bulk_order_status" DEFAULT 'draft' NOT NULL,
	"pause_reason" text,
	"pause_message" text,
	"paused_row" integer,
	"made_by" text NOT NULL,
	"buyer_id" text,
	"turn" integer DEFAULT 0 NOT NULL,
	"locked_until" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"confirmed_at" timestamp (3) with time zone,
	"completed_at" timestamp (3) with time zone,
	CONSTRAINT "bulk_orders_pkey" PRIMARY KEY("merchant_id","id"),
	CONSTRAINT "bulk_orders_pause_has_reason" CHECK (("bulk_orders"."status" = 'paused') = ("bulk_orders"."pause_reason" is not null and "bulk_orders"."pause_message" is not null)),
	CONSTRAINT "bulk_orders_confirmed_by_a_member" CHECK (("bulk_orders"."confirmed_at" is null) = ("bulk_orders"."buyer_id" is null)),
	CONSTRAINT "bulk_orders_running_is_confirmed" CHECK ("bulk_orders"."status" in ('draft', 'cancelled') or "bulk_orders"."confirmed_at" is not null),
	CONSTRAINT "bulk_orders_over_has_time" CHECK (("bulk_orders"."status" in ('done', 'cancelled')) = ("bulk_orders"."completed_at" is not null))
);
--> statement-breakpoint
CREATE TABLE "bulk_rows" (
	"merchant_id" text NOT NULL,
	"bulk_order_id" text NOT NULL,
	"row" integer NOT NULL,
	"status" "bulk_row_status" NOT NULL,
	"cells" jsonb NOT NULL,
	"message" text,
	"recipient" text,
	"product_id" integer,
	"product_name" text,
	"network" text,
	"variant" text,
	"amount" bigint,
	"duplicate_of" text,
	"allow_duplicate" boolean DEFAULT false NOT NULL,
	"purchase_id" text,
	CONSTRAINT "bulk_rows_pkey" PRIMARY KEY("merchant_id","bulk_order_id","row"),
	CONSTRAINT "bulk_rows_invalid_has_message" CHECK (("bulk_rows"."status" = 'invalid') = ("bulk_rows"."message" is not null)),
	CONSTRAINT "bulk_rows_valid_has_product" CHECK (("bulk_rows"."status" = 'invalid') = ("bulk_rows"."product_id" is null) and ("bulk_rows"."product_id" is null) = ("bulk_rows"."recipient" is null) and ("bulk_rows"."product_id" is null) = ("bulk_rows"."product_name" is null)
        and ("bulk_rows"."product_id" is null) = ("bulk_rows"."amount" is null) and coalesce("bulk_rows"."amount", 1) > 0),
	CONSTRAINT "bulk_rows_duplicate_of_something" CHECK ("bulk_rows"."status" <> 'duplicate' or ("bulk_rows"."duplicate_of" is not null and not "bulk_rows"."allow_duplicate")),
	CONSTRAINT "bulk_rows_bought_has_purchase" CHECK ("bulk_rows"."status" <> 'bought' or "bulk_rows"."purchase_id" is not null)
);
--> statement-breakpoint
CREATE TABLE "card_operations" (
	"merchant_id" text NOT NULL,
	"id" text NOT NULL,
	"card_id" text NOT NULL,
	"type" "card_operation_type" NOT NULL,
	"status" "card_operation_status" DEFAULT 'processing' NOT NULL,
	"reference" text NOT NULL,
	"provider_reference" text,
	"amount" bigint NOT NULL,
	"fee" bigint NOT NULL,
	"exchange_rate" bigint,
	"mid_rate" bigint,
	"wallet_amount" bigint NOT NULL,
	"failure_reason" text,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_attempt_at" timestamp (3) with time zone,
	"asked_at" timestamp (3) with time zone,
	"corrected_at" timestamp (3) with time zone,
	"recheck_at" timestamp (3) with time zone,
	"made_by" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"completed_at" timestamp (3) with time zone,
	CONSTRAINT "card_operations_pkey" PRIMARY KEY("merchant_id","id"),
	CONSTRAINT "card_operations_amount" CHECK ("card_operations"."amount" > 0 or "card_operations"."type" not in ('fund', 'unload')),
	CONSTRAINT "card_operations_fee_not_negative" CHECK ("card_operations"."fee" >= 0),
	CONSTRAINT "card_operations_money_has_a_rate" CHECK ("card_operations"."wallet_amount" = 0 or ("card_operations"."exchange_rate" > 0 and "card_operations"."mid_rate" > 0)),
	CONSTRAINT "card_operations_rechecked_when_failed" CHECK ("card_operations"."recheck_at" is null or "card_operations"."status" = 'failed'),
	CONSTRAINT "card_operations_corrected_is_completed" CHECK ("card_operations"."corrected_at" is null or "card_operations"."status" = 'completed'),
	CONSTRAINT "card_operations_failed_has_reason" CHECK (("card_operations"."status" = 'failed') = ("card_operations"."failure_reason" is not null)),
	CONSTRAINT "card_operations_final_is_over" CHECK (("card_operations"."status" = 'processing') = ("card_operations"."completed_at" is null) and ("card_operations"."status" = 'processing') = ("card_operations"."next_attempt_at" is not null))
);
--> statement-breakpoint
CREATE TABLE "cardholders" (
	"merchant_id" text NOT NULL,
	"id" bigint NOT NULL,
	"reference" text NOT NULL,
	"first_name" text NOT NULL,
	"last_name" text NOT NULL,
	"email" text NOT NULL,
	"phone" text,
	"kyc_status" "kyc_status" DEFAULT 'PENDING' NOT NULL,
	"kyc_rejection_reason" text,
	"metadata" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"provider" text NOT NULL,
	"provider_reference" text,
	"checks" integer DEFAULT 0 NOT NULL,
	"next_check_at" timestamp (3) with time zone,
	"made_by" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "cardholders_pkey" PRIMARY KEY("merchant_id","id"),
	CONSTRAINT "cardholders_email" UNIQUE("merchant_id","email"),
	CONSTRAINT "cardholders_email_lower_case" CHECK ("cardholders"."email" = lower("cardholders"."email")),
	CONSTRAINT "cardholders_rejection_has_reason" CHECK (("cardholders"."kyc_status" = 'REJECTED') = ("cardholders"."kyc_rejection_reason" is not null)),
	CONSTRAINT "cardholders_asked_while_pending" CHECK ("cardholders"."next_check_at" is null or "cardholders"."kyc_status" = 'PENDING' or "cardholders"."provider_reference" is null)
);
--> statement-breakpoint
CREATE TABLE "cards" (
	"merchant_id" text NOT NULL,
	"id" text NOT NULL,
	"cardholder_id" bigint NOT NULL,
	"brand" "card_brand" NOT NULL,
	"nickname" text,
	"metadata" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"status" "card_status" DEFAULT 'PENDING' NOT NULL,
	"provider" text NOT NULL,
	"provider_reference" text,
	"last4" text,
	"expiry_month" smallint,
	"expiry_year" smallint,
	"next_sync_at" timestamp (3) with time zone,
	"made_by" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"terminated_at" timestamp (3) with time zone,
	"blocked_at" timestamp (3) with time zone,
	"blocked_reason" text,
	CONSTRAINT "cards_pkey" PRIMARY KEY("merchant_id","id"),
	CONSTRAINT "cards_last4_only" CHECK ("cards"."last4" ~ '^[0-9]{4}$'),
	CONSTRAINT "cards_issued_are_known" CHECK ("cards"."status" in ('PENDING', 'FAILED') or ("cards"."provider_reference" is not null and "cards"."last4" is not null and "cards"."expiry_month" between 1 and 12 and "cards"."expiry_year" is not null)),
	CONSTRAINT "cards_blocked_has_reason" CHECK (("cards"."blocked_at" is null) = ("cards"."blocked_reason" is null)),
	CONSTRAINT "cards_terminated_at_when_terminated" CHECK (("cards"."status" = 'TERMINATED') = ("cards"."terminated_at" is not null))
);
--> statement-breakpoint
CREATE TABLE "issuer_references" (
	"provider" text NOT NULL,
	"reference" text NOT NULL,
	"merchant_id" text NOT NULL,
	"subject" "issuer_subject" NOT NULL,
	"subject_id" text NOT NULL,
	CONSTRAINT "issuer_references_pkey" PRIMARY KEY("provider","reference")
);
--> statement-breakpoint
CREATE TABLE "bank_health" (
	"provider" text NOT NULL,
	"failures" integer DEFAULT 0 NOT NULL,
	"down_since" timestamp (3) with time zone,
	"next_check_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "bank_health_pkey" PRIMARY KEY("provider"),
	CONSTRAINT "bank_health_failures_counted" CHECK ("bank_health"."failures" >= 0)
);
--> statement-breakpoint
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
	"sender_bank" text,
	"sender_account_last4" text,
	"received_at" timestamp (3) with time zone NOT NULL,
	"return_state" "return_state" DEFAULT 'none' NOT NULL,
	"return_attempts" integer DEFAULT 0 NOT NULL,
	"next_return_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "bank_transfers_pkey" PRIMARY KEY("merchant_id","id"),
	CONSTRAINT "bank_transfers_last4_is_digits" CHECK ("bank_transfers"."sender_account_last4" ~ '^[0-9]{4}$'),
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
CREATE TABLE "payment_link_activity" (
	"merchant_id" text NOT NULL,
	"link_id" text NOT NULL,
	"kind" "link_activity_kind" NOT NULL,
	"first_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"last_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"times" integer DEFAULT 1 NOT NULL,
	"transfers_seen" integer DEFAULT 0 NOT NULL,
	"message_number" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "payment_link_activity_pkey" PRIMARY KEY("merchant_id","link_id","kind"),
	CONSTRAINT "payment_link_activity_in_order" CHECK ("payment_link_activity"."last_at" >= "payment_link_activity"."first_at" and "payment_link_activity"."times" > 0)
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
	"recalled_at" timestamp (3) with time zone,
	"replaces" text,
	"replaced_by" text,
	"made_by" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "payment_links_pkey" PRIMARY KEY("merchant_id","id"),
	CONSTRAINT "payment_links_reference" UNIQUE("reference","merchant_id"),
	CONSTRAINT "payment_links_amount_positive" CHECK ("payment_links"."amount" > 0),
	CONSTRAINT "payment_links_paid_at_when_paid" CHECK (("payment_links"."status" = 'success') = ("payment_links"."paid_at" is not null)),
	CONSTRAINT "payment_links_recalled_when_paid" CHECK ("payment_links"."recalled_at" is null or "payment_links"."status" = 'success'),
	CONSTRAINT "payment_links_replaced_when_not_pending" CHECK ("payment_links"."replaced_by" is null or "payment_links"."status" <> 'pending'),
	CONSTRAINT "payment_links_replace_another" CHECK ("payment_links"."replaces" <> "payment_links"."reference" and "payment_links"."replaced_by" <> "payment_links"."reference"),
	CONSTRAINT "payment_links_expire_after_creation" CHECK ("payment_links"."expires_at" >= "payment_links"."created_at")
);
--> statement-breakpoint
CREATE TABLE "provider_notices" (
	"provider" text NOT NULL,
	"notice_id" text NOT NULL,
	"payload_hash" text DEFAULT '' NOT NULL,
	"payload" jsonb NOT NULL,
	"quarantined_because" text,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_attempt_at" timestamp (3) with time zone DEFAULT now(),
	"processed_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "provider_notices_pkey" PRIMARY KEY("provider","notice_id","payload_hash")
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
CREATE TABLE "export_leases" (
	"business_id" text NOT NULL,
	"user_id" text NOT NULL,
	"lease" text NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "export_leases_pkey" PRIMARY KEY("business_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "daily_figures" (
	"merchant_id" text NOT NULL,
	"day" date NOT NULL,
	"source" "figure_source" NOT NULL,
	"type" text NOT NULL,
	"count" bigint NOT NULL,
	"kobo" bigint NOT NULL,
	CONSTRAINT "daily_figures_pkey" PRIMARY KEY("merchant_id","day","source","type"),
	CONSTRAINT "daily_figures_count_positive" CHECK ("daily_figures"."count" > 0)
);
--> statement-breakpoint
CREATE TABLE "figure_cursors" (
	"merchant_id" text NOT NULL,
	"wallet_seq" bigint DEFAULT 0 NOT NULL,
	"event_sequence" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "figure_cursors_pkey" PRIMARY KEY("merchant_id"),
	CONSTRAINT "figure_cursors_not_negative" CHECK ("figure_cursors"."wallet_seq" >= 0 and "figure_cursors"."event_sequence" >= 0)
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
	"available" bigint GENERATED ALWAYS AS (case when normal_side = 'credit' then posted_credits - posted_debits - pending_debits else posted_debits - posted_credits - pending_credits end) STORED NOT NULL,
	"seq" bigint DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "ledger_accounts_pkey" PRIMARY KEY("merchant_id","account"),
	CONSTRAINT "ledger_accounts_sums_not_negative" CHECK (least("ledger_accounts"."posted_debits", "ledger_accounts"."posted_credits", "ledger_accounts"."pending_debits", "ledger_accounts"."pending_credits") >= 0),
	CONSTRAINT "ledger_accounts_available_not_negative" CHECK (not "ledger_accounts"."floored" or "ledger_accounts"."available" >= 0)
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
CREATE TABLE "mail_choices" (
	"business_id" text NOT NULL,
	"user_id" text NOT NULL,
	"topic" text NOT NULL,
	"frequency" text NOT NULL,
	"chosen_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "mail_choices_pkey" PRIMARY KEY("business_id","user_id","topic"),
	CONSTRAINT "mail_choices_topic" CHECK ("mail_choices"."topic" in ('payments', 'returns', 'wallet', 'cards', 'developers')),
	CONSTRAINT "mail_choices_frequency" CHECK ("mail_choices"."frequency" in ('each', 'daily', 'never'))
);
--> statement-breakpoint
CREATE TABLE "mail_items" (
	"merchant_id" text NOT NULL,
	"user_id" text NOT NULL,
	"cause" text NOT NULL,
	"topic" text NOT NULL,
	"frequency" text NOT NULL,
	"due_at" timestamp (3) with time zone,
	"mailed_at" timestamp (3) with time zone,
	"mailed_in" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "mail_items_pkey" PRIMARY KEY("merchant_id","user_id","cause"),
	CONSTRAINT "mail_items_mailed_in_a_mail" CHECK (("mail_items"."mailed_at" is null) = ("mail_items"."mailed_in" is null)),
	CONSTRAINT "mail_items_mailed_once" CHECK ("mail_items"."due_at" is null or "mail_items"."mailed_at" is null)
);
--> statement-breakpoint
CREATE TABLE "mail_positions" (
	"merchant_id" text NOT NULL,
	"sequence" bigint NOT NULL,
	CONSTRAINT "mail_positions_pkey" PRIMARY KEY("merchant_id")
);
--> statement-breakpoint
CREATE TABLE "mails" (
	"id" text NOT NULL,
	"recipient" text NOT NULL,
	"kind" text NOT NULL,
	"sealed_body" text,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_attempt_at" timestamp (3) with time zone DEFAULT now(),
	"sent_at" timestamp (3) with time zone,
	"failed_at" timestamp (3) with time zone,
	"last_error" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "mails_pkey" PRIMARY KEY("id"),
	CONSTRAINT "mails_end_once" CHECK (num_nonnulls("mails"."sent_at", "mails"."failed_at") <= 1),
	CONSTRAINT "mails_body_while_waiting" CHECK (("mails"."sealed_body" is not null) = (num_nonnulls("mails"."sent_at", "mails"."failed_at") = 0)),
	CONSTRAINT "mails_next_attempt_while_waiting" CHECK (("mails"."next_attempt_at" is not null) = (num_nonnulls("mails"."sent_at", "mails"."failed_at") = 0)),
	CONSTRAINT "mails_recipient_is_one_address" CHECK ("mails"."recipient" ~ '^[A-Za-z0-9._%+''-]+@[A-Za-z0-9.-]+$'),
	CONSTRAINT "mails_last_error_is_a_class" CHECK ("mails"."last_error" ~ '^[a-z_]{1,32}$'),
	CONSTRAINT "mails_failed_for_a_reason" CHECK ("mails"."failed_at" is null or "mails"."last_error" is not null)
);
--> statement-breakpoint
CREATE TABLE "card_fees" (
	"merchant_id" text NOT NULL,
	"kind" "card_fee_kind" NOT NULL,
	"flat" bigint NOT NULL,
	"bps" integer NOT NULL,
	"minimum" bigint NOT NULL,
	"maximum" bigint,
	CONSTRAINT "card_fees_pkey" PRIMARY KEY("merchant_id","kind"),
	CONSTRAINT "card_fees_not_negative" CHECK ("card_fees"."flat" >= 0 and "card_fees"."bps" between 0 and 10000 and "card_fees"."minimum" >= 0),
	CONSTRAINT "card_fees_maximum_above_minimum" CHECK ("card_fees"."maximum" >= "card_fees"."minimum")
);
--> statement-breakpoint
CREATE TABLE "exchange_rates" (
	"merchant_id" text NOT NULL,
	"id" text NOT NULL,
	"buy" bigint NOT NULL,
	"mid" bigint NOT NULL,
	"sell" bigint NOT NULL,
	"valid_from" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"valid_until" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "exchange_rates_pkey" PRIMARY KEY("merchant_id","id"),
	CONSTRAINT "exchange_rates_in_order" CHECK (0 < "exchange_rates"."buy" and "exchange_rates"."buy" <= "exchange_rates"."mid" and "exchange_rates"."mid" <= "exchange_rates"."sell"),
	CONSTRAINT "exchange_rates_valid_for_some_time" CHECK ("exchange_rates"."valid_until" > "exchange_rates"."valid_from")
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
	"process_id" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "idempotency_keys_pkey" PRIMARY KEY("merchant_id","scope","key"),
	CONSTRAINT "idempotency_keys_done_has_status" CHECK (("idempotency_keys"."state" = 'done') = ("idempotency_keys"."status" is not null))
);
--> statement-breakpoint
CREATE TABLE "request_log" (
	"merchant_id" text NOT NULL,
	"id" text NOT NULL,
	"caller" "request_caller" NOT NULL,
	"api_key_id" text,
	"user_id" text,
	"endpoint" text,
	"method" text NOT NULL,
	"path" text NOT NULL,
	"status" integer NOT NULL,
	"error_code" text,
	"duration_ms" integer NOT NULL,
	"client_address" text NOT NULL,
	"query_fields" text[] DEFAULT '{}' NOT NULL,
	"body_fields" text[] DEFAULT '{}' NOT NULL,
	"problems" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "request_log_pkey" PRIMARY KEY("merchant_id","id"),
	CONSTRAINT "request_log_by_one" CHECK (num_nonnulls("request_log"."api_key_id", "request_log"."user_id") = 1),
	CONSTRAINT "request_log_caller" CHECK (("request_log"."caller" = 'key') = ("request_log"."api_key_id" is not null))
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
CREATE TABLE "sandbox"."card_operations" (
	"house" text NOT NULL,
	"id" text NOT NULL,
	"reference" text NOT NULL,
	"card_id" text NOT NULL,
	"kind" text NOT NULL,
	"amount" bigint NOT NULL,
	"state" text NOT NULL,
	"refusal" text,
	"due_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "card_operations_pkey" PRIMARY KEY("house","id")
);
--> statement-breakpoint
CREATE TABLE "sandbox"."card_transactions" (
	"house" text NOT NULL,
	"id" text NOT NULL,
	"serial" bigint GENERATED ALWAYS AS IDENTITY (sequence name "sandbox"."card_transactions_serial_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"card_id" text NOT NULL,
	"kind" text NOT NULL,
	"amount" bigint NOT NULL,
	"open" bigint DEFAULT 0 NOT NULL,
	"related_id" text,
	"merchant_name" text NOT NULL,
	"category_code" text NOT NULL,
	"city" text NOT NULL,
	"country" text NOT NULL,
	"decline_reason" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "card_transactions_pkey" PRIMARY KEY("house","id")
);
--> statement-breakpoint
CREATE TABLE "sandbox"."cardholders" (
	"house" text NOT NULL,
	"id" text NOT NULL,
	"reference" text NOT NULL,
	"name" text NOT NULL,
	"email" text NOT NULL,
	"state" text DEFAULT 'review' NOT NULL,
	"decides_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "cardholders_pkey" PRIMARY KEY("house","id")
);
--> statement-breakpoint
CREATE TABLE "sandbox"."cards" (
	"house" text NOT NULL,
	"id" text NOT NULL,
	"reference" text NOT NULL,
	"serial" bigint GENERATED ALWAYS AS IDENTITY (sequence name "sandbox"."cards_serial_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"cardholder_id" text NOT NULL,
	"brand" text NOT NULL,
	"state" text NOT NULL,
	"balance" bigint DEFAULT 0 NOT NULL,
	"expiry_month" integer NOT NULL,
	"expiry_year" integer NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "cards_pkey" PRIMARY KEY("house","id")
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
	"path" text DEFAULT '/api/providers/sandbox/notices' NOT NULL,
	"is_signed" boolean DEFAULT true NOT NULL,
	"body" jsonb NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_attempt_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"acknowledged_at" timestamp (3) with time zone,
	CONSTRAINT "notices_pkey" PRIMARY KEY("id")
);
--> statement-breakpoint
CREATE TABLE "sandbox"."provider_faults" (
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "sandbox"."provider_faults_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"house" text NOT NULL,
	"operation" text NOT NULL,
	"subject" text NOT NULL,
	"fault" text NOT NULL,
	CONSTRAINT "provider_faults_pkey" PRIMARY KEY("id")
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
CREATE TABLE "sandbox"."vtu_changes" (
	"house" text NOT NULL,
	"code" text NOT NULL,
	"price" bigint,
	"is_withdrawn" boolean DEFAULT false NOT NULL,
	CONSTRAINT "vtu_changes_pkey" PRIMARY KEY("house","code")
);
--> statement-breakpoint
CREATE TABLE "sandbox"."vtu_orders" (
	"house" text NOT NULL,
	"reference" text NOT NULL,
	"serial" bigint GENERATED ALWAYS AS IDENTITY (sequence name "sandbox"."vtu_orders_serial_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"service" text NOT NULL,
	"code" text NOT NULL,
	"recipient" text,
	"variant" text,
	"quantity" integer NOT NULL,
	"amount" bigint NOT NULL,
	"delivered" integer NOT NULL,
	"state" text NOT NULL,
	"next_state" text,
	"due_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "vtu_orders_pkey" PRIMARY KEY("house","reference")
);
--> statement-breakpoint
CREATE TABLE "wallet_seals" (
	"merchant_id" text NOT NULL,
	"seq" bigint NOT NULL,
	"count" bigint NOT NULL,
	"hash" text NOT NULL,
	"key_id" text NOT NULL,
	"signature" text NOT NULL,
	"sealed_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "wallet_seals_pkey" PRIMARY KEY("merchant_id","seq"),
	CONSTRAINT "wallet_seals_count" CHECK ("wallet_seals"."seq" > 0 and "wallet_seals"."count" between 0 and "wallet_seals"."seq"),
	CONSTRAINT "wallet_seals_hash" CHECK ("wallet_seals"."hash" ~ '^[0-9a-f]{64}$')
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"id" text NOT NULL,
	"user_id" text NOT NULL,
	"address" text,
	"user_agent" text,
	"last_business_id" text,
	"last_seen_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "sessions_pkey" PRIMARY KEY("id"),
	CONSTRAINT "sessions_expire_after_creation" CHECK ("sessions"."expires_at" > "sessions"."created_at")
);
--> statement-breakpoint
CREATE TABLE "card_transactions" (
	"merchant_id" text NOT NULL,
	"card_id" text NOT NULL,
	"id" text NOT NULL,
	"provider_transaction_id" text NOT NULL,
	"type" "card_transaction_type" NOT NULL,
	"status" "card_transaction_status" NOT NULL,
	"amount" bigint NOT NULL,
	"currency" "currency" NOT NULL,
	"open_amount" bigint DEFAULT 0 NOT NULL,
	"hold_key" text,
	"merchant_name" text NOT NULL,
	"category_code" text,
	"city" text,
	"country" text,
	"decline_reason" text,
	"related_transaction_id" text,
	"related_reference" text,
	"awaits_passing_on" boolean DEFAULT false NOT NULL,
	"occurred_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "card_transactions_pkey" PRIMARY KEY("merchant_id","card_id","id"),
	CONSTRAINT "card_transactions_once" UNIQUE("merchant_id","card_id","provider_transaction_id"),
	CONSTRAINT "card_transactions_amount_not_negative" CHECK ("card_transactions"."amount" >= 0),
	CONSTRAINT "card_transactions_open_is_held" CHECK ("card_transactions"."open_amount" between 0 and "card_transactions"."amount" and ("card_transactions"."open_amount" > 0) = ("card_transactions"."hold_key" is not null) and ("card_transactions"."open_amount" = 0 or "card_transactions"."type" = 'AUTHORIZATION')),
	CONSTRAINT "card_transactions_decline_has_reason" CHECK (("card_transactions"."type" = 'DECLINE') = ("card_transactions"."decline_reason" is not null))
);
--> statement-breakpoint
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
CREATE TABLE "api_key_uses" (
	"merchant_id" text NOT NULL,
	"api_key_id" text NOT NULL,
	"last_used_at" timestamp (3) with time zone NOT NULL,
	"last_used_address" text NOT NULL,
	CONSTRAINT "api_key_uses_pkey" PRIMARY KEY("merchant_id","api_key_id")
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
	"expires_at" timestamp (3) with time zone,
	"replaced_by" text,
	"revoked_at" timestamp (3) with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"made_by" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "api_keys_pkey" PRIMARY KEY("public_key"),
	CONSTRAINT "api_keys_id" UNIQUE("merchant_id","id")
);
--> statement-breakpoint
CREATE TABLE "area_requests" (
	"merchant_id" text NOT NULL,
	"id" text NOT NULL,
	"area" "area" NOT NULL,
	"made_by" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"closed_at" timestamp (3) with time zone,
	CONSTRAINT "area_requests_pkey" PRIMARY KEY("merchant_id","id")
);
--> statement-breakpoint
CREATE TABLE "businesses" (
	"id" text NOT NULL,
	"name" text NOT NULL,
	"requested_name" text,
	"name_requested_at" timestamp (3) with time zone,
	"support_email" text,
	"support_phone" text,
	"brand_colour" text DEFAULT '#0f766e' NOT NULL,
	"logo" text,
	"brand_version" integer DEFAULT 1 NOT NULL,
	"two_factor_required_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "businesses_pkey" PRIMARY KEY("id"),
	CONSTRAINT "businesses_name_requested_at" CHECK (("businesses"."requested_name" is null) = ("businesses"."name_requested_at" is null)),
	CONSTRAINT "businesses_brand_colour_hex" CHECK ("businesses"."brand_colour" ~ '^#[0-9a-f]{6}$')
);
--> statement-breakpoint
CREATE TABLE "invitations" (
	"business_id" text NOT NULL,
	"id" text NOT NULL,
	"email" text NOT NULL,
	"role" "member_role" NOT NULL,
	"token_hash" text NOT NULL,
	"sends" integer DEFAULT 1 NOT NULL,
	"sent_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"accepted_at" timestamp (3) with time zone,
	"withdrawn_at" timestamp (3) with time zone,
	"declined_at" timestamp (3) with time zone,
	"made_by" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "invitations_pkey" PRIMARY KEY("business_id","id"),
	CONSTRAINT "invitations_token" UNIQUE("token_hash"),
	CONSTRAINT "invitations_end_once" CHECK (num_nonnulls("invitations"."accepted_at", "invitations"."withdrawn_at", "invitations"."declined_at") <= 1),
	CONSTRAINT "invitations_email_lower_case" CHECK ("invitations"."email" = lower("invitations"."email")),
	CONSTRAINT "invitations_token_hash" CHECK ("invitations"."token_hash" ~ '^[0-9a-f]{64}$')
);
--> statement-breakpoint
CREATE TABLE "logos" (
	"name" text NOT NULL,
	"webp_base64" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "logos_pkey" PRIMARY KEY("name"),
	CONSTRAINT "logos_name_is_a_hash" CHECK ("logos"."name" ~ '^[0-9a-f]{32}$'),
	CONSTRAINT "logos_small" CHECK (length("logos"."webp_base64") <= 8192)
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
	CONSTRAINT "merchant_providers_no_sandbox_in_live" CHECK (not ("merchant_providers"."mode" = 'live' and "merchant_providers"."provider" like 'sandbox%'))
);
--> statement-breakpoint
CREATE TABLE "merchants" (
	"id" text NOT NULL,
	"number" bigint NOT NULL GENERATED ALWAYS AS IDENTITY (sequence name "merchant_numbers" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"business_id" text NOT NULL,
	"mode" "mode" NOT NULL,
	"status" "merchant_status" DEFAULT 'active' NOT NULL,
	"requests_per_second" integer DEFAULT 100 NOT NULL,
	"request_burst" integer DEFAULT 200 NOT NULL,
	"embed_origins" text[] DEFAULT '{}' NOT NULL,
	"steps_put_away_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "merchants_pkey" PRIMARY KEY("id"),
	CONSTRAINT "merchants_number" UNIQUE("number"),
	CONSTRAINT "merchants_one_per_mode" UNIQUE("business_id","mode"),
	CONSTRAINT "merchants_id_mode" UNIQUE("id","mode"),
	CONSTRAINT "merchants_number_40_bits" CHECK ("merchants"."number" between 1 and 1099511627775),
	CONSTRAINT "merchants_rate_positive" CHECK ("merchants"."requests_per_second" > 0 and "merchants"."request_burst" >= "merchants"."requests_per_second")
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" text NOT NULL,
	"email" text NOT NULL,
	"name" text NOT NULL,
	"password_hash" text NOT NULL,
	"email_verified_at" timestamp (3) with time zone,
	"pending_business" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "users_pkey" PRIMARY KEY("id"),
	CONSTRAINT "users_email" UNIQUE("email"),
	CONSTRAINT "users_pending_until_verified" CHECK ("users"."pending_business" is null or "users"."email_verified_at" is null),
	CONSTRAINT "users_email_lower_case" CHECK ("users"."email" = lower("users"."email"))
);
--> statement-breakpoint
CREATE TABLE "passkey_challenges" (
	"hash" text NOT NULL,
	"user_id" text,
	"purpose" "proof_purpose",
	"session_id" text,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "passkey_challenges_pkey" PRIMARY KEY("hash"),
	CONSTRAINT "passkey_challenges_proof_of_a_session" CHECK (("passkey_challenges"."purpose" is null) = ("passkey_challenges"."session_id" is null) and ("passkey_challenges"."purpose" is null or "passkey_challenges"."user_id" is not null)),
	CONSTRAINT "passkey_challenges_hash" CHECK ("passkey_challenges"."hash" ~ '^[0-9a-f]{64}$')
);
--> statement-breakpoint
CREATE TABLE "passkeys" (
	"id" text NOT NULL,
	"user_id" text NOT NULL,
	"credential_id" text NOT NULL,
	"public_key" text NOT NULL,
	"counter" bigint NOT NULL,
	"transports" text[] DEFAULT '{}' NOT NULL,
	"name" text NOT NULL,
	"last_used_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "passkeys_pkey" PRIMARY KEY("id"),
	CONSTRAINT "passkeys_credential" UNIQUE("credential_id"),
	CONSTRAINT "passkeys_counter_not_negative" CHECK ("passkeys"."counter" >= 0)
);
--> statement-breakpoint
CREATE TABLE "recovery_codes" (
	"user_id" text NOT NULL,
	"hash" text NOT NULL,
	"used_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "recovery_codes_pkey" PRIMARY KEY("user_id","hash"),
	CONSTRAINT "recovery_codes_hash" CHECK ("recovery_codes"."hash" ~ '^[0-9a-f]{64}$')
);
--> statement-breakpoint
CREATE TABLE "sign_in_tickets" (
	"hash" text NOT NULL,
	"user_id" text NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "sign_in_tickets_pkey" PRIMARY KEY("hash"),
	CONSTRAINT "sign_in_tickets_hash" CHECK ("sign_in_tickets"."hash" ~ '^[0-9a-f]{64}$')
);
--> statement-breakpoint
CREATE TABLE "totp_secrets" (
	"user_id" text NOT NULL,
	"sealed_secret" text NOT NULL,
	"confirmed_at" timestamp (3) with time zone,
	"last_step" bigint DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "totp_secrets_pkey" PRIMARY KEY("user_id")
);
--> statement-breakpoint
CREATE TABLE "known_devices" (
	"user_id" text NOT NULL,
	"hash" text NOT NULL,
	"last_used_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "known_devices_pkey" PRIMARY KEY("user_id","hash")
);
--> statement-breakpoint
CREATE TABLE "sign_in_failures" (
	"source" text NOT NULL,
	"failures" integer NOT NULL,
	"last_failed_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"blocked_until" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "sign_in_failures_pkey" PRIMARY KEY("source"),
	CONSTRAINT "sign_in_failures_counted" CHECK ("sign_in_failures"."failures" > 0)
);
--> statement-breakpoint
CREATE TABLE "user_tokens" (
	"hash" text NOT NULL,
	"kind" "user_token_kind" NOT NULL,
	"user_id" text NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"used_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "user_tokens_pkey" PRIMARY KEY("hash"),
	CONSTRAINT "user_tokens_hash" CHECK ("user_tokens"."hash" ~ '^[0-9a-f]{64}$')
);
--> statement-breakpoint
CREATE TABLE "catalogues" (
	"provider" text NOT NULL,
	"synced_at" timestamp (3) with time zone,
	"next_sync_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "catalogues_pkey" PRIMARY KEY("provider")
);
--> statement-breakpoint
CREATE TABLE "product_prices" (
	"product_id" integer NOT NULL,
	"selling_price" bigint NOT NULL,
	"valid_from" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "product_prices_pkey" PRIMARY KEY("product_id","valid_from")
);
--> statement-breakpoint
CREATE TABLE "products" (
	"id" integer DEFAULT nextval('product_numbers') NOT NULL,
	"provider" text NOT NULL,
	"service" "vtu_service" NOT NULL,
	"code" text NOT NULL,
	"name" text NOT NULL,
	"brand" text NOT NULL,
	"variant" text,
	"size" text,
	"validity" text,
	"selling_price" bigint,
	"has_letters" boolean DEFAULT false NOT NULL,
	"withdrawn_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "products_pkey" PRIMARY KEY("id"),
	CONSTRAINT "products_code" UNIQUE("provider","service","code"),
	CONSTRAINT "products_price_positive" CHECK ("products"."selling_price" > 0),
	CONSTRAINT "products_price_unless_chosen" CHECK (("products"."selling_price" is null) = ("products"."service" in ('airtime', 'electricity')))
);
--> statement-breakpoint
CREATE TABLE "purchase_exceptions" (
	"merchant_id" text NOT NULL,
	"purchase_id" text NOT NULL,
	"correction" integer NOT NULL,
	"kind" "purchase_exception_kind" NOT NULL,
	"amount" bigint NOT NULL,
	"reason" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"seen_at" timestamp (3) with time zone,
	CONSTRAINT "purchase_exceptions_pkey" PRIMARY KEY("merchant_id","purchase_id","correction"),
	CONSTRAINT "purchase_exceptions_amount_positive" CHECK ("purchase_exceptions"."amount" > 0)
);
--> statement-breakpoint
CREATE TABLE "purchases" (
	"merchant_id" text NOT NULL,
	"id" text NOT NULL,
	"service" "vtu_service" NOT NULL,
	"status" "purchase_status" DEFAULT 'processing' NOT NULL,
	"provider" text NOT NULL,
	"product_id" integer NOT NULL,
	"product_code" text NOT NULL,
	"product_name" text NOT NULL,
	"recipient" text,
	"variant" text,
	"customer" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"metadata" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"quantity" integer NOT NULL,
	"unit_price" bigint NOT NULL,
	"amount" bigint NOT NULL,
	"charged" bigint DEFAULT 0 NOT NULL,
	"secrets" text,
	"units" text,
	"failure_reason" text,
	"attempts" integer DEFAULT 0 NOT NULL,
	"turn" integer DEFAULT 0 NOT NULL,
	"corrections" integer DEFAULT 0 NOT NULL,
	"last_turn_at" timestamp (3) with time zone,
	"next_attempt_at" timestamp (3) with time zone,
	"made_by" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"completed_at" timestamp (3) with time zone,
	CONSTRAINT "purchases_pkey" PRIMARY KEY("merchant_id","id"),
	CONSTRAINT "purchases_amount_is_price" CHECK ("purchases"."unit_price" > 0 and "purchases"."quantity" > 0 and "purchases"."amount" = "purchases"."unit_price" * "purchases"."quantity"),
	CONSTRAINT "purchases_charged_for_success" CHECK ("purchases"."charged" between 0 and "purchases"."amount" and ("purchases"."status" = 'success') = ("purchases"."charged" > 0)),
	CONSTRAINT "purchases_failed_has_reason" CHECK ("purchases"."status" not in ('failed', 'reversed') or "purchases"."failure_reason" is not null),
	CONSTRAINT "purchases_recipient_unless_pins" CHECK (("purchases"."recipient" is null) = ("purchases"."service" = 'exam')),
	CONSTRAINT "purchases_final_is_over" CHECK (("purchases"."status" = 'processing') = ("purchases"."completed_at" is null) and ("purchases"."status" <> 'processing' or "purchases"."next_attempt_at" is not null))
);
--> statement-breakpoint
CREATE TABLE "webhook_attempts" (
	"merchant_id" text NOT NULL,
	"delivery_id" text NOT NULL,
	"number" integer NOT NULL,
	"url" text NOT NULL,
	"request_headers" jsonb NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"duration_ms" integer NOT NULL,
	"response_status" integer,
	"response_body" text,
	"error" text,
	CONSTRAINT "webhook_attempts_pkey" PRIMARY KEY("merchant_id","delivery_id","number"),
	CONSTRAINT "webhook_attempts_answer_or_error" CHECK ("webhook_attempts"."response_status" is not null or "webhook_attempts"."error" is not null)
);
--> statement-breakpoint
CREATE TABLE "webhook_deliveries" (
	"merchant_id" text NOT NULL,
	"id" text NOT NULL,
	"endpoint_id" text NOT NULL,
	"event_id" text NOT NULL,
	"event_type" text NOT NULL,
	"sequence" bigint NOT NULL,
	"status" "delivery_status" DEFAULT 'pending' NOT NULL,
	"attempt_count" integer DEFAULT 0 NOT NULL,
	"tries" integer DEFAULT 0 NOT NULL,
	"resends" integer DEFAULT 0 NOT NULL,
	"last_resend_id" text,
	"next_attempt_at" timestamp (3) with time zone DEFAULT now(),
	"last_response_status" integer,
	"last_error" text,
	"delivered_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "webhook_deliveries_pkey" PRIMARY KEY("merchant_id","id"),
	CONSTRAINT "webhook_deliveries_pending_has_next" CHECK (("webhook_deliveries"."status" = 'pending') = ("webhook_deliveries"."next_attempt_at" is not null)),
	CONSTRAINT "webhook_deliveries_delivered_at_a_time" CHECK (("webhook_deliveries"."status" = 'delivered') = ("webhook_deliveries"."delivered_at" is not null))
);
--> statement-breakpoint
CREATE TABLE "webhook_endpoints" (
	"merchant_id" text NOT NULL,
	"id" text NOT NULL,
	"url" text NOT NULL,
	"event_types" text[],
	"status" "endpoint_status" DEFAULT 'enabled' NOT NULL,
	"disabled_reason" "disabled_reason",
	"disabled_at" timestamp (3) with time zone,
	"failing_since" timestamp (3) with time zone,
	"last_failed_at" timestamp (3) with time zone,
	"missed_from" timestamp (3) with time zone,
	"paused_until" timestamp (3) with time zone,
	"deleted_at" timestamp (3) with time zone,
	"leased_by" text,
	"leased_until" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "webhook_endpoints_pkey" PRIMARY KEY("merchant_id","id"),
	CONSTRAINT "webhook_endpoints_disabled_for_a_reason" CHECK (("webhook_endpoints"."status" = 'disabled') = ("webhook_endpoints"."disabled_reason" is not null)),
	CONSTRAINT "webhook_endpoints_deleted_at_a_time" CHECK (("webhook_endpoints"."status" = 'deleted') = ("webhook_endpoints"."deleted_at" is not null)),
	CONSTRAINT "webhook_endpoints_disabled_at_a_time" CHECK (("webhook_endpoints"."disabled_reason" is null) = ("webhook_endpoints"."disabled_at" is null))
);
--> statement-breakpoint
CREATE TABLE "webhook_secrets" (
	"merchant_id" text NOT NULL,
	"endpoint_id" text NOT NULL,
	"id" text NOT NULL,
	"sealed" text NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "webhook_secrets_pkey" PRIMARY KEY("merchant_id","endpoint_id","id")
);
--> statement-breakpoint
ALTER TABLE "seen_alerts" ADD CONSTRAINT "seen_alerts_user_fkey" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bulk_rows" ADD CONSTRAINT "bulk_rows_of_an_order" FOREIGN KEY ("merchant_id","bulk_order_id") REFERENCES "public"."bulk_orders"("merchant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mail_choices" ADD CONSTRAINT "mail_choices_member_fkey" FOREIGN KEY ("business_id","user_id") REFERENCES "public"."members"("business_id","user_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_fkey" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "businesses" ADD CONSTRAINT "businesses_logo_fkey" FOREIGN KEY ("logo") REFERENCES "public"."logos"("name") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_business_fkey" FOREIGN KEY ("business_id") REFERENCES "public"."businesses"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "members" ADD CONSTRAINT "members_business_fkey" FOREIGN KEY ("business_id") REFERENCES "public"."businesses"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "members" ADD CONSTRAINT "members_user_fkey" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "merchant_providers" ADD CONSTRAINT "merchant_providers_mode_fkey" FOREIGN KEY ("merchant_id","mode") REFERENCES "public"."merchants"("id","mode") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "merchants" ADD CONSTRAINT "merchants_business_fkey" FOREIGN KEY ("business_id") REFERENCES "public"."businesses"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "passkey_challenges" ADD CONSTRAINT "passkey_challenges_user_fkey" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "passkeys" ADD CONSTRAINT "passkeys_user_fkey" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recovery_codes" ADD CONSTRAINT "recovery_codes_user_fkey" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sign_in_tickets" ADD CONSTRAINT "sign_in_tickets_user_fkey" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "totp_secrets" ADD CONSTRAINT "totp_secrets_user_fkey" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "known_devices" ADD CONSTRAINT "known_devices_user_fkey" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_tokens" ADD CONSTRAINT "user_tokens_user_fkey" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_secrets" ADD CONSTRAINT "webhook_secrets_endpoint_fkey" FOREIGN KEY ("merchant_id","endpoint_id") REFERENCES "public"."webhook_endpoints"("merchant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "alerts_once" ON "alerts" USING btree ("merchant_id","type","cause") WHERE "alerts"."cause" is not null;--> statement-breakpoint
CREATE INDEX "alerts_standalone" ON "alerts" USING btree ("merchant_id","id") WHERE type not in ('checkout.transfer_returned', 'wallet.debt', 'webhook_endpoint.failing');--> statement-breakpoint
CREATE INDEX "alerts_to_note" ON "alerts" USING btree ("id") WHERE "alerts"."noted_at" is null;--> statement-breakpoint
CREATE INDEX "audit_entries_of_brands" ON "audit_entries" USING btree ("created_at") WHERE action = 'brand.changed';--> statement-breakpoint
CREATE INDEX "bulk_orders_due" ON "bulk_orders" USING btree ("locked_until") WHERE "bulk_orders"."status" = 'running';--> statement-breakpoint
CREATE INDEX "bulk_orders_not_bought" ON "bulk_orders" USING btree ("merchant_id","created_at") WHERE "bulk_orders"."confirmed_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "bulk_rows_one_purchase_each" ON "bulk_rows" USING btree ("merchant_id","purchase_id") WHERE "bulk_rows"."purchase_id" is not null;--> statement-breakpoint
CREATE INDEX "bulk_rows_waiting" ON "bulk_rows" USING btree ("merchant_id","recipient") WHERE "bulk_rows"."status" = 'ready';--> statement-breakpoint
CREATE INDEX "card_operations_by_card" ON "card_operations" USING btree ("merchant_id","card_id","id") WHERE "card_operations"."card_id" > '';--> statement-breakpoint
CREATE INDEX "card_operations_of_money" ON "card_operations" USING btree ("merchant_id","id") WHERE "card_operations"."type" not in ('freeze', 'unfreeze');--> statement-breakpoint
CREATE INDEX "card_operations_failed" ON "card_operations" USING btree ("merchant_id","id") WHERE "card_operations"."status" = 'failed';--> statement-breakpoint
CREATE INDEX "card_operations_processing" ON "card_operations" USING btree ("merchant_id","card_id") WHERE "card_operations"."status" = 'processing';--> statement-breakpoint
CREATE INDEX "card_operations_to_recheck" ON "card_operations" USING btree ("recheck_at") WHERE "card_operations"."recheck_at" is not null;--> statement-breakpoint
CREATE INDEX "card_operations_due" ON "card_operations" USING btree ("next_attempt_at") WHERE "card_operations"."status" = 'processing';--> statement-breakpoint
CREATE UNIQUE INDEX "card_operations_issued_once" ON "card_operations" USING btree ("merchant_id","card_id") WHERE "card_operations"."type" = 'issue';--> statement-breakpoint
CREATE UNIQUE INDEX "card_operations_terminated_once" ON "card_operations" USING btree ("merchant_id","card_id") WHERE "card_operations"."type" = 'terminate' and "card_operations"."status" <> 'failed';--> statement-breakpoint
CREATE UNIQUE INDEX "card_operations_one_change_at_a_time" ON "card_operations" USING btree ("merchant_id","card_id") WHERE "card_operations"."type" in ('freeze', 'unfreeze') and "card_operations"."status" = 'processing';--> statement-breakpoint
CREATE INDEX "cardholders_newest" ON "cardholders" USING btree ("merchant_id","created_at","id") WHERE "cardholders"."id" > 0;--> statement-breakpoint
CREATE INDEX "cardholders_pending" ON "cardholders" USING btree ("merchant_id","created_at","id") WHERE "cardholders"."kyc_status" = 'PENDING';--> statement-breakpoint
CREATE INDEX "cardholders_rejected" ON "cardholders" USING btree ("merchant_id","created_at","id") WHERE "cardholders"."kyc_status" = 'REJECTED';--> statement-breakpoint
CREATE INDEX "cardholders_by_phone" ON "cardholders" USING btree ("merchant_id","phone","created_at") WHERE "cardholders"."phone" is not null;--> statement-breakpoint
CREATE INDEX "cardholders_due" ON "cardholders" USING btree ("next_check_at") WHERE "cardholders"."next_check_at" is not null;--> statement-breakpoint
CREATE INDEX "cards_pending" ON "cards" USING btree ("merchant_id","id") WHERE "cards"."status" = 'PENDING';--> statement-breakpoint
CREATE INDEX "cards_active" ON "cards" USING btree ("merchant_id","id") WHERE "cards"."status" = 'ACTIVE';--> statement-breakpoint
CREATE INDEX "cards_frozen" ON "cards" USING btree ("merchant_id","id") WHERE "cards"."status" = 'FROZEN';--> statement-breakpoint
CREATE INDEX "cards_terminated" ON "cards" USING btree ("merchant_id","id") WHERE "cards"."status" = 'TERMINATED';--> statement-breakpoint
CREATE INDEX "cards_failed" ON "cards" USING btree ("merchant_id","id") WHERE "cards"."status" = 'FAILED';--> statement-breakpoint
CREATE INDEX "cards_by_cardholder" ON "cards" USING btree ("merchant_id","cardholder_id","id") WHERE "cards"."cardholder_id" > 0;--> statement-breakpoint
CREATE INDEX "cards_by_last4" ON "cards" USING btree ("merchant_id","last4","id") WHERE "cards"."last4" is not null;--> statement-breakpoint
CREATE INDEX "cards_due" ON "cards" USING btree ("next_sync_at") WHERE "cards"."next_sync_at" is not null;--> statement-breakpoint
CREATE INDEX "cards_blocked" ON "cards" USING btree ("blocked_at") WHERE "cards"."blocked_at" is not null;--> statement-breakpoint
CREATE INDEX "bank_transfers_by_link" ON "bank_transfers" USING btree ("merchant_id","link_id");--> statement-breakpoint
CREATE UNIQUE INDEX "bank_transfers_one_accepted_per_link" ON "bank_transfers" USING btree ("merchant_id","link_id") WHERE "bank_transfers"."disposition" = 'accepted';--> statement-breakpoint
CREATE INDEX "bank_transfers_returned" ON "bank_transfers" USING btree ("merchant_id","id") WHERE "bank_transfers"."disposition" = 'returned';--> statement-breakpoint
CREATE INDEX "bank_transfers_to_return" ON "bank_transfers" USING btree ("next_return_at") WHERE "bank_transfers"."return_state" = 'owed';--> statement-breakpoint
CREATE INDEX "payment_links_pending" ON "payment_links" USING btree ("merchant_id","id") WHERE "payment_links"."status" = 'pending';--> statement-breakpoint
CREATE INDEX "payment_links_success" ON "payment_links" USING btree ("merchant_id","id") WHERE "payment_links"."status" = 'success';--> statement-breakpoint
CREATE INDEX "payment_links_expired" ON "payment_links" USING btree ("merchant_id","id") WHERE "payment_links"."status" = 'expired';--> statement-breakpoint
CREATE INDEX "payment_links_due_to_expire" ON "payment_links" USING btree ("expires_at") WHERE "payment_links"."status" = 'pending';--> statement-breakpoint
CREATE INDEX "payment_links_by_customer_email" ON "payment_links" USING btree ("merchant_id",lower("customer_email"),"id") WHERE "payment_links"."customer_email" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "payment_links_one_replacement" ON "payment_links" USING btree ("merchant_id","replaces") WHERE "payment_links"."replaces" is not null;--> statement-breakpoint
CREATE INDEX "provider_notices_due" ON "provider_notices" USING btree ("next_attempt_at") WHERE "provider_notices"."processed_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "ledger_transfers_hold_resolves_once" ON "ledger_transfers" USING btree ("merchant_id","resolves_id") WHERE "ledger_transfers"."resolves_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "ledger_transfers_posting_reverses_once" ON "ledger_transfers" USING btree ("merchant_id","reverses_id") WHERE "ledger_transfers"."reverses_id" is not null;--> statement-breakpoint
CREATE INDEX "suspense_items_by_card" ON "suspense_items" USING btree ("merchant_id","card_id") WHERE "suspense_items"."open" <> 0;--> statement-breakpoint
CREATE INDEX "suspense_items_open" ON "suspense_items" USING btree ("created_at") WHERE "suspense_items"."open" <> 0;--> statement-breakpoint
CREATE INDEX "mail_choices_payments" ON "mail_choices" USING btree ("frequency","business_id") WHERE "mail_choices"."topic" = 'payments' and "mail_choices"."frequency" <> 'never';--> statement-breakpoint
CREATE INDEX "mail_items_due" ON "mail_items" USING btree ("due_at") WHERE "mail_items"."due_at" is not null;--> statement-breakpoint
CREATE INDEX "mail_items_mailed" ON "mail_items" USING btree ("merchant_id","user_id","mailed_at") WHERE "mail_items"."mailed_at" is not null;--> statement-breakpoint
CREATE INDEX "mail_items_by_age" ON "mail_items" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "mails_due_in_order" ON "mails" USING btree ((case when "kind" in ('news', 'summary') then 2 when "kind" in ('verify_email', 'email_taken') then 1 else 0 end),"next_attempt_at") WHERE "mails"."next_attempt_at" is not null;--> statement-breakpoint
CREATE INDEX "mails_by_recipient" ON "mails" USING btree ("recipient","created_at");--> statement-breakpoint
CREATE INDEX "mails_by_age" ON "mails" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "idempotency_keys_by_age" ON "idempotency_keys" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "request_log_failed" ON "request_log" USING btree ("merchant_id","id","error_code","method","endpoint","caller","created_at") WHERE "request_log"."status" >= 400;--> statement-breakpoint
CREATE INDEX "request_log_broken" ON "request_log" USING btree ("merchant_id","id") WHERE "request_log"."status" >= 500;--> statement-breakpoint
CREATE INDEX "request_log_by_code" ON "request_log" USING btree ("merchant_id","error_code","id") WHERE "request_log"."error_code" is not null;--> statement-breakpoint
CREATE INDEX "request_log_by_age" ON "request_log" USING btree ("created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "card_operations_once" ON "sandbox"."card_operations" USING btree ("reference") WHERE "sandbox"."card_operations"."house" = 'sandbox';--> statement-breakpoint
CREATE INDEX "card_operations_by_reference" ON "sandbox"."card_operations" USING btree ("house","reference");--> statement-breakpoint
CREATE INDEX "card_operations_queued" ON "sandbox"."card_operations" USING btree ("due_at") WHERE "sandbox"."card_operations"."state" = 'queued';--> statement-breakpoint
CREATE INDEX "card_transactions_by_card" ON "sandbox"."card_transactions" USING btree ("house","card_id","serial");--> statement-breakpoint
CREATE INDEX "cardholders_by_reference" ON "sandbox"."cardholders" USING btree ("house","reference");--> statement-breakpoint
CREATE INDEX "cardholders_to_decide" ON "sandbox"."cardholders" USING btree ("decides_at") WHERE "sandbox"."cardholders"."state" = 'review';--> statement-breakpoint
CREATE INDEX "cards_by_reference" ON "sandbox"."cards" USING btree ("house","reference");--> statement-breakpoint
CREATE INDEX "notices_due" ON "sandbox"."notices" USING btree ("next_attempt_at") WHERE "sandbox"."notices"."acknowledged_at" is null;--> statement-breakpoint
CREATE INDEX "vtu_orders_due" ON "sandbox"."vtu_orders" USING btree ("due_at") WHERE "sandbox"."vtu_orders"."due_at" is not null;--> statement-breakpoint
CREATE INDEX "sessions_by_user" ON "sessions" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "card_transactions_newest" ON "card_transactions" USING btree ("merchant_id","id") WHERE "card_transactions"."provider_transaction_id" > '';--> statement-breakpoint
CREATE INDEX "card_transactions_to_pass_on" ON "card_transactions" USING btree ("merchant_id","card_id") WHERE "card_transactions"."awaits_passing_on";--> statement-breakpoint
CREATE INDEX "card_transactions_open" ON "card_transactions" USING btree ("occurred_at") WHERE "card_transactions"."open_amount" > 0;--> statement-breakpoint
CREATE INDEX "card_transactions_waiting" ON "card_transactions" USING btree ("created_at") WHERE "card_transactions"."awaits_passing_on";--> statement-breakpoint
CREATE INDEX "card_transactions_by_related" ON "card_transactions" USING btree ("merchant_id","card_id","related_reference") WHERE "card_transactions"."related_reference" is not null;--> statement-breakpoint
CREATE INDEX "api_keys_ending" ON "api_keys" USING btree ("expires_at") WHERE "api_keys"."expires_at" is not null and "api_keys"."revoked_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "area_requests_one_open" ON "area_requests" USING btree ("merchant_id","area") WHERE "area_requests"."closed_at" is null;--> statement-breakpoint
CREATE INDEX "businesses_waiting_for_a_name" ON "businesses" USING btree ("name_requested_at") WHERE "businesses"."requested_name" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "invitations_one_open" ON "invitations" USING btree ("business_id","email") WHERE num_nonnulls("invitations"."accepted_at", "invitations"."withdrawn_at", "invitations"."declined_at") = 0;--> statement-breakpoint
CREATE INDEX "invitations_of_email" ON "invitations" USING btree ("email") WHERE num_nonnulls("invitations"."accepted_at", "invitations"."withdrawn_at", "invitations"."declined_at") = 0;--> statement-breakpoint
CREATE INDEX "members_by_user" ON "members" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "passkey_challenges_by_end" ON "passkey_challenges" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "passkeys_by_user" ON "passkeys" USING btree ("user_id","id");--> statement-breakpoint
CREATE INDEX "sign_in_tickets_by_user" ON "sign_in_tickets" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "sign_in_tickets_by_end" ON "sign_in_tickets" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "user_tokens_by_user" ON "user_tokens" USING btree ("user_id","kind","created_at");--> statement-breakpoint
CREATE INDEX "purchase_exceptions_unseen" ON "purchase_exceptions" USING btree ("created_at") WHERE "purchase_exceptions"."seen_at" is null;--> statement-breakpoint
CREATE INDEX "purchases_by_recipient" ON "purchases" USING btree ("merchant_id","recipient","created_at") WHERE "purchases"."recipient" is not null;--> statement-breakpoint
CREATE INDEX "purchases_by_service" ON "purchases" USING btree ("merchant_id","service","id") WHERE "purchases"."amount" > 0;--> statement-breakpoint
CREATE INDEX "purchases_processing" ON "purchases" USING btree ("merchant_id","id") WHERE "purchases"."status" = 'processing';--> statement-breakpoint
CREATE INDEX "purchases_failed" ON "purchases" USING btree ("merchant_id","id") WHERE "purchases"."status" = 'failed';--> statement-breakpoint
CREATE INDEX "purchases_reversed" ON "purchases" USING btree ("merchant_id","id") WHERE "purchases"."status" = 'reversed';--> statement-breakpoint
CREATE INDEX "purchases_by_customer_email" ON "purchases" USING btree ("merchant_id",lower("customer" ->> 'email'),"id") WHERE "purchases"."customer" ->> 'email' <> '';--> statement-breakpoint
CREATE INDEX "purchases_by_customer_phone" ON "purchases" USING btree ("merchant_id",("customer" ->> 'phone'),"id") WHERE "purchases"."customer" ->> 'phone' <> '';--> statement-breakpoint
CREATE INDEX "purchases_due" ON "purchases" USING btree ("provider","next_attempt_at") WHERE "purchases"."next_attempt_at" is not null;--> statement-breakpoint
CREATE INDEX "webhook_attempts_by_age" ON "webhook_attempts" USING btree ("started_at");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_fresh" ON "webhook_deliveries" USING btree ("merchant_id","endpoint_id","sequence") WHERE "webhook_deliveries"."status" = 'pending' and "webhook_deliveries"."attempt_count" = 0;--> statement-breakpoint
CREATE INDEX "webhook_deliveries_retries" ON "webhook_deliveries" USING btree ("merchant_id","endpoint_id","next_attempt_at","sequence") WHERE "webhook_deliveries"."status" = 'pending' and "webhook_deliveries"."attempt_count" > 0;--> statement-breakpoint
CREATE INDEX "webhook_deliveries_pending" ON "webhook_deliveries" USING btree ("merchant_id","id") WHERE "webhook_deliveries"."status" = 'pending';--> statement-breakpoint
CREATE INDEX "webhook_deliveries_failed" ON "webhook_deliveries" USING btree ("merchant_id","id") WHERE "webhook_deliveries"."status" = 'failed';--> statement-breakpoint
CREATE INDEX "webhook_deliveries_of_endpoint" ON "webhook_deliveries" USING btree ("merchant_id","endpoint_id","id") WHERE "webhook_deliveries"."attempt_count" >= 0;--> statement-breakpoint
CREATE INDEX "webhook_endpoints_failing" ON "webhook_endpoints" USING btree ("failing_since") WHERE "webhook_endpoints"."status" = 'enabled' and "webhook_endpoints"."failing_since" is not null;