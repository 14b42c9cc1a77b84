CREATE TYPE "public"."card_brand" AS ENUM('VISA', 'MASTERCARD');--> statement-breakpoint
CREATE TYPE "public"."card_fee_kind" AS ENUM('issue', 'fund');--> statement-breakpoint
CREATE TYPE "public"."card_operation_status" AS ENUM('processing', 'completed', 'failed');--> statement-breakpoint
CREATE TYPE "public"."card_operation_type" AS ENUM('issue', 'fund', 'unload', 'freeze', 'unfreeze', 'terminate');--> statement-breakpoint
CREATE TYPE "public"."card_status" AS ENUM('PENDING', 'ACTIVE', 'FROZEN', 'TERMINATED', 'FAILED');--> statement-breakpoint
CREATE TYPE "public"."card_transaction_status" AS ENUM('PENDING', 'COMPLETED', 'REVERSED', 'DECLINED');--> statement-breakpoint
CREATE TYPE "public"."card_transaction_type" AS ENUM('AUTHORIZATION', 'CLEARING', 'REVERSAL', 'REFUND', 'DECLINE', 'FEE');--> statement-breakpoint
CREATE TYPE "public"."issuer_subject" AS ENUM('cardholder', 'card');--> statement-breakpoint
CREATE TYPE "public"."kyc_status" AS ENUM('PENDING', 'APPROVED', 'REJECTED');--> statement-breakpoint
CREATE SEQUENCE "public"."cardholder_numbers" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 100001 CACHE 1;--> statement-breakpoint
CREATE TABLE "audit_entries" (
	"merchant_id" text NOT NULL,
	"id" text NOT NULL,
	"actor_type" text NOT NULL,
	"actor_id" text NOT NULL,
	"action" text NOT NULL,
	"subject" text NOT NULL,
	"request_id" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "audit_entries_pkey" PRIMARY KEY("merchant_id","id")
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
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"completed_at" timestamp (3) with time zone,
	CONSTRAINT "card_operations_pkey" PRIMARY KEY("merchant_id","id"),
	CONSTRAINT "card_operations_amount" CHECK ("card_operations"."amount" > 0 or "card_operations"."type" not in ('fund', 'unload')),
	CONSTRAINT "card_operations_fee_not_negative" CHECK ("card_operations"."fee" >= 0),
	CONSTRAINT "card_operations_money_has_a_rate" CHECK ("card_operations"."wallet_amount" = 0 or ("card_operations"."exchange_rate" > 0 and "card_operations"."mid_rate" > 0)),
	CONSTRAINT "card_operations_failed_has_reason" CHECK (("card_operations"."status" = 'failed') = ("card_operations"."failure_reason" is not null)),
	CONSTRAINT "card_operations_final_is_over" CHECK (("card_operations"."status" = 'processing') = ("card_operations"."completed_at" is null) and ("card_operations"."status" = 'processing') = ("card_operations"."next_attempt_at" is not null))
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
CREATE TABLE "cardholders" (
	"merchant_id" text NOT NULL,
	"id" bigint DEFAULT nextval('cardholder_numbers') NOT NULL,
	"reference" text NOT NULL,
	"first_name" text NOT NULL,
	"last_name" text NOT NULL,
	"email" text NOT NULL,
	"phone" text,
	"kyc_status" "kyc_status" DEFAULT 'PENDING' NOT NULL,
	"kyc_rejection_reason" text,
	"provider" text NOT NULL,
	"provider_reference" text,
	"checks" integer DEFAULT 0 NOT NULL,
	"next_check_at" timestamp (3) with time zone,
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
	"status" "card_status" DEFAULT 'PENDING' NOT NULL,
	"provider" text NOT NULL,
	"provider_reference" text,
	"last4" text,
	"expiry_month" smallint,
	"expiry_year" smallint,
	"next_sync_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"terminated_at" timestamp (3) with time zone,
	CONSTRAINT "cards_pkey" PRIMARY KEY("merchant_id","id"),
	CONSTRAINT "cards_last4_only" CHECK ("cards"."last4" ~ '^[0-9]{4}$'),
	CONSTRAINT "cards_issued_are_known" CHECK ("cards"."status" in ('PENDING', 'FAILED') or ("cards"."provider_reference" is not null and "cards"."last4" is not null and "cards"."expiry_month" between 1 and 12 and "cards"."expiry_year" is not null)),
	CONSTRAINT "cards_terminated_at_when_terminated" CHECK (("cards"."status" = 'TERMINATED') = ("cards"."terminated_at" is not null))
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
CREATE TABLE "issuer_references" (
	"provider" text NOT NULL,
	"reference" text NOT NULL,
	"merchant_id" text NOT NULL,
	"subject" "issuer_subject" NOT NULL,
	"subject_id" text NOT NULL,
	CONSTRAINT "issuer_references_pkey" PRIMARY KEY("provider","reference")
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
ALTER TABLE "merchant_providers" DROP CONSTRAINT "merchant_providers_no_sandbox_in_live";--> statement-breakpoint
ALTER TABLE "sandbox"."notices" ADD COLUMN "path" text DEFAULT '/api/providers/sandbox/notices' NOT NULL;--> statement-breakpoint
ALTER TABLE "sandbox"."notices" ADD COLUMN "is_signed" boolean DEFAULT true NOT NULL;--> statement-breakpoint
CREATE INDEX "card_operations_by_card" ON "card_operations" USING btree ("merchant_id","card_id","id") WHERE "card_operations"."card_id" > '';--> statement-breakpoint
CREATE INDEX "card_operations_processing" ON "card_operations" USING btree ("merchant_id","card_id") WHERE "card_operations"."status" = 'processing';--> statement-breakpoint
CREATE INDEX "card_operations_due" ON "card_operations" USING btree ("next_attempt_at") WHERE "card_operations"."status" = 'processing';--> statement-breakpoint
CREATE UNIQUE INDEX "card_operations_issued_once" ON "card_operations" USING btree ("merchant_id","card_id") WHERE "card_operations"."type" = 'issue';--> statement-breakpoint
CREATE UNIQUE INDEX "card_operations_terminated_once" ON "card_operations" USING btree ("merchant_id","card_id") WHERE "card_operations"."type" = 'terminate' and "card_operations"."status" <> 'failed';--> statement-breakpoint
CREATE UNIQUE INDEX "card_operations_one_change_at_a_time" ON "card_operations" USING btree ("merchant_id","card_id") WHERE "card_operations"."type" in ('freeze', 'unfreeze') and "card_operations"."status" = 'processing';--> statement-breakpoint
CREATE INDEX "card_transactions_to_pass_on" ON "card_transactions" USING btree ("merchant_id","card_id") WHERE "card_transactions"."awaits_passing_on";--> statement-breakpoint
CREATE INDEX "card_transactions_by_related" ON "card_transactions" USING btree ("merchant_id","card_id","related_reference") WHERE "card_transactions"."related_reference" is not null;--> statement-breakpoint
CREATE INDEX "cardholders_due" ON "cardholders" USING btree ("next_check_at") WHERE "cardholders"."next_check_at" is not null;--> statement-breakpoint
CREATE INDEX "cards_pending" ON "cards" USING btree ("merchant_id","id") WHERE "cards"."status" = 'PENDING';--> statement-breakpoint
CREATE INDEX "cards_active" ON "cards" USING btree ("merchant_id","id") WHERE "cards"."status" = 'ACTIVE';--> statement-breakpoint
CREATE INDEX "cards_frozen" ON "cards" USING btree ("merchant_id","id") WHERE "cards"."status" = 'FROZEN';--> statement-breakpoint
CREATE INDEX "cards_terminated" ON "cards" USING btree ("merchant_id","id") WHERE "cards"."status" = 'TERMINATED';--> statement-breakpoint
CREATE INDEX "cards_failed" ON "cards" USING btree ("merchant_id","id") WHERE "cards"."status" = 'FAILED';--> statement-breakpoint
CREATE INDEX "cards_by_cardholder" ON "cards" USING btree ("merchant_id","cardholder_id","id") WHERE "cards"."cardholder_id" > 0;--> statement-breakpoint
CREATE INDEX "cards_due" ON "cards" USING btree ("next_sync_at") WHERE "cards"."next_sync_at" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "card_operations_once" ON "sandbox"."card_operations" USING btree ("reference") WHERE "sandbox"."card_operations"."house" = 'sandbox';--> statement-breakpoint
CREATE INDEX "card_operations_by_reference" ON "sandbox"."card_operations" USING btree ("house","reference");--> statement-breakpoint
CREATE INDEX "card_operations_queued" ON "sandbox"."card_operations" USING btree ("due_at") WHERE "sandbox"."card_operations"."state" = 'queued';--> statement-breakpoint
CREATE INDEX "card_transactions_by_card" ON "sandbox"."card_transactions" USING btree ("house","card_id","serial");--> statement-breakpoint
CREATE INDEX "cardholders_by_reference" ON "sandbox"."cardholders" USING btree ("house","reference");--> statement-breakpoint
CREATE INDEX "cardholders_to_decide" ON "sandbox"."cardholders" USING btree ("decides_at") WHERE "sandbox"."cardholders"."state" = 'review';--> statement-breakpoint
CREATE INDEX "cards_by_reference" ON "sandbox"."cards" USING btree ("house","reference");--> statement-breakpoint
ALTER TABLE "merchant_providers" ADD CONSTRAINT "merchant_providers_no_sandbox_in_live" CHECK (not ("mode" = 'live' and "provider" like 'sandbox%'));