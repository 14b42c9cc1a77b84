CREATE TYPE "public"."difference_kind" AS ENUM('missing_here', 'missing_there', 'amount_differs', 'account_differs', 'other_day');--> statement-breakpoint
CREATE TYPE "public"."statement_source" AS ENUM('statement', 'accounts');--> statement-breakpoint
CREATE TABLE "bank_days" (
	"provider" text NOT NULL,
	"day" date NOT NULL,
	"source" "statement_source" NOT NULL,
	"lines" integer NOT NULL,
	"matched" integer NOT NULL,
	"read_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "bank_days_pkey" PRIMARY KEY("provider","day"),
	CONSTRAINT "bank_days_counted" CHECK ("bank_days"."matched" between 0 and "bank_days"."lines")
);
--> statement-breakpoint
CREATE TABLE "statement_differences" (
	"provider" text NOT NULL,
	"day" date NOT NULL,
	"session_id" text NOT NULL,
	"direction" text NOT NULL,
	"kind" "difference_kind" NOT NULL,
	"account_reference" text,
	"amount_here" bigint,
	"amount_there" bigint,
	"explanation" text,
	"explained_by" text,
	"explained_at" timestamp (3) with time zone,
	"gone_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "statement_differences_pkey" PRIMARY KEY("provider","day","session_id","direction"),
	CONSTRAINT "statement_differences_direction" CHECK ("statement_differences"."direction" in ('in', 'out')),
	CONSTRAINT "statement_differences_explained" CHECK (("statement_differences"."explained_at" is null) = ("statement_differences"."explanation" is null))
);
--> statement-breakpoint
ALTER TABLE "bank_transfers" ADD COLUMN "returned_by_hand" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX "statement_differences_open" ON "statement_differences" USING btree ("provider","day") WHERE "statement_differences"."explained_at" is null;--> statement-breakpoint
CREATE INDEX "bank_transfers_by_day" ON "bank_transfers" USING brin ("received_at");