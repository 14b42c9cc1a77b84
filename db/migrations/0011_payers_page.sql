CREATE TYPE "public"."link_activity_kind" AS ENUM('opened', 'copied', 'sent', 'returned');--> statement-breakpoint
CREATE TABLE "bank_health" (
	"provider" text NOT NULL,
	"failures" integer DEFAULT 0 NOT NULL,
	"down_since" timestamp (3) with time zone,
	"next_check_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "bank_health_pkey" PRIMARY KEY("provider"),
	CONSTRAINT "bank_health_failures_counted" CHECK ("bank_health"."failures" >= 0)
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
	CONSTRAINT "payment_link_activity_pkey" PRIMARY KEY("merchant_id","link_id","kind"),
	CONSTRAINT "payment_link_activity_in_order" CHECK ("payment_link_activity"."last_at" >= "payment_link_activity"."first_at" and "payment_link_activity"."times" > 0)
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
ALTER TABLE "businesses" ADD COLUMN "logo" text;--> statement-breakpoint
ALTER TABLE "merchants" ADD COLUMN "embed_origins" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "businesses" ADD CONSTRAINT "businesses_logo_fkey" FOREIGN KEY ("logo") REFERENCES "public"."logos"("name") ON DELETE no action ON UPDATE no action;