import { serve } from "../server/serve.ts";

// A web process without Next, which starts much faster: it has the routes, the border and the sandbox. Pages get 501.
await serve({
  pagesOf: async () => async (_request, response) => {
    response.writeHead(501, { "Content-Type": "text/plain" }).end("This app has no pages: call withApp(env, { pages: true }).");
  },
});
