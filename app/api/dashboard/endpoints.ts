import type { Endpoint } from "#app/_http/openapi.ts";
import { GET as getOwnSession } from "./session/route.ts";
import { DELETE as endOwnSession } from "./sessions/[id]/route.ts";
import { POST as endOtherSessions } from "./sessions/end-others/route.ts";
import { GET as listOwnSessions } from "./sessions/route.ts";
import { POST as revealCardToMember } from "./virtual-cards/[id]/reveal/route.ts";

/** Every endpoint that only the dashboard has. A test compares this list with the route files. */
export const dashboardEndpoints: Endpoint[] = [
  { method: "get", path: "/api/dashboard/session", route: getOwnSession },
  { method: "get", path: "/api/dashboard/sessions", route: listOwnSessions },
  { method: "post", path: "/api/dashboard/sessions/end-others", route: endOtherSessions },
  { method: "delete", path: "/api/dashboard/sessions/{id}", route: endOwnSession },
  { method: "post", path: "/api/dashboard/virtual-cards/{id}/reveal", route: revealCardToMember },
];
