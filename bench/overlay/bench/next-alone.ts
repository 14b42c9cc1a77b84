import { loadRoutes } from "../server/routes/serve-routes.ts";
import { serve } from "../server/serve.ts";

// As a web process, but every route is answered by Next's router.
await serve(async () => ({ ...(await loadRoutes()), answer: async () => false }));
