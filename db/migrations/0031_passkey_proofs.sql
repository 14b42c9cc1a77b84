CREATE TYPE "public"."proof_purpose" AS ENUM('reveal_card', 'add_passkey', 'remove_passkey');--> statement-breakpoint
ALTER TABLE "passkey_challenges" ADD COLUMN "purpose" "proof_purpose";--> statement-breakpoint
ALTER TABLE "passkey_challenges" ADD COLUMN "session_id" text;--> statement-breakpoint
ALTER TABLE "passkey_challenges" ADD CONSTRAINT "passkey_challenges_proof_of_a_session" CHECK (("purpose" is null) = ("session_id" is null) and ("purpose" is null or "user_id" is not null));