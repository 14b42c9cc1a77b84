ALTER TYPE "public"."proof_purpose" ADD VALUE 'manage_team';--> statement-breakpoint
ALTER TABLE "businesses" ADD COLUMN "requested_name" text;--> statement-breakpoint
ALTER TABLE "businesses" ADD COLUMN "name_requested_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "businesses" ADD COLUMN "two_factor_required_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "merchants" ADD COLUMN "steps_put_away_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "businesses_waiting_for_a_name" ON "businesses" USING btree ("name_requested_at") WHERE "businesses"."requested_name" is not null;--> statement-breakpoint
CREATE INDEX "invitations_of_email" ON "invitations" USING btree ("email") WHERE "invitations"."accepted_at" is null and "invitations"."withdrawn_at" is null;--> statement-breakpoint
ALTER TABLE "businesses" ADD CONSTRAINT "businesses_name_requested_at" CHECK (("businesses"."requested_name" is null) = ("businesses"."name_requested_at" is null));