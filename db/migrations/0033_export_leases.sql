CREATE TABLE "export_leases" (
	"business_id" text NOT NULL,
	"user_id" text NOT NULL,
	"lease" text NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "export_leases_pkey" PRIMARY KEY("business_id","user_id")
);
