-- A call is made with a key, or by a person with a session. Rows that are there have a key, so the constraint is not checked against them: a
-- log of many rows would be locked for as long.
ALTER TABLE "request_log" ALTER COLUMN "api_key_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "request_log" ADD COLUMN "user_id" text;--> statement-breakpoint
ALTER TABLE "request_log" ADD CONSTRAINT "request_log_by_one" CHECK (num_nonnulls("api_key_id", "user_id") = 1) NOT VALID;
