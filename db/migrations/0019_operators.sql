CREATE TYPE "public"."proposal_state" AS ENUM('open', 'carried_out', 'refused', 'cancelled', 'expired');--> statement-breakpoint
CREATE TABLE "proposals" (
	"id" text NOT NULL,
	"kind" text NOT NULL,
	"merchant_id" text NOT NULL,
	"subject" text NOT NULL,
	"payload" jsonb NOT NULL,
	"sealed_secrets" text,
	"reason" text NOT NULL,
	"proposed_by" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"state" "proposal_state" DEFAULT 'open' NOT NULL,
	"decided_by" text,
	"decided_at" timestamp (3) with time zone,
	"decision_reason" text,
	"is_alone" boolean DEFAULT false NOT NULL,
	CONSTRAINT "proposals_pkey" PRIMARY KEY("id"),
	CONSTRAINT "proposals_decided" CHECK (("proposals"."state" = 'open') = ("proposals"."decided_at" is null)),
	CONSTRAINT "proposals_two_people" CHECK ("proposals"."state" <> 'carried_out' or (
        case when "proposals"."is_alone" then "proposals"."decided_by" is null and "proposals"."decided_at" >= "proposals"."created_at" + interval '24 h'
        else "proposals"."decided_by" is not null and "proposals"."decided_by" <> "proposals"."proposed_by" end)),
	CONSTRAINT "proposals_alone_only_carried_out" CHECK (not "proposals"."is_alone" or "proposals"."state" = 'carried_out'),
	CONSTRAINT "proposals_secrets_forgotten" CHECK ("proposals"."state" = 'open' or "proposals"."sealed_secrets" is null)
);
--> statement-breakpoint
ALTER TABLE "members" ADD COLUMN "decides_from" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "proposals" ADD CONSTRAINT "proposals_merchant_fkey" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "proposals" ADD CONSTRAINT "proposals_proposed_by_fkey" FOREIGN KEY ("proposed_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "proposals" ADD CONSTRAINT "proposals_decided_by_fkey" FOREIGN KEY ("decided_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "proposals_one_open" ON "proposals" USING btree ("kind","subject") WHERE "proposals"."state" = 'open';--> statement-breakpoint
CREATE INDEX "proposals_open" ON "proposals" USING btree ("created_at") WHERE "proposals"."state" = 'open';--> statement-breakpoint
CREATE INDEX "proposals_latest" ON "proposals" USING btree ("created_at","id");--> statement-breakpoint
-- Nobody could join the platform's own business before, but by SQL.
UPDATE "members" SET "decides_from" = now() WHERE "business_id" = 'biz_platform';--> statement-breakpoint
ALTER TABLE "members" ADD CONSTRAINT "members_operators_decide" CHECK (("members"."business_id" = 'biz_platform') = ("members"."decides_from" is not null));--> statement-breakpoint
CREATE FUNCTION "refuse_changes_of_proposals"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF TG_OP = 'DELETE' THEN RAISE EXCEPTION 'proposals are kept'; END IF;
	IF OLD.state <> 'open' THEN RAISE EXCEPTION 'proposal % is decided', OLD.id; END IF;
	IF (NEW.id, NEW.kind, NEW.merchant_id, NEW.subject, NEW.payload, NEW.reason, NEW.proposed_by, NEW.created_at, NEW.expires_at)
		IS DISTINCT FROM (OLD.id, OLD.kind, OLD.merchant_id, OLD.subject, OLD.payload, OLD.reason, OLD.proposed_by, OLD.created_at, OLD.expires_at)
		OR (NEW.state = 'open' AND NEW.sealed_secrets IS DISTINCT FROM OLD.sealed_secrets)
	THEN RAISE EXCEPTION 'proposal % is decided as it was made', OLD.id; END IF;
	RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER "proposals_unchanged" BEFORE UPDATE OR DELETE ON "proposals" FOR EACH ROW EXECUTE FUNCTION "refuse_changes_of_proposals"();
