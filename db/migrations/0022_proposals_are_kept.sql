ALTER TABLE "proposals" ADD CONSTRAINT "proposals_open_undecided" CHECK ("proposals"."state" <> 'open' or "proposals"."decided_by" is null);--> statement-breakpoint
CREATE FUNCTION "refuse_truncation_of_proposals"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN RAISE EXCEPTION 'proposals are kept'; END $$;--> statement-breakpoint
CREATE TRIGGER "proposals_kept" BEFORE TRUNCATE ON "proposals" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_truncation_of_proposals"();
