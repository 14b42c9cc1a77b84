import { loadRoutes } from "../server/routes/serve-routes.ts";
import { serve } from "../server/serve.ts";

// As a web process, but every route is answered by Next, as on any host of Next.
await serve({ routesOf: async () => ({ ...(await loadRoutes()), answer: async () => false }) });
