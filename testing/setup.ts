import { randomBytes } from "node:crypto";

process.env.OJA_SECRET_KEY ??= randomBytes(32).toString("hex");
process.env.LOG_LEVEL ??= "silent";
process.env.DATABASE_POOL_SIZE ??= "12";
// Vite puts its own idea of a base URL ("/") under the name of our setting.
if (process.env.BASE_URL === "/") delete process.env.BASE_URL;
