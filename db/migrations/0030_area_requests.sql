CREATE TABLE "area_requests" (
	"merchant_id" text NOT NULL,
	"id" text NOT NULL,
	"area" "area" NOT NULL,
	"made_by" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"closed_at" timestamp (3) with time zone,
	CONSTRAINT "area_requests_pkey" PRIMARY KEY("merchant_id","id")
);
--> statement-breakpoint
CREATE UNIQUE INDEX "area_requests_one_open" ON "area_requests" USING btree ("merchant_id","area") WHERE "area_requests"."closed_at" is null;