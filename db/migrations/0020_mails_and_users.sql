CREATE TYPE "public"."user_token_kind" AS ENUM('verify_email', 'reset_password');--> statement-breakpoint
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
ALTER TABLE "users" ADD COLUMN "email_verified_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "known_devices" ADD CONSTRAINT "known_devices_user_fkey" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_tokens" ADD CONSTRAINT "user_tokens_user_fkey" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "mails_due" ON "mails" USING btree ("next_attempt_at") WHERE "mails"."next_attempt_at" is not null;--> statement-breakpoint
CREATE INDEX "mails_by_recipient" ON "mails" USING btree ("recipient","created_at");--> statement-breakpoint
CREATE INDEX "mails_by_age" ON "mails" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "user_tokens_by_user" ON "user_tokens" USING btree ("user_id","kind","created_at");--> statement-breakpoint
-- Owners of before were made on the command line, by an operator who knows them.
UPDATE "users" SET "email_verified_at" = "created_at";
