ALTER TYPE "public"."proof_purpose" ADD VALUE 'manage_team';--> statement-breakpoint
ALTER TABLE "businesses" ADD COLUMN "two_factor_required_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "invitations_of_email" ON "invitations" USING btree ("email") WHERE "invitations"."accepted_at" is null and "invitations"."withdrawn_at" is null;