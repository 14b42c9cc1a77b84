CREATE TYPE "public"."purchase_exception_kind" AS ENUM('late_success', 'reversal', 'ignored');--> statement-breakpoint
CREATE TYPE "public"."purchase_status" AS ENUM('processing', 'success', 'failed', 'reversed');--> statement-breakpoint
CREATE TYPE "public"."vtu_service" AS ENUM('airtime', 'data', 'cable', 'electricity', 'exam');--> statement-breakpoint
CREATE SEQUENCE "public"."product_numbers" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1001 CACHE 1;--> statement-breakpoint
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
CREATE TABLE "aggregator_references" (
	"provider" text NOT NULL,
	"purchase_id" text NOT NULL,
	"merchant_id" text NOT NULL,
	CONSTRAINT "aggregator_references_pkey" PRIMARY KEY("provider","purchase_id")
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
CREATE INDEX "vtu_orders_due" ON "sandbox"."vtu_orders" USING btree ("due_at") WHERE "sandbox"."vtu_orders"."due_at" is not null;--> statement-breakpoint
CREATE INDEX "purchase_exceptions_unseen" ON "purchase_exceptions" USING btree ("created_at") WHERE "purchase_exceptions"."seen_at" is null;--> statement-breakpoint
CREATE INDEX "purchases_by_recipient" ON "purchases" USING btree ("recipient","created_at") WHERE "purchases"."recipient" is not null;--> statement-breakpoint
CREATE INDEX "purchases_by_service" ON "purchases" USING btree ("merchant_id","service","id") WHERE "purchases"."amount" > 0;--> statement-breakpoint
CREATE INDEX "purchases_processing" ON "purchases" USING btree ("merchant_id","id") WHERE "purchases"."status" = 'processing';--> statement-breakpoint
CREATE INDEX "purchases_failed" ON "purchases" USING btree ("merchant_id","id") WHERE "purchases"."status" = 'failed';--> statement-breakpoint
CREATE INDEX "purchases_reversed" ON "purchases" USING btree ("merchant_id","id") WHERE "purchases"."status" = 'reversed';--> statement-breakpoint
CREATE INDEX "purchases_due" ON "purchases" USING btree ("provider","next_attempt_at") WHERE "purchases"."next_attempt_at" is not null;