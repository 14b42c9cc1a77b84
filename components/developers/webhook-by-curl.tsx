import { CodeBlock } from "./code-block.tsx";

/** A command that registers an endpoint through the API, with a key that the reader's shell knows. */
export function WebhookByCurl({ apiUrl }: { apiUrl: string }) {
  return (
    <div className="flex w-full max-w-[40rem] min-w-0 flex-col gap-2 text-left">
      <p className="text-fact text-muted">
        Or from your server, with your test keys in <code className="font-mono">OJA_KEY</code> and{" "}
        <code className="font-mono">OJA_SECRET</code>:
      </p>
      <CodeBlock text={commandOf(apiUrl)} what="the command" />
    </div>
  );
}

const commandOf = (apiUrl: string): string => `curl ${apiUrl}/webhook-endpoints \\
  -H "X-Api-Key: $OJA_KEY" -H "X-Api-Secret: $OJA_SECRET" \\
  -H "Content-Type: application/json" \\
  -d '{"url": "https://your-server.example/oja"}'`;
