import { loadRoutes } from "../server/routes/serve-routes.ts";
import { serve } from "../server/serve.ts";

// A web process in which Next answers every route, as on any other host of Next.
await serve({ routesOf: async () => ({ ...(await loadRoutes()), answer: async () => false }) });
