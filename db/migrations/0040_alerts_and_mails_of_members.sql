CREATE TABLE "balance_limits" (
	"merchant_id" text NOT NULL,
	"kobo" bigint NOT NULL,
	"below_since" timestamp (3) with time zone,
	"alerted_at" timestamp (3) with time zone,
	CONSTRAINT "balance_limits_pkey" PRIMARY KEY("merchant_id"),
	CONSTRAINT "balance_limits_positive" CHECK ("balance_limits"."kobo" > 0)
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
ALTER TABLE "invitations" DROP CONSTRAINT "invitations_end_once";--> statement-breakpoint
DROP INDEX "mails_due";--> statement-breakpoint
DROP INDEX "invitations_one_open";--> statement-breakpoint
DROP INDEX "invitations_of_email";--> statement-breakpoint
ALTER TABLE "invitations" ADD COLUMN "declined_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "alerts" ADD COLUMN "cause" text;--> statement-breakpoint
-- Alerts that are older than the mails are not mailed: they get the time of this migration, without a rewrite of the table.
ALTER TABLE "alerts" ADD COLUMN "noted_at" timestamp (3) with time zone DEFAULT now();--> statement-breakpoint
ALTER TABLE "alerts" ALTER COLUMN "noted_at" DROP DEFAULT;--> statement-breakpoint
ALTER TABLE "mail_choices" ADD CONSTRAINT "mail_choices_member_fkey" FOREIGN KEY ("business_id","user_id") REFERENCES "public"."members"("business_id","user_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "mail_choices_payments" ON "mail_choices" USING btree ("frequency","business_id") WHERE "mail_choices"."topic" = 'payments' and "mail_choices"."frequency" <> 'never';--> statement-breakpoint
CREATE INDEX "mail_items_due" ON "mail_items" USING btree ("due_at") WHERE "mail_items"."due_at" is not null;--> statement-breakpoint
CREATE INDEX "mail_items_mailed" ON "mail_items" USING btree ("merchant_id","user_id","mailed_at") WHERE "mail_items"."mailed_at" is not null;--> statement-breakpoint
CREATE INDEX "mail_items_by_age" ON "mail_items" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "mails_due_in_order" ON "mails" USING btree ((case when "kind" in ('news', 'summary') then 2 when "kind" in ('verify_email', 'email_taken') then 1 else 0 end),"next_attempt_at") WHERE "mails"."next_attempt_at" is not null;--> statement-breakpoint
CREATE INDEX "api_keys_ending" ON "api_keys" USING btree ("expires_at") WHERE "api_keys"."expires_at" is not null and "api_keys"."revoked_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "alerts_once" ON "alerts" USING btree ("merchant_id","type","cause") WHERE "alerts"."cause" is not null;--> statement-breakpoint
CREATE INDEX "alerts_standalone" ON "alerts" USING btree ("merchant_id","id") WHERE type not in ('checkout.transfer_returned', 'wallet.debt', 'webhook_endpoint.failing');--> statement-breakpoint
CREATE INDEX "alerts_to_note" ON "alerts" USING btree ("id") WHERE "alerts"."noted_at" is null;--> statement-breakpoint
CREATE INDEX "webhook_endpoints_failing" ON "webhook_endpoints" USING btree ("failing_since") WHERE "webhook_endpoints"."status" = 'enabled' and "webhook_endpoints"."failing_since" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "invitations_one_open" ON "invitations" USING btree ("business_id","email") WHERE num_nonnulls("invitations"."accepted_at", "invitations"."withdrawn_at", "invitations"."declined_at") = 0;--> statement-breakpoint
CREATE INDEX "invitations_of_email" ON "invitations" USING btree ("email") WHERE num_nonnulls("invitations"."accepted_at", "invitations"."withdrawn_at", "invitations"."declined_at") = 0;--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_end_once" CHECK (num_nonnulls("invitations"."accepted_at", "invitations"."withdrawn_at", "invitations"."declined_at") <= 1);