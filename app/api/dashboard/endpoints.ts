import type { Endpoint } from "#app/_http/openapi.ts";
import { POST as markAlertsSeen } from "./alerts/seen/route.ts";
import { POST as revokeApiKey } from "./api-keys/[id]/revoke/route.ts";
import { POST as rollApiKey } from "./api-keys/[id]/roll/route.ts";
import { PATCH as changeApiKey, GET as getApiKey } from "./api-keys/[id]/route.ts";
import { POST as createApiKey, GET as listApiKeys } from "./api-keys/route.ts";
import { POST as requestArea } from "./areas/[area]/request/route.ts";
import { POST as cancelBulkOrder } from "./bulk-orders/[id]/cancel/route.ts";
import { POST as confirmBulkOrder } from "./bulk-orders/[id]/confirm/route.ts";
import { POST as resumeBulkOrder } from "./bulk-orders/[id]/resume/route.ts";
import { GET as getBulkOrder } from "./bulk-orders/[id]/route.ts";
import { GET as listBulkRows } from "./bulk-orders/[id]/rows/route.ts";
import { POST as stopBulkOrder } from "./bulk-orders/[id]/stop/route.ts";
import { GET as listBulkOrders, POST as uploadBulkOrder } from "./bulk-orders/route.ts";
import { GET as getEvent } from "./events/[id]/route.ts";
import { GET as listNewestEvents } from "./events/route.ts";
import { POST as removePasskey } from "./passkeys/[id]/remove/route.ts";
import { PATCH as renamePasskey } from "./passkeys/[id]/route.ts";
import { POST as beginPasskeyRegistration } from "./passkeys/options/route.ts";
import { POST as beginPasskeyProof } from "./passkeys/proof/route.ts";
import { POST as addPasskey } from "./passkeys/route.ts";
import { GET as readPulse } from "./pulse/route.ts";
import { GET as getRequest } from "./requests/[id]/route.ts";
import { GET as listFailures } from "./requests/failures/route.ts";
import { GET as listRequests } from "./requests/route.ts";
import { GET as search } from "./search/route.ts";
import { GET as getOwnSession } from "./session/route.ts";
import { DELETE as endOwnSession } from "./sessions/[id]/route.ts";
import { POST as endOtherSessions } from "./sessions/end-others/route.ts";
import { GET as listOwnSessions } from "./sessions/route.ts";
import { POST as bindSandbox } from "./simulator/provider/route.ts";
import { POST as renewRecoveryCodes } from "./two-factor/recovery-codes/route.ts";
import { GET as getTwoFactor } from "./two-factor/route.ts";
import { POST as confirmTotp } from "./two-factor/totp/confirm/route.ts";
import { POST as beginTotp } from "./two-factor/totp/route.ts";
import { POST as turnOffTwoFactor } from "./two-factor/turn-off/route.ts";
import { POST as revealCardToMember } from "./virtual-cards/[id]/reveal/route.ts";
import { POST as resendChosenDeliveries } from "./webhook-deliveries/resend/route.ts";

/** Every endpoint that only the dashboard has. A test compares this list with the route files. */
export const dashboardEndpoints: Endpoint[] = [
  { method: "post", path: "/api/dashboard/alerts/seen", route: markAlertsSeen },
  { method: "get", path: "/api/dashboard/api-keys", route: listApiKeys },
  { method: "post", path: "/api/dashboard/api-keys", route: createApiKey },
  { method: "get", path: "/api/dashboard/api-keys/{id}", route: getApiKey },
  { method: "patch", path: "/api/dashboard/api-keys/{id}", route: changeApiKey },
  { method: "post", path: "/api/dashboard/api-keys/{id}/revoke", route: revokeApiKey },
  { method: "post", path: "/api/dashboard/api-keys/{id}/roll", route: rollApiKey },
  { method: "post", path: "/api/dashboard/areas/{area}/request", route: requestArea },
  { method: "get", path: "/api/dashboard/bulk-orders", route: listBulkOrders },
  { method: "post", path: "/api/dashboard/bulk-orders", route: uploadBulkOrder },
  { method: "get", path: "/api/dashboard/bulk-orders/{id}", route: getBulkOrder },
  { method: "post", path: "/api/dashboard/bulk-orders/{id}/cancel", route: cancelBulkOrder },
  { method: "post", path: "/api/dashboard/bulk-orders/{id}/confirm", route: confirmBulkOrder },
  { method: "post", path: "/api/dashboard/bulk-orders/{id}/resume", route: resumeBulkOrder },
  { method: "get", path: "/api/dashboard/bulk-orders/{id}/rows", route: listBulkRows },
  { method: "post", path: "/api/dashboard/bulk-orders/{id}/stop", route: stopBulkOrder },
  { method: "get", path: "/api/dashboard/events", route: listNewestEvents },
  { method: "get", path: "/api/dashboard/events/{id}", route: getEvent },
  { method: "post", path: "/api/dashboard/passkeys", route: addPasskey },
  { method: "post", path: "/api/dashboard/passkeys/options", route: beginPasskeyRegistration },
  { method: "post", path: "/api/dashboard/passkeys/proof", route: beginPasskeyProof },
  { method: "patch", path: "/api/dashboard/passkeys/{id}", route: renamePasskey },
  { method: "post", path: "/api/dashboard/passkeys/{id}/remove", route: removePasskey },
  { method: "get", path: "/api/dashboard/pulse", route: readPulse },
  { method: "get", path: "/api/dashboard/requests", route: listRequests },
  { method: "get", path: "/api/dashboard/requests/failures", route: listFailures },
  { method: "get", path: "/api/dashboard/requests/{id}", route: getRequest },
  { method: "get", path: "/api/dashboard/search", route: search },
  { method: "get", path: "/api/dashboard/session", route: getOwnSession },
  { method: "get", path: "/api/dashboard/sessions", route: listOwnSessions },
  { method: "post", path: "/api/dashboard/sessions/end-others", route: endOtherSessions },
  { method: "delete", path: "/api/dashboard/sessions/{id}", route: endOwnSession },
  { method: "post", path: "/api/dashboard/simulator/provider", route: bindSandbox },
  { method: "get", path: "/api/dashboard/two-factor", route: getTwoFactor },
  { method: "post", path: "/api/dashboard/two-factor/totp", route: beginTotp },
  { method: "post", path: "/api/dashboard/two-factor/totp/confirm", route: confirmTotp },
  { method: "post", path: "/api/dashboard/two-factor/recovery-codes", route: renewRecoveryCodes },
  { method: "post", path: "/api/dashboard/two-factor/turn-off", route: turnOffTwoFactor },
  { method: "post", path: "/api/dashboard/virtual-cards/{id}/reveal", route: revealCardToMember },
  { method: "post", path: "/api/dashboard/webhook-deliveries/resend", route: resendChosenDeliveries },
];
