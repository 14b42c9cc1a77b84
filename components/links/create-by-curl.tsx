import { CopyButton } from "#components/ui/copy-button.tsx";

/** A command that creates a link through the API, with a key that the reader's shell knows: keys are not kept readable anywhere. */
export function CreateByCurl({ apiUrl }: { apiUrl: string }) {
  const command = commandOf(apiUrl);
  return (
    <div className="flex w-full max-w-[40rem] min-w-0 flex-col gap-2 text-left">
      <p className="text-fact text-muted">
        Or from your server, with your test keys in <code className="font-mono">OJA_KEY</code> and{" "}
        <code className="font-mono">OJA_SECRET</code>. Keys are shown once, when they are made: ask the person who made yours.
      </p>
      <div className="relative min-w-0 rounded-control border border-line bg-ground">
        <pre className="p-3 pr-12 font-mono text-fact wrap-anywhere whitespace-pre-wrap">{command}</pre>
        <span className="absolute top-2 right-2">
          <CopyButton text={command} label="Copy the command" />
        </span>
      </div>
    </div>
  );
}

const commandOf = (apiUrl: string): string => `curl ${apiUrl}/checkout/create \\
  -H "X-Api-Key: $OJA_KEY" -H "X-Api-Secret: $OJA_SECRET" \\
  -H "Content-Type: application/json" \\
  -d '{"amount": 5000, "description": "Two bags of rice"}'`;
