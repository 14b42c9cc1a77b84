import { scriptRoute } from "#app/script-route.ts";
import { SCRIPT, SCRIPT_NAME } from "#components/pay/assets.generated.ts";

export const GET = scriptRoute(SCRIPT_NAME, SCRIPT);
