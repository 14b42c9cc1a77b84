import { serve } from "../server/serve.ts";

// As a web process, but without Next, which takes most of its start: the routes, the border and the sandbox. A page is answered with 501.
await serve({
  pagesOf: async () => async (_request, response) => {
    response.writeHead(501, { "Content-Type": "text/plain" }).end("This app has no pages: call withApp(env, { pages: true }).");
  },
});
