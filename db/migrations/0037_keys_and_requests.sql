CREATE TYPE "public"."request_caller" AS ENUM('key', 'member');--> statement-breakpoint
-- Rows were never deleted until now.
DELETE FROM "request_log" WHERE "created_at" < now() - interval '30 days';--> statement-breakpoint
ALTER TABLE "request_log" ADD COLUMN "caller" "request_caller" DEFAULT 'key' NOT NULL;--> statement-breakpoint
UPDATE "request_log" SET "caller" = 'member' WHERE "user_id" IS NOT NULL;--> statement-breakpoint
ALTER TABLE "request_log" ALTER COLUMN "caller" DROP DEFAULT;--> statement-breakpoint
ALTER TABLE "request_log" ADD COLUMN "endpoint" text;--> statement-breakpoint
ALTER TABLE "request_log" ADD COLUMN "query_fields" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "request_log" ADD COLUMN "body_fields" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "request_log" ADD COLUMN "problems" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
CREATE INDEX "request_log_failed" ON "request_log" USING btree ("merchant_id","id") WHERE "status" >= 400;--> statement-breakpoint
CREATE INDEX "request_log_broken" ON "request_log" USING btree ("merchant_id","id") WHERE "status" >= 500;--> statement-breakpoint
CREATE INDEX "request_log_by_code" ON "request_log" USING btree ("merchant_id","error_code","id") WHERE "error_code" is not null;--> statement-breakpoint
CREATE INDEX "request_log_by_age" ON "request_log" USING btree ("created_at");--> statement-breakpoint
ALTER TABLE "request_log" ADD CONSTRAINT "request_log_caller" CHECK (("caller" = 'key') = ("api_key_id" is not null));--> statement-breakpoint
-- Last, because every request with a key waits until the commit.
ALTER TABLE "api_keys" ADD COLUMN "last_used_address" text;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "replaced_by" text;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "version" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "made_by" text;--> statement-breakpoint
-- The audit knows who made a key, and which key replaced another one. Until now its entries named keys by their public half.
UPDATE "api_keys" k SET "made_by" = e.actor_type || ':' || e.actor_id
FROM "audit_entries" e WHERE e.action = 'api_key.created' AND e.subject = k.public_key;--> statement-breakpoint
UPDATE "api_keys" SET "made_by" = 'system:unknown' WHERE "made_by" IS NULL;--> statement-breakpoint
ALTER TABLE "api_keys" ALTER COLUMN "made_by" SET NOT NULL;--> statement-breakpoint
UPDATE "api_keys" k SET "replaced_by" = n.id FROM "audit_entries" e JOIN "api_keys" n ON n.public_key = e.after->>'replaced_by'
WHERE e.action = 'api_key.rolled' AND e.subject = k.public_key AND n.merchant_id = k.merchant_id;