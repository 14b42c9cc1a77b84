ALTER TYPE "public"."proof_purpose" ADD VALUE 'manage_keys';--> statement-breakpoint
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
	"made_by" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "invitations_pkey" PRIMARY KEY("business_id","id"),
	CONSTRAINT "invitations_token" UNIQUE("token_hash"),
	CONSTRAINT "invitations_end_once" CHECK (num_nonnulls("accepted_at", "withdrawn_at") <= 1),
	CONSTRAINT "invitations_email_lower_case" CHECK ("email" = lower("email")),
	CONSTRAINT "invitations_token_hash" CHECK ("token_hash" ~ '^[0-9a-f]{64}$')
);
--> statement-breakpoint
DROP INDEX "sessions_open_by_user";--> statement-breakpoint
ALTER TABLE "businesses" ADD COLUMN "brand_version" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_business_fkey" FOREIGN KEY ("business_id") REFERENCES "public"."businesses"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "invitations_one_open" ON "invitations" USING btree ("business_id","email") WHERE "accepted_at" is null and "withdrawn_at" is null;--> statement-breakpoint
CREATE INDEX "sessions_by_user" ON "sessions" USING btree ("user_id");