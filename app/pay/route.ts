import { publicRoute } from "#app/public-route.ts";
import { PAGE_REFUSALS } from "./refusals.tsx";

/** The path without a reference is no link. It answers as an unknown one does. */
export const GET = publicRoute((request) => PAGE_REFUSALS.unknown(request));
