import { SCRIPT, SCRIPT_NAME } from "#app/_people/sign-in/assets.generated.ts";
import { scriptRoute } from "#app/script-route.ts";

export const GET = scriptRoute(SCRIPT_NAME, SCRIPT);
