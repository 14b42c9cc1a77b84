import { randomBytes } from "node:crypto";
import fc from "fast-check";

// The same seed in every run, so that a property that fails belongs to the change that broke it. FC_SEED=… tries others.
fc.configureGlobal({ seed: Number(process.env.FC_SEED ?? 20_261_121) });

process.env.OJA_SECRET_KEY ??= randomBytes(32).toString("hex");
process.env.LOG_LEVEL ??= "silent";
process.env.DATABASE_POOL_SIZE ??= "12";
// Vite puts its own idea of a base URL ("/") under the name of our setting.
if (process.env.BASE_URL === "/") delete process.env.BASE_URL;
