CREATE TYPE "public"."bulk_order_status" AS ENUM('draft', 'running', 'paused', 'done', 'cancelled');--> statement-breakpoint
CREATE TYPE "public"."bulk_row_status" AS ENUM('ready', 'invalid', 'duplicate', 'bought', 'skipped');--> statement-breakpoint
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
	CONSTRAINT "bulk_orders_pause_has_reason" CHECK (("status" = 'paused') = ("pause_reason" is not null and "pause_message" is not null)),
	CONSTRAINT "bulk_orders_confirmed_by_a_member" CHECK (("confirmed_at" is null) = ("buyer_id" is null)),
	CONSTRAINT "bulk_orders_running_is_confirmed" CHECK ("status" in ('draft', 'cancelled') or "confirmed_at" is not null),
	CONSTRAINT "bulk_orders_over_has_time" CHECK (("status" in ('done', 'cancelled')) = ("completed_at" is not null))
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
	CONSTRAINT "bulk_rows_invalid_has_message" CHECK (("status" = 'invalid') = ("message" is not null)),
	CONSTRAINT "bulk_rows_valid_has_product" CHECK (("status" = 'invalid') = ("product_id" is null) and ("product_id" is null) = ("recipient" is null) and ("product_id" is null) = ("product_name" is null)
        and ("product_id" is null) = ("amount" is null) and coalesce("amount", 1) > 0),
	CONSTRAINT "bulk_rows_duplicate_of_something" CHECK ("status" <> 'duplicate' or ("duplicate_of" is not null and not "allow_duplicate")),
	CONSTRAINT "bulk_rows_bought_has_purchase" CHECK ("status" <> 'bought' or "purchase_id" is not null)
);
--> statement-breakpoint
ALTER TABLE "bulk_rows" ADD CONSTRAINT "bulk_rows_of_an_order" FOREIGN KEY ("merchant_id","bulk_order_id") REFERENCES "public"."bulk_orders"("merchant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "bulk_orders_due" ON "bulk_orders" USING btree ("locked_until") WHERE "bulk_orders"."status" = 'running';--> statement-breakpoint
CREATE UNIQUE INDEX "bulk_rows_one_purchase_each" ON "bulk_rows" USING btree ("merchant_id","purchase_id") WHERE "bulk_rows"."purchase_id" is not null;--> statement-breakpoint
CREATE INDEX "bulk_rows_waiting" ON "bulk_rows" USING btree ("merchant_id","recipient") WHERE "bulk_rows"."status" = 'ready';