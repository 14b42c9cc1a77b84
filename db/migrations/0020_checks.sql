CREATE TYPE "public"."check_kind" AS ENUM('invariants', 'cards');--> statement-breakpoint
CREATE TABLE "check_runs" (
	"id" text NOT NULL,
	"kind" "check_kind" NOT NULL,
	"from_time" timestamp (3) with time zone,
	"to_time" timestamp (3) with time zone NOT NULL,
	"started_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"finished_at" timestamp (3) with time zone,
	"rows_read" bigint,
	"findings" integer,
	"sample" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"failure" text,
	CONSTRAINT "check_runs_pkey" PRIMARY KEY("id"),
	CONSTRAINT "check_runs_finished" CHECK (("check_runs"."finished_at" is null) = ("check_runs"."findings" is null and "check_runs"."failure" is null))
);
--> statement-breakpoint
CREATE INDEX "check_runs_latest" ON "check_runs" USING btree ("started_at","id");