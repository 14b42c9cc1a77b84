CREATE TYPE "public"."delivery_status" AS ENUM('pending', 'delivered', 'failed');--> statement-breakpoint
CREATE TYPE "public"."disabled_reason" AS ENUM('merchant', 'gone', 'failing');--> statement-breakpoint
CREATE TYPE "public"."endpoint_status" AS ENUM('enabled', 'disabled', 'deleted');--> statement-breakpoint
CREATE TABLE "alerts" (
	"merchant_id" text NOT NULL,
	"id" text NOT NULL,
	"type" text NOT NULL,
	"message" text NOT NULL,
	"resource_id" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "alerts_pkey" PRIMARY KEY("merchant_id","id")
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
	"held_until" timestamp (3) with time zone,
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
ALTER TABLE "webhook_secrets" ADD CONSTRAINT "webhook_secrets_endpoint_fkey" FOREIGN KEY ("merchant_id","endpoint_id") REFERENCES "public"."webhook_endpoints"("merchant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "webhook_attempts_by_age" ON "webhook_attempts" USING btree ("started_at");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_fresh" ON "webhook_deliveries" USING btree ("merchant_id","endpoint_id","sequence") WHERE "webhook_deliveries"."status" = 'pending' and "webhook_deliveries"."attempt_count" = 0;--> statement-breakpoint
CREATE INDEX "webhook_deliveries_retries" ON "webhook_deliveries" USING btree ("merchant_id","endpoint_id","next_attempt_at","sequence") WHERE "webhook_deliveries"."status" = 'pending' and "webhook_deliveries"."attempt_count" > 0;--> statement-breakpoint
CREATE INDEX "webhook_deliveries_pending" ON "webhook_deliveries" USING btree ("merchant_id","id") WHERE "webhook_deliveries"."status" = 'pending';--> statement-breakpoint
CREATE INDEX "webhook_deliveries_failed" ON "webhook_deliveries" USING btree ("merchant_id","id") WHERE "webhook_deliveries"."status" = 'failed';--> statement-breakpoint
CREATE INDEX "webhook_deliveries_of_endpoint" ON "webhook_deliveries" USING btree ("merchant_id","endpoint_id","id") WHERE "webhook_deliveries"."attempt_count" >= 0;