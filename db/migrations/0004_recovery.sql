CREATE TYPE "public"."factor_proof" AS ENUM('mailed_code', 'factor');--> statement-breakpoint
ALTER TYPE "public"."proof_purpose" ADD VALUE 'add_app';--> statement-breakpoint
ALTER TYPE "public"."user_token_kind" ADD VALUE 'not_me';--> statement-breakpoint
ALTER TYPE "public"."user_token_kind" ADD VALUE 'ask_removal';--> statement-breakpoint
ALTER TYPE "public"."user_token_kind" ADD VALUE 'remove_factors';--> statement-breakpoint
CREATE TABLE "factor_removals" (
	"user_id" text NOT NULL,
	"id" text NOT NULL,
	"asked_by" text NOT NULL,
	"link_mailed_at" timestamp (3) with time zone,
	"ended_at" timestamp (3) with time zone,
	"end" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "factor_removals_pkey" PRIMARY KEY("user_id","id"),
	CONSTRAINT "factor_removals_asked_by" CHECK ("factor_removals"."asked_by" in ('mail', 'operator')),
	CONSTRAINT "factor_removals_end" CHECK (("factor_removals"."ended_at" is null) = ("factor_removals"."end" is null))
);
--> statement-breakpoint
CREATE TABLE "mailed_codes" (
	"user_id" text NOT NULL,
	"session_id" text NOT NULL,
	"hash" text NOT NULL,
	"tries" integer DEFAULT 0 NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "mailed_codes_pkey" PRIMARY KEY("user_id"),
	CONSTRAINT "mailed_codes_hash" CHECK ("mailed_codes"."hash" ~ '^[0-9a-f]{64}$')
);
--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "paused_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "restricted_until" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "factors_since" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "password_reset_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "passkey_challenges" ADD COLUMN "proved_by" "factor_proof";--> statement-breakpoint
ALTER TABLE "passkeys" ADD COLUMN "used_from_known_device" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "totp_secrets" ADD COLUMN "proved_by" "factor_proof";--> statement-breakpoint
ALTER TABLE "totp_secrets" ADD COLUMN "session_id" text;--> statement-breakpoint
ALTER TABLE "totp_secrets" ADD COLUMN "used_from_known_device" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "user_tokens" ADD COLUMN "since" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "factor_removals" ADD CONSTRAINT "factor_removals_user_fkey" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mailed_codes" ADD CONSTRAINT "mailed_codes_user_fkey" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "factor_removals_one_open" ON "factor_removals" USING btree ("user_id") WHERE "factor_removals"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "factor_removals_due" ON "factor_removals" USING btree ("created_at") WHERE "factor_removals"."ended_at" is null and "factor_removals"."link_mailed_at" is null;--> statement-breakpoint
-- They were begun before a first factor needed a code by mail, and no session is known that may confirm them.
DELETE FROM "totp_secrets" WHERE "confirmed_at" IS NULL;