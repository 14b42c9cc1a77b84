import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openApiDocument } from "#app/_http/openapi.ts";
import { endpoints } from "#app/api/v1/endpoints.ts";
import { ROOT } from "../server/runtime.ts";

// Redocly lints a file, so the document is written to one.
mkdirSync(join(ROOT, ".data"), { recursive: true });
writeFileSync(join(ROOT, ".data/openapi.json"), JSON.stringify(openApiDocument(endpoints, "https://api.oja.example"), null, 2));
